"""The first candidates in the order an encoder would have them, when the user asks for one.

An encoder reads a text as a whole and ranks better than vectors of words, but it reads only tens of texts a second: it
sees the first hundred, each content once, within a limit of time. What it has not seen by then keeps its place. Among
those it has seen, places and their alignments are dealt out anew, so what the ranking says of the whole list holds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from math import log2
from typing import TYPE_CHECKING, Protocol

import numpy as np
from msgspec import Struct, field

from haversack.errors import ModelError
from haversack.index.embed import to_length_one
from haversack.index.level_cache import Made
from haversack.model import Problem, Reranked, Task, Unit
from haversack.retrieve.ranking import HALVED_AFTER

if TYPE_CHECKING:
    from haversack.index.level_cache import LevelCache
    from haversack.index.segment import Array
    from haversack.index.units import UnitReader

FIRST = 100  # pieces of code that are read
TOGETHER = 8  # between two looks at the clock: a fifth of a second on a slow core
LONGEST_ASKED = 4_000  # characters of the task; the encoder stops far earlier
# Points of the ranking that a cosine of 1 is worth. On 23 development tasks the share of the right pieces that is among
# the first ten rose from .71 to .73 with 2; from 4 on the first right piece came later. On 269 commits, the first 30
# pieces read: functions in 8,000 tokens .722 without, .724 with 1 or 2, .716 with 5; first ten files .924, .920, .915.
WEIGHT = 2.0
KEPT_AS = "<f2"


class Encodes(Protocol):
    """An encoder: see `index.encoder`."""

    name: str

    def embed(self, texts: Sequence[str]) -> Array: ...


class Again(Struct, frozen=True):
    """New alignments by position, and what the receipt says: who looked, or why nobody did."""

    alignments: Mapping[int, float] = field(default_factory=dict)
    reranked: Reranked | None = None
    problem: Problem | None = None


class LooksAgain(Protocol):
    """Whoever has a say in the order of the first candidates of a task."""

    def look_again(
        self, task: Task, reader: UnitReader, order: Sequence[int], ranked: Mapping[int, float]
    ) -> Again: ...

    def close(self) -> None: ...


class Reranker:
    """Looks at the first candidates of tasks again."""

    def __init__(
        self,
        load: Callable[[], Encodes],
        cache: LevelCache,
        text_of: Callable[[Unit], str | None],
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._load = load
        self._cache = cache
        self._text_of = text_of
        self._seconds = seconds
        self._clock = clock

    def look_again(self, task: Task, reader: UnitReader, order: Sequence[int], ranked: Mapping[int, float]) -> Again:
        """The first of these positions, which come best first, as the encoder would have them."""
        first = order[:FIRST]
        try:
            found, reranked = self.alignments(task.text, reader.at(first), [ranked[p] for p in first])
        except ModelError as error:
            return Again(problem=Problem("index.rerank", str(error), error.hint or ""))
        return Again(dict(zip(first, found, strict=True)), reranked)

    def alignments(self, task: str, units: Sequence[Unit], ranked: Sequence[float]) -> tuple[list[float], Reranked]:
        """The alignments of the same units, which come best first; ModelError when the encoder cannot be used."""
        until = self._clock() + self._seconds
        encoder = self._load()
        texts = {n: text for n, text in enumerate(map(self._text_of, units)) if text is not None}
        near, known = self._near(encoder, task[:LONGEST_ASKED], texts, until)
        return dealt(ranked, near), Reranked(encoder.name, len(units), len(near), known)

    def close(self) -> None:
        """Let go of the file in which vectors are kept."""
        self._cache.close()

    def _near(
        self, encoder: Encodes, task: str, texts: Mapping[int, str], until: float
    ) -> tuple[dict[int, float], int]:
        """How near the texts are to the task, as far as time allows; and how many of them were known before."""
        asked = _key(encoder, task)
        keys = {number: _key(encoder, text) for number, text in texts.items()}
        rows = {
            key: np.frombuffer(body, dtype=KEPT_AS) for key, body in self._cache.get([asked, *keys.values()]).items()
        }
        known = sum(key in rows for key in keys.values())
        missing = {asked: task} | {keys[number]: text for number, text in texts.items()}
        waiting = [(key, text) for key, text in missing.items() if key not in rows]
        made = []
        while waiting and self._clock() < until:
            now, waiting = waiting[:TOGETHER], waiting[TOGETHER:]
            vectors = to_length_one(np.nan_to_num(encoder.embed([text for _, text in now]).astype(np.float32)))
            for (key, _), vector in zip(now, vectors.astype(KEPT_AS), strict=True):
                rows[key] = vector
                made.append(Made(key, key.hex(), key, vector.tobytes()))
        self._cache.put(made)
        if asked not in rows:
            return {}, 0
        question = rows[asked].astype(np.float32)
        return {number: float(question @ rows[key]) for number, key in keys.items() if key in rows}, known


def _key(encoder: Encodes, text: str) -> bytes:
    return blake2b(f"{encoder.name}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).digest()


def dealt(ranked: Sequence[float], near: Mapping[int, float]) -> list[float]:
    """The alignments given out anew among those whose nearness is known; each of the others keeps its own."""
    seen = sorted(near)
    points = {number: HALVED_AFTER * log2(ranked[number]) + WEIGHT * near[number] for number in seen}
    out = list(ranked)
    for place, number in zip(seen, sorted(seen, key=lambda number: (-points[number], number)), strict=True):
        out[number] = ranked[place]
    return out
