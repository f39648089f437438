"""The nouns of assembled context, as seed 004 names them, and what its searcher must offer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from msgspec import Struct

from haversack.errors import HaversackError, UsageError
from haversack.model import Problem

Meta: TypeAlias = dict[str, str | int | float | list[str] | None]


class ContextAssemblyError(HaversackError):
    """Context could not be assembled."""


class InvalidContextTypeError(ContextAssemblyError, UsageError):
    """A context type that does not exist was asked for."""

    exit_code = 2


class ContextItem(Struct, frozen=True):
    """A single piece of context from any source: memory, code, experience, value or commit."""

    source: str
    content: str
    relevance: float
    metadata: Meta


class FormattedContext(Struct, frozen=True):
    """Context ready to be given to an agent.

    `token_count` is the count of `markdown`; `exceeded` says that a soft limit was passed; `problems` name sources that
    failed; `experiences` is on how many experiences it rests; `packet` is what `report_outcome` takes.
    """

    markdown: str
    items: list[ContextItem]
    token_count: int
    sources_used: dict[str, int]
    exceeded: bool = False
    problems: tuple[Problem, ...] = ()
    experiences: int = 0
    packet: str = ""
    query: str = ""

    def as_json(self) -> dict[str, object]:
        return {
            "packet": self.packet,
            "markdown": self.markdown,
            "items": [
                {
                    "source": item.source,
                    "content": item.content,
                    "relevance": round(item.relevance, 4),
                    "metadata": item.metadata,
                }
                for item in self.items
            ],
            "token_count": self.token_count,
            "sources_used": self.sources_used,
            "exceeded": self.exceeded,
            "experiences": self.experiences,
            "problems": [{"where": each.where, "what": each.what, "fix": each.fix} for each in self.problems],
        }


# No Struct: those compare all they have, and what a piece says beside its text makes no other piece of it.
@dataclass(frozen=True, slots=True)
class Piece:
    """A hit before it is fitted: what stands before the text, the text that may be cut, what closes it, the note."""

    source: str
    key: str
    head: str
    body: str
    tail: str
    relevance: float
    metadata: Meta
    note: str = "*(truncated)*"
    path: str | None = None
    span: tuple[int, int] | None = None
    experience: str = ""
    says: str = field(default="", compare=False)

    @property
    def content(self) -> str:
        """The whole of it."""
        return f"{self.head}{self.body}{self.tail}"


class Searcher(Protocol):
    """What an assembler asks: each answers with pieces, best first, and may raise."""

    async def search_memories(self, query: str, limit: int) -> Sequence[Piece]: ...

    async def search_code(self, query: str, limit: int) -> Sequence[Piece]: ...

    async def search_experiences(
        self,
        query: str,
        *,
        axis: str = "full",
        domain: str | None = None,
        strategy: str | None = None,
        outcome: str | None = None,
        limit: int = 10,
    ) -> Sequence[Piece]: ...

    async def search_values(
        self, query: str, limit: int, *, domain: str | None = None, strategy: str | None = None
    ) -> Sequence[Piece]: ...

    async def search_commits(self, query: str, limit: int) -> Sequence[Piece]: ...


WEIGHTS: Mapping[str, int] = {"memories": 1, "code": 2, "experiences": 3, "values": 1, "commits": 2}
"""Seed 004: what each source is given of the budget. In the order of the sections."""
