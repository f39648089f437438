"""Values: what several experiences have in common on an axis, found by clustering and kept up as experiences come.

Vectors are compared after their common part is taken away: everything in a journal is about software, which says
nothing. What is then more alike than nearly any two others are belongs together. All of an axis is clustered when it
has doubled since the last time; in between a new experience joins the cluster it is nearest to, or founds one with
others that stand alone, and nothing else is touched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from haversack.memory.axes import axis_texts
from haversack.memory.nouns import Experience, Value
from haversack.memory.vectors import Place, Vectors
from haversack.memory.vocabulary import AXES
from haversack.model import Problem

if TYPE_CHECKING:
    from haversack.index.embed import Embedder
    from haversack.index.segment import Array
    from haversack.memory.store import MemoryStore

SMALLEST = 3  # experiences of a value: 5 found nothing in 63 real ones, 3 did (seed 004's own project)
DEVIATIONS = 3.0  # how far above the usual similarity two must be to belong together: 1 pair of 700 by chance
LEAST_ALIKE, MOST_ALIKE = 0.30, 0.60  # whatever the deviation says: few experiences have no usual similarity
SAMPLE = 500  # experiences from which the usual similarity is measured
BLOCK = 1_024  # rows multiplied at a time
GROWTH = 2  # all of an axis is clustered anew when it has grown by this factor


@dataclass(slots=True)
class Principles:
    """The values there are, on how many experiences of each axis they rest, and where there are too few to tell."""

    values: tuple[Value, ...] = ()
    experiences: dict[str, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


def find_values(store: MemoryStore, embedder: Embedder | None, *, axis: str | None = None) -> Principles:
    """The values of one axis or of all, brought up to date with the experiences stored."""
    if embedder is None:
        what = "values are found by the meaning of experiences, and the semantic view is switched off"
        return Principles(problems=(Problem("values", what, "set index.semantic to true"),))
    refresh_values(store, embedder)
    vectors = Vectors(store.database)
    wanted = AXES if axis is None else (axis,)
    counts = {name: len(vectors.places(name)) for name in wanted}
    values = store.values(axis=axis)
    values.sort(key=lambda value: (AXES.index(value.axis), -value.size, value.distance, value.id))
    having = {value.axis for value in values}
    return Principles(tuple(values), counts, tuple(_too_few(name, counts[name]) for name in wanted if name not in having))


def _too_few(axis: str, count: int) -> Problem:
    if count < SMALLEST:
        return Problem(f"axis {axis}", f"{count} experiences are too few: a value needs {SMALLEST} that are alike")
    return Problem(f"axis {axis}", f"of {count} experiences no {SMALLEST} are alike enough to make a value")


def refresh_values(store: MemoryStore, embedder: Embedder) -> None:
    """Place new and changed experiences, and bring the values they belong to up to date."""
    vectors = Vectors(store.database)
    if vectors.model() == embedder.name and vectors.seen() == store.database.head("experience"):
        return
    with store.database.writing():
        if vectors.model() != embedder.name:
            vectors.begin(embedder.name)
        pages, seen = vectors.changed_pages()
        for page in pages:
            _place_page(store, vectors, embedder, page)
        clustered = {}
        for axis in AXES:
            clustered[axis] = _refresh_axis(store, vectors, axis, embedder.dimensions)
        vectors.note(seen=seen, clustered=clustered)


def _place_page(store: MemoryStore, vectors: Vectors, embedder: Embedder, page: int) -> None:
    """Put the experiences of a page where they belong; one that says what it said before stays where it is."""
    texts = [
        (experience.number, axis, text)
        for experience in store.experiences(page=page)
        if experience.outcome is not None
        for axis, text in axis_texts(experience)
    ]
    made = np.asarray(embedder.embed([text for _, _, text in texts]), dtype=np.float16)
    for axis in AXES:
        known = {number: data for number, _, data in vectors.places(axis)}
        rows = [(number, made[row].tobytes()) for row, (number, name, _) in enumerate(texts) if name == axis]
        vectors.put(axis, [(number, "", data) for number, data in rows if known.get(number) != data])


@dataclass(slots=True)
class _Axis:
    """One axis in memory: numbers, clusters and vectors without their common part."""

    numbers: list[int]
    clusters: list[str]
    rows: Array

    @classmethod
    def of(cls, places: Sequence[Place], dimensions: int) -> _Axis:
        rows = np.frombuffer(b"".join(data for _, _, data in places), dtype=np.float16).reshape(-1, dimensions)
        rows = rows.astype(np.float32)
        rows = rows - rows.mean(axis=0)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        rows = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
        return cls([number for number, _, _ in places], [cluster for _, cluster, _ in places], rows)

    def alike(self) -> float:
        """The similarity from which two belong together."""
        step = max(1, len(self.rows) // SAMPLE)
        some = self.rows[::step]
        upper = (some @ some.T)[np.triu_indices(len(some), 1)]
        return float(np.clip(DEVIATIONS * upper.std(), LEAST_ALIKE, MOST_ALIKE))


def _refresh_axis(store: MemoryStore, vectors: Vectors, axis: str, dimensions: int) -> int:
    """Cluster what is new on the axis; how many it had when all of it was last clustered."""
    places = vectors.places(axis)
    before = vectors.clustered(axis)
    if len(places) < SMALLEST:
        vectors.put_values(axis, ())
        return before
    state = _Axis.of(places, dimensions)
    had = list(state.clusters)
    if before == 0 or len(places) >= GROWTH * before:
        _cluster_all(state, lambda number: _name(axis, store.experiences_by_number([number])[0].id))
        before = len(places)
    else:
        _join(state, lambda number: _name(axis, store.experiences_by_number([number])[0].id))
    moved = [row for row, cluster in enumerate(state.clusters) if cluster != had[row]]
    vectors.put(axis, [(state.numbers[row], state.clusters[row], places[row][2]) for row in moved])
    _write_values(store, vectors, axis, state, touched={had[row] for row in moved} | {state.clusters[row] for row in moved})
    return before
