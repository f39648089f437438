"""Values: what several experiences have in common on an axis, found by clustering and kept up as experiences come.

All of an axis is clustered when it has doubled since the last time. In between a new experience joins the value it is
nearest to, or founds one with others that stand alone; no other is looked at again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct, field

from haversack.memory.axes import axis_texts
from haversack.memory.nouns import Experience, Value
from haversack.memory.vectors import Place, Vectors
from haversack.memory.vocabulary import AXES, one_of
from haversack.model import Problem
from haversack.recall.clusters import centres, enough_alike, groups, without_common_part

if TYPE_CHECKING:
    from haversack.index.embed import Embedder
    from haversack.index.segment import Array
    from haversack.memory.store import MemoryStore

SMALLEST = 3  # experiences of a value: 5 found nothing in 63 real ones, 3 did (seed 004's own project)
GROWTH = 2  # all of an axis is clustered anew when it has grown by this factor
ALONE = ""  # the cluster of an experience that belongs to none
NEW = "new"  # and of one that was not placed yet


class Principles(Struct, frozen=True):
    """The values there are, on how many experiences of each axis they rest, and where there are too few to tell."""

    values: tuple[Value, ...] = ()
    experiences: dict[str, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


def find_values(store: MemoryStore, embedder: Embedder | None, *, axis: str | None = None) -> Principles:
    """The values of one axis or of all, brought up to date with the experiences stored, largest first."""
    wanted = AXES if axis is None else (one_of("axis", axis, AXES),)
    if embedder is None:
        what = "values are found by what experiences mean, and the semantic view is switched off"
        return Principles(problems=(Problem("values", what, "set index.semantic to true"),))
    refresh_values(store, embedder)
    counts = {name: len(Vectors(store.database).places(name)) for name in wanted}
    values = [value for name in wanted for value in store.values(axis=name)]
    values.sort(key=lambda value: (AXES.index(value.axis), -value.size, value.distance, value.id))
    without = [name for name in wanted if name not in {value.axis for value in values}]
    return Principles(tuple(values), counts, tuple(_too_few(name, counts[name]) for name in without))


def _too_few(axis: str, count: int) -> Problem:
    if count < SMALLEST:
        what = f"{count} experiences are too few to tell: a value needs {SMALLEST} that are alike"
    else:
        what = f"among {count} experiences no {SMALLEST} are alike enough to make a value"
    return Problem(f"axis {axis}", what)


def refresh_values(store: MemoryStore, embedder: Embedder) -> None:
    """Place new and changed experiences, and bring the values they belong to up to date."""
    vectors = Vectors(store.database)
    pages, seen = vectors.changed_pages()
    if vectors.model() == embedder.name and not pages:
        return
    with store.database.writing():
        if vectors.model() != embedder.name:
            vectors.begin(embedder.name)
            pages, seen = vectors.changed_pages()
        for page in pages:
            _place(vectors, embedder, store.experiences(page=page))
        clustered = {axis: _refresh_axis(store, vectors, axis, embedder.dimensions) for axis in AXES}
        vectors.note(seen=seen, clustered=clustered)


def _place(vectors: Vectors, embedder: Embedder, experiences: Sequence[Experience]) -> None:
    """Put experiences where they belong; one that says what it said before stays where it is."""
    ended = [each for each in experiences if each.outcome is not None]
    texts = [(each.number, axis, text) for each in ended for axis, text in axis_texts(each)]
    made = np.asarray(embedder.embed([text for _, _, text in texts]), dtype=np.float16)
    for axis in AXES:
        known = vectors.data(axis, [each.number for each in experiences])
        now = {number: made[row].tobytes() for row, (number, name, _) in enumerate(texts) if name == axis}
        vectors.remove(axis, known.keys() - now.keys())
        vectors.put(axis, [(number, NEW, data) for number, data in now.items() if known.get(number) != data])


def _refresh_axis(store: MemoryStore, vectors: Vectors, axis: str, dimensions: int) -> int:
    """Cluster what is new on an axis; the answer is how many it had when all of it was last clustered."""
    places = vectors.places(axis)
    before = vectors.clustered(axis)
    if len(places) < SMALLEST:
        vectors.put_values(axis, (), gone=[value.id for value in store.values(axis=axis)])
        return before
    numbers = [number for number, _, _ in places]
    rows = without_common_part(_matrix(places, dimensions))
    had = [cluster for _, cluster, _ in places]
    if before == 0 or len(places) >= GROWTH * before:
        clusters, before = _cluster_all(store, axis, numbers, rows, had), len(places)
    else:
        clusters = _cluster_new(store, axis, numbers, rows, had)
    moved = [row for row in range(len(rows)) if clusters[row] != had[row]]
    vectors.put(axis, [(numbers[row], clusters[row], places[row][2]) for row in moved])
    sizes = Counter(cluster for cluster in clusters if cluster)
    stored = {value.id: value.size for value in store.values(axis=axis)}
    due = [name for name in sizes if stored.get(name) != sizes[name] or any(clusters[row] == name for row in moved)]
    made = [
        _value(store, axis, name, [r for r, each in enumerate(clusters) if each == name], numbers, rows) for name in due
    ]
    vectors.put_values(axis, made, gone=stored.keys() - sizes.keys())
    return before


def _matrix(places: Sequence[Place], dimensions: int) -> Array:
    joined = np.frombuffer(b"".join(data for _, _, data in places), dtype=np.float16)
    return joined.reshape(-1, dimensions).astype(np.float32)


def _cluster_all(store: MemoryStore, axis: str, numbers: Sequence[int], rows: Array, had: Sequence[str]) -> list[str]:
    """The cluster of each, found anew; one that is mostly an old one keeps its name."""
    clusters = [ALONE] * len(rows)
    taken: set[str] = set()
    for members in groups(rows, enough_alike(rows), SMALLEST):
        before = Counter(had[row] for row in members.tolist() if had[row] not in {ALONE, NEW, *taken})
        name = min(before, key=lambda each: (-before[each], each)) if before else ""
        if not name or 2 * before[name] < len(members):
            name = _name(store, axis, numbers[int(members[0])])
        taken.add(name)
        for row in members.tolist():
            clusters[row] = name
    return clusters


def _cluster_new(store: MemoryStore, axis: str, numbers: Sequence[int], rows: Array, had: Sequence[str]) -> list[str]:
    """The same where only new ones are placed: in the nearest cluster, or in a new one with some that stood alone."""
    sizes = Counter(had)
    clusters = [
        cluster if cluster == NEW or sizes[cluster] >= SMALLEST else ALONE for cluster in had
    ]  # some are forgotten
    alike = enough_alike(rows)
    new = [row for row, cluster in enumerate(clusters) if cluster == NEW]
    members: dict[str, list[int]] = {}
    for row, cluster in enumerate(clusters):
        if cluster not in (NEW, ALONE):
            members.setdefault(cluster, []).append(row)
    names = sorted(members)
    if names and new:
        middles = centres(rows, [np.asarray(members[name]) for name in names], np.ones(len(rows), dtype=np.float32))
        nearness = rows[new] @ middles.T
        for row, best, near in zip(new, nearness.argmax(axis=1).tolist(), nearness.max(axis=1).tolist(), strict=True):
            if near >= alike:
                clusters[row] = names[best]
    for row in new:
        if clusters[row] == NEW:
            clusters[row] = ALONE
            together = [
                each for each in np.flatnonzero(rows @ rows[row] >= alike).tolist() if clusters[each] in (NEW, ALONE)
            ]
            if len(together) >= SMALLEST:
                name = _name(store, axis, numbers[row])
                for each in together:
                    clusters[each] = name
    return clusters


def _name(store: MemoryStore, axis: str, founder: int) -> str:
    """A name made of the axis and the experience in the middle, so that every run gives the same."""
    (experience,) = store.experiences_numbered([founder])
    return "v" + blake2b(f"{axis}\0{experience.id}".encode(), digest_size=6).hexdigest()


def _value(
    store: MemoryStore, axis: str, name: str, members: Sequence[int], numbers: Sequence[int], rows: Array
) -> Value:
    """The value of a cluster, as the experience nearest to its middle puts it."""
    behind = {each.number: each for each in store.experiences_numbered([numbers[row] for row in members])}
    weights = np.asarray([behind[numbers[row]].weight for row in members], dtype=np.float32)
    own = rows[list(members)]
    (middle,) = centres(own, [np.arange(len(own))], weights)
    distances = 1.0 - own @ middle
    order = sorted(range(len(own)), key=lambda place: (round(float(distances[place]), 6), numbers[members[place]]))
    experiences = [behind[numbers[members[place]]] for place in order]
    return Value(
        id=name,
        axis=axis,
        text=_principle(experiences[0], axis),
        size=len(experiences),
        distance=round(max(0.0, float(distances[order[0]])), 4),
        experiences=tuple(each.id for each in experiences),
        domains=_by_frequency(each.domain for each in experiences),
        strategies=_by_frequency(each.strategy for each in experiences),
        confidence=round(float(weights.mean()), 4),
    )


def _principle(experience: Experience, axis: str) -> str:
    """What an experience teaches on an axis, in its own words and as briefly as it was put."""
    lesson = experience.lesson
    if lesson is not None:
        said = {"full": lesson.takeaway or lesson.what_worked, "strategy": lesson.what_worked}.get(axis, "")
        if said.strip():
            return f"{experience.strategy}: {said.strip()}" if axis == "strategy" else said.strip()
    return dict(axis_texts(experience))[axis]


def _by_frequency(words: Iterable[str]) -> tuple[str, ...]:
    counted = Counter(words)
    return tuple(sorted(counted, key=lambda word: (-counted[word], word)))
