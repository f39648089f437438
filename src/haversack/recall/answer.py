"""What recall answers with: results in three sizes, each cited, and what is known about the answer as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TypeAlias

from msgspec import Struct, field

from haversack.model import Citation, Problem, Unit
from haversack.recall.sizes import Count, clip, one_line
from haversack.receipt.certificate import Certificate, certificate_json
from haversack.safe import sanitize

HYPOTHESIS = "[HYPOTHESIS]"
"""What nobody can look up: it has no citation."""
LONGEST_CITATION = 20
"""Tokens of a citation in a line of text; the whole one stands in the JSON."""

MetaValue: TypeAlias = str | int | float | bool | list[str] | None


class Result(Struct, frozen=True):
    """Layer 1: one line of about 50 tokens. `score` is alpha · relevance + beta · uplift."""

    id: str
    summary: str
    score: float
    relevance: float
    uplift: float
    type: str
    source: str
    citations: tuple[Citation, ...]
    time: float | None = None
    text: str = ""
    tokens: int = 0
    why: Mapping[str, float] = field(default_factory=dict)

    @property
    def cited(self) -> bool:
        """Whether there is a place to look it up."""
        return bool(self.citations)

    def as_json(self) -> dict[str, object]:
        """The shape of the seed, and what this project knows beside it."""
        return {
            "id": self.id,
            "summary": self.summary,
            "utilityScore": round(self.score, 4),
            "relevance": round(self.relevance, 4),
            "uplift": self.uplift,
            "type": self.type,
            "source": self.source,
            "citations": [each.as_json() for each in self.citations],
            "isCited": self.cited,
            "timestamp": iso(self.time),
            "text": self.text,
            "tokens": self.tokens,
            "why": dict(self.why),
        }


class Metadata(Struct, frozen=True):
    """How the search was done: seed 003's complexity, its strategy and depth, and the tokens to expect."""

    complexity: float
    factors: Mapping[str, float]
    strategy: str
    k: int
    result_count: int
    estimated_tokens: int
    tokens: int
    alpha: float
    beta: float
    widened: bool = False

    def as_json(self) -> dict[str, object]:
        return {
            "complexity": self.complexity,
            "factors": dict(self.factors),
            "strategy": self.strategy,
            "k": self.k,
            "resultCount": self.result_count,
            "estimatedTokens": self.estimated_tokens,
            "tokens": self.tokens,
            "alpha": self.alpha,
            "beta": self.beta,
            "widened": self.widened,
        }


class Answer(Struct, frozen=True):
    """What a search of memory found. `packet` is what `report_outcome` takes."""

    packet: str
    query: str
    intent: str
    results: tuple[Result, ...]
    certificate: Certificate
    metadata: Metadata
    suggestion: str = ""
    problems: tuple[Problem, ...] = ()

    @property
    def text(self) -> str:
        """One line for each result."""
        return "\n".join(each.text for each in self.results)

    def as_json(self) -> dict[str, object]:
        certificate = certificate_json(self.certificate) or {}
        return {
            "packet": self.packet,
            "query": self.query,
            "intent": self.intent,
            "results": [each.as_json() for each in self.results],
            "certificate": {
                "completenessScore": self.certificate.completeness,
                "redundancyRatio": self.certificate.redundancy,
                **certificate,
            },
            "metadata": self.metadata.as_json(),
            "suggestion": self.suggestion,
        }


class Moment(Struct, frozen=True):
    """Layer 2: something remembered before or after, or in the same session; about 150 tokens."""

    id: str
    task: str
    reward: float | None
    timestamp: str
    relation: str
    citations: tuple[Citation, ...]
    text: str
    tokens: int

    def as_json(self) -> dict[str, object]:
        return {
            "id": self.id,
            "task": self.task,
            "reward": self.reward,
            "timestamp": self.timestamp,
            "relation": self.relation,
            "citations": [each.as_json() for each in self.citations],
            "isCited": bool(self.citations),
            "text": self.text,
            "tokens": self.tokens,
        }


class Details(Struct, frozen=True):
    """Layer 3: the whole record in about 500 tokens, and the ids of what belongs to it."""

    id: str
    full_content: str
    metadata: Mapping[str, MetaValue]
    citations: tuple[Citation, ...]
    related: tuple[str, ...]
    truncated: bool
    text: str
    tokens: int

    def as_json(self) -> dict[str, object]:
        return {
            "id": self.id,
            "full_content": self.full_content,
            "metadata": dict(self.metadata),
            "citations": [each.as_json() for each in self.citations],
            "isCited": bool(self.citations),
            "relatedEntries": list(self.related),
            "truncated": self.truncated,
            "text": self.text,
            "tokens": self.tokens,
        }


def iso(moment: float | None) -> str:
    """A time as others write it; empty when there is none."""
    if moment is None:
        return ""
    try:
        return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    except (OverflowError, ValueError, OSError):
        return ""


def fitted(head: str, body: str, citations: tuple[Citation, ...], limit: int, count: Count) -> str:
    """`head body [citation]` within the limit; the body gives way, marked as a hypothesis when nothing is cited."""
    said = sanitize(body)
    mark = "" if citations else f"{HYPOTHESIS} "
    # A record that cites nothing but itself is named by the head already.
    places = tuple(each for each in citations if each.kind != "log" or each.target not in head)
    tail = f" [{_place(places, count)}]" if places else ""
    start = f"{head}{mark}"
    whole = f"{start}{said}{tail}"
    if len(whole) <= limit * 8 and count(whole) <= limit:
        return whole
    room = limit - count(f"{start}{tail}") - 1
    return f"{start}{clip(said, room, count)}{tail}"


def _place(citations: tuple[Citation, ...], count: Count) -> str:
    shown = one_line(sanitize(str(citations[0])))
    if len(shown) > LONGEST_CITATION * 2 and count(shown) > LONGEST_CITATION:
        # The end of a path is what tells it from others.
        while len(shown) > 8 and count(shown) > LONGEST_CITATION - 1:
            shown = shown[len(shown) // 4 + 1 :]
        shown = f"…{shown}"
    return shown if len(citations) == 1 else f"{shown} +{len(citations) - 1}"


def citations_of(unit: Unit) -> tuple[Citation, ...]:
    """Where a unit's statement can be looked up; none when the record says that it came from nowhere."""
    return () if unit.meta.get("cited") is False else unit.citations
