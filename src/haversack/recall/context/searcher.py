"""The searcher of an open project: every source of assembled context, answered from its index and its memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from haversack.memory.axes import full_text
from haversack.recall.context.formats import code_piece, commit_piece, experience_piece, memory_piece, value_piece
from haversack.recall.context.nouns import Piece
from haversack.recall.found import found_units
from haversack.recall.rank import THRESHOLD, Ranked, Ranker, Weighing, record_id

if TYPE_CHECKING:
    from haversack.index.embed import Embedder
    from haversack.index.store import Store
    from haversack.memory.store import MemoryStore
    from haversack.model import Unit

CODE_KINDS = frozenset({"function", "method", "class", "type", "constant"})
# Seed 004: recent commits get a small bonus.
RECENT_SHARE, RECENT_DAYS = 0.1, 90.0


class ProjectSearcher:
    """Answers each source in a thread of its own."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        memory: MemoryStore,
        uplift: Callable[[], Mapping[str, float]],
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._memory = memory
        self._ranker = Ranker(store, embedder)
        self._uplift = uplift

    async def search_memories(self, query: str, limit: int) -> Sequence[Piece]:
        """Facts, preferences, decisions, errors."""
        return await asyncio.to_thread(
            lambda: [memory_piece(each.unit, each.relevance) for each in self._ranked(query, "memories", limit)]
        )

    async def search_code(self, query: str, limit: int) -> Sequence[Piece]:
        """Functions, classes, methods."""
        return await asyncio.to_thread(lambda: [code_piece(unit, score) for unit, score in self._code(query, limit)])

    async def search_experiences(
        self,
        query: str,
        *,
        axis: str = "full",
        domain: str | None = None,
        strategy: str | None = None,
        outcome: str | None = None,
        limit: int = 10,
    ) -> Sequence[Piece]:
        """Experiences on one axis. With a domain or strategy all that are of it answer; the query orders them."""
        words = {"axis": axis, "domain": domain, "strategy": strategy, "outcome": outcome}
        sorted_by = [f"{name}:{value}" for name, value in words.items() if value]
        return await asyncio.to_thread(self._experiences, query, axis, sorted_by, limit)

    async def search_values(
        self, query: str, limit: int, *, domain: str | None = None, strategy: str | None = None
    ) -> Sequence[Piece]:
        """Principles; with a domain or strategy those that experiences of it have in common."""
        sorted_by = [f"{name}:{value}" for name, value in (("domain", domain), ("strategy", strategy)) if value]
        return await asyncio.to_thread(
            lambda: [value_piece(each.unit, each.relevance) for each in self._ranked(query, "values", limit, sorted_by)]
        )

    async def search_commits(self, query: str, limit: int) -> Sequence[Piece]:
        """Commits by what they say, newer ones a little ahead."""
        return await asyncio.to_thread(
            lambda: [commit_piece(unit, score) for unit, score in self._commits(query, limit)]
        )

    def _ranked(self, query: str, source: str, limit: int, sorted_by: Sequence[str] = ()) -> list[Ranked]:
        asked = self._ranker.ask(query, sources=(source,))
        weighing = Weighing(asked.task.intent, uplift=self._uplift())
        # The axis alone sorts nothing out: then, too, only what the query speaks of is wanted.
        every = any(not word.startswith("axis:") for word in sorted_by)
        ranked = self._ranker.rank(
            asked, weighing, sources=(source,), limit=limit, sorted_by=sorted_by, all_of_them=every
        )
        return [each for each in ranked if every or each.relevance >= THRESHOLD][:limit]

    def _experiences(self, query: str, axis: str, sorted_by: Sequence[str], limit: int) -> list[Piece]:
        pieces = []
        for each in self._ranked(query, "experiences", limit, sorted_by):
            experience = self._memory.experience(record_id(each.unit))
            piece = experience_piece(experience, each.relevance, axis=axis)
            # Whatever is shown of it, it is compared with others by all that it says.
            pieces.append(replace(piece, says=full_text(experience)))
        return pieces

    def _code(self, query: str, limit: int) -> list[tuple[Unit, float]]:
        return found_units(self._store, self._embedder, query, ("code",), limit, lambda unit: unit.kind in CODE_KINDS)

    def _commits(self, query: str, limit: int) -> list[tuple[Unit, float]]:
        newest = self._store.snapshot().newest
        found = [
            (unit, score * (1 - RECENT_SHARE + RECENT_SHARE * _recent(unit, newest)))
            for unit, score in found_units(self._store, self._embedder, query, ("commits",), limit)
        ]
        return sorted(found, key=lambda pair: (-pair[1], pair[0].id))


def _recent(unit: Unit, newest: float) -> float:
    if unit.time is None:
        return 0.0
    return float(2.0 ** (-max(newest - unit.time, 0.0) / 86_400 / RECENT_DAYS))
