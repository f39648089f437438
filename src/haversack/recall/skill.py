"""Seed 003's skill profile: what is known about a topic, from memories, experiences, values, decisions and code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from haversack.assemble.texts import StaleIndexError, Texts
from haversack.model import Citation, Unit
from haversack.pack.levels.sentences import first_sentences
from haversack.recall.answer import HYPOTHESIS, citations_of
from haversack.recall.found import found_units
from haversack.recall.lessons import Lessons
from haversack.recall.rank import Ranked, Ranker, Weighing
from haversack.recall.sizes import one_line
from haversack.safe import sanitize

if TYPE_CHECKING:
    from haversack.index.embed import Embedder
    from haversack.index.store import Store

MOST_POINTS: Final = 6  # of each kind: a profile is read at a glance
MOST_CODE: Final = 4
LONGEST_POINT: Final = 240  # characters, and
MOST_SENTENCES: Final = 3
RELEVANT: Final = 0.2  # of 1: a memory below that is about something else
RELEVANT_UNIT: Final = 0.35  # the same for documents and code, whose scores are scaled to the best
DOUBT: Final = 2.0  # pieces of full weight at which a profile is half sure
PRINCIPLES: Final = frozenset({"decision", "preference", "value"})
CONTEXT: Final = frozenset({"fact", "context", "event"})
DECIDED: Final = frozenset({"adr", "decision", "convention", "rule"})


class Skill(Struct, frozen=True):
    """What is known about a topic. `confidence` is 0..1 and grows with cited, relevant, well-founded pieces."""

    topic: str
    context: str = ""
    core_principles: tuple[str, ...] = ()
    pitfalls: tuple[str, ...] = ()
    implementation_guide: str = ""
    confidence: float = 0.0
    citations: tuple[Citation, ...] = ()

    def as_json(self) -> dict[str, object]:
        return {
            "topic": self.topic,
            "context": self.context,
            "core_principles": list(self.core_principles),
            "pitfalls": list(self.pitfalls),
            "implementation_guide": self.implementation_guide,
            "confidence": self.confidence,
            "citations": [each.as_json() for each in self.citations],
        }

    @property
    def text(self) -> str:
        """The profile as Markdown; parts that are empty have no heading."""
        parts = [f"# {one_line(self.topic)}", f"*Confidence: {self.confidence:.2f}*"]
        if self.context:
            parts += ["## Context", self.context]
        for title, points in (("Core principles", self.core_principles), ("Pitfalls", self.pitfalls)):
            if points:
                parts += [f"## {title}", "\n".join(f"- {point}" for point in points)]
        if self.implementation_guide:
            parts += ["## Implementation guide", self.implementation_guide]
        if self.citations:
            parts += ["## Citations", "\n".join(f"- {each}" for each in self.citations)]
        return "\n\n".join(parts) + "\n"


class _Gathered(Struct):
    """Points by part, and what speaks for them."""

    context: list[str] = field(default_factory=list)
    principles: list[str] = field(default_factory=list)
    pitfalls: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    weight: float = 0.0
    citations: dict[Citation, None] = field(default_factory=dict)

    def add(
        self, part: list[str], text: str, weight: float, cited: Sequence[Citation], most: int = MOST_POINTS
    ) -> None:
        point = text if cited else f"{HYPOTHESIS} {text}"
        said = (self.context, self.principles, self.pitfalls, self.steps)
        if text and len(part) < most and not any(point in points for points in said):
            part.append(point)
            self.weight += weight if cited else weight / 2
            self.citations.update(dict.fromkeys(cited[:2]))


class Skills:
    """Builds profiles from one project."""

    def __init__(self, store: Store, embedder: Embedder | None, ranker: Ranker, lessons: Lessons, texts: Texts) -> None:
        self._store = store
        self._embedder = embedder
        self._ranker = ranker
        self._lessons = lessons
        self._texts = texts

    def profile(self, topic: str) -> Skill:
        """The profile; with confidence 0 and nothing in it when nothing is known."""
        got = _Gathered()
        for each in self._remembered(topic):
            unit, cited = each.unit, citations_of(each.unit)
            weight = each.relevance * _weight(unit)
            if unit.kind in PRINCIPLES:
                got.add(got.principles, _point(unit.text), weight, cited)
            elif unit.kind == "workflow":
                got.add(got.steps, _point(unit.text), weight, cited)
            elif unit.kind in CONTEXT:
                got.add(got.context, _point(unit.text), weight, cited)
        for unit, score in self._documents(topic):
            decided = unit.kind in DECIDED or unit.meta.get("kind") in DECIDED or "adr" in (unit.path or "")
            text = _point(f"{unit.title}: {self._body(unit)}") if unit.title else _point(self._body(unit))
            got.add(got.principles if decided else got.context, text, score, unit.citations)
        for pattern in self._lessons.patterns(topic, limit=MOST_POINTS):
            if pattern.score >= RELEVANT / 2:
                often = f" ({pattern.success_count}×)" if pattern.success_count > 1 else ""
                got.add(got.steps, _point(_in_a_row(pattern.description)) + often, pattern.score, pattern.citations)
        for gotcha in self._lessons.gotchas(topic, limit=MOST_POINTS):
            if gotcha.score >= RELEVANT / 2:
                told = gotcha.resolution in gotcha.description
                way = f" → {_point(gotcha.resolution)}" if gotcha.resolution and not told else ""
                got.add(got.pitfalls, _point(_in_a_row(gotcha.description)) + way, gotcha.score, gotcha.citations)
        for unit, score in self._code(topic):
            where = f"{unit.path}:{unit.span.start}" if unit.span else unit.path
            said = f": {_point(unit.doc.partition(chr(10))[0])}" if unit.doc else ""
            got.add(got.code, f"`{unit.qualname or unit.name}` in `{where}`{said}", score, unit.citations, MOST_CODE)
        return Skill(
            topic=topic,
            context=" ".join(got.context[:3]),
            core_principles=tuple(got.principles),
            pitfalls=tuple(got.pitfalls),
            implementation_guide="\n".join(_numbered(got.steps, got.code)),
            confidence=round(got.weight / (got.weight + DOUBT), 4),
            citations=tuple(got.citations),
        )

    def _remembered(self, topic: str) -> list[Ranked]:
        asked = self._ranker.ask(topic, sources=("memories", "values"), intent="how_to")
        ranked = self._ranker.rank(asked, Weighing("how_to"), sources=("memories", "values"), limit=4 * MOST_POINTS)
        return [each for each in ranked if each.relevance >= RELEVANT]

    def _documents(self, topic: str) -> list[tuple[Unit, float]]:
        found = found_units(
            self._store, self._embedder, topic, ("knowledge", "docs"), MOST_POINTS, lambda unit: unit.kind != "file"
        )
        return [(unit, score) for unit, score in found if score >= RELEVANT_UNIT]

    def _code(self, topic: str) -> list[tuple[Unit, float]]:
        found = found_units(
            self._store, self._embedder, topic, ("code",), MOST_CODE,
            lambda unit: unit.kind in ("function", "method", "class") and str(unit.role) == "source",
        )  # fmt: skip
        return [(unit, score) for unit, score in found if score >= RELEVANT_UNIT]

    def _body(self, unit: Unit) -> str:
        """The unit's text as it is on disk now; its documentation when it just changed."""
        try:
            return self._texts.fill(unit, self._store.snapshot()).text.partition("\n")[2] or unit.doc
        except StaleIndexError:
            return unit.doc


def _weight(unit: Unit) -> float:
    for name in ("confidence", "importance"):
        found = unit.meta.get(name)
        if isinstance(found, int | float):
            return float(found)
    return 0.5


def _numbered(steps: Sequence[str], code: Sequence[str]) -> Iterator[str]:
    yield from (f"{number}. {step}" for number, step in enumerate(steps, start=1))
    if code:
        yield from ("See in the code:", *(f"- {each}" for each in code))


def _in_a_row(lines: str) -> str:
    """Lines that each say one thing, told apart on one line."""
    return "; ".join(line.strip().rstrip(".;") for line in lines.splitlines() if line.strip())


def _point(text: str) -> str:
    """The first sentences of a text, on a line of bounded length."""
    line = one_line(sanitize(text[:4_000])).lstrip("#-* ")
    return line if len(line) <= LONGEST_POINT else first_sentences(line, MOST_SENTENCES, LONGEST_POINT)
