"""One score per unit from all views.

Scores are fused, not ranks: on docstring-to-function retrieval rank fusion of BM25 with a static table lowered MRR from
.670 to .650 while score fusion raised it to .682 (shared dependency notes, November 2026).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct

from haversack.index.lexical import Weighed, ask, presence, weigh
from haversack.index.prepare import NAME, PATH
from haversack.index.segment import Array
from haversack.index.semantic import similarities
from haversack.index.snapshot import Snapshot

# A cosine that counts as near where nothing is nearer: in a project that has nothing to do with the task the nearest of
# all is noise. Tasks have something at .4 to .7; a choice below that.
LEAST_NEAR = 0.25


class ViewWeights(Struct, frozen=True):
    """What each signal counts when all are scaled to 0..1: our choice, to be measured on the development tasks."""

    body: float = 0.40
    item: float = 0.30
    name: float = 0.15
    path: float = 0.10
    semantic: float = 0.15


class Signals(Struct, frozen=True):
    """Every signal scaled to 0..1 over all positions but those of conversations, and their weighted mean."""

    body: Array
    item: Array
    name: Array
    path: Array
    semantic: Array
    near: Array  # the same as cosines, those below 0 as 0
    fused: Array
    words: Weighed

    def at(self, position: int) -> dict[str, float]:
        """The parts of a position's score, by name."""
        names = ("body", "item", "name", "path", "semantic")
        return {name: round(float(getattr(self, name)[position]), 4) for name in names}


def fuse(
    snapshot: Snapshot,
    terms: Mapping[str, float],
    query: Array | None,
    weights: ViewWeights | None = None,
    *,
    called: Mapping[str, float] | None = None,
) -> Signals:
    """Ask the lexical view (units, items, names, paths) and the semantic one, and combine them.

    `called` are terms that only names and paths are asked for: in a body they are syntax.
    """
    weights = weights or ViewWeights()
    of_names = {**(called or {}), **terms}
    owners = snapshot.owners
    among = scale_of(snapshot)
    words = weigh(snapshot, ask(terms))
    body = scaled(words.body, among)
    item = scaled(words.item[owners] if len(snapshot.items) else body, among)
    name = scaled(presence(snapshot, ask(of_names, NAME)), among)
    # Path terms stand on file units; all units of the file share in them.
    on_files = presence(snapshot, ask(of_names, PATH))
    by_item = np.zeros(max(len(snapshot.items), 1), dtype=np.float32)
    hits = np.flatnonzero(on_files)
    by_item[owners[hits]] = on_files[hits]
    path = scaled(by_item)[owners] if len(owners) else on_files
    near = cosines(snapshot, query)
    semantic = scaled(near, among)
    fused = (
        np.float32(weights.body) * body
        + np.float32(weights.item) * item
        + np.float32(weights.name) * name
        + np.float32(weights.path) * path
        + np.float32(weights.semantic) * semantic
    )
    fused[~snapshot.alive] = 0.0
    return Signals(body, item, name, path, semantic, near, fused, words)


def cosines(snapshot: Snapshot, query: Array | None) -> Array:
    """How near every position is to a vector, what points elsewhere as 0; 0 for all where there is no vector."""
    if query is None:
        return np.zeros(len(snapshot.alive), dtype=np.float32)
    found: Array = np.maximum(similarities(snapshot, query), 0.0)
    return found


def nearness(cosines: Array) -> Array:
    """Divided by the largest, or by what counts as near if all are further away."""
    return cosines / np.float32(max(float(cosines.max(initial=0.0)), LEAST_NEAR))


def scale_of(snapshot: Snapshot) -> Array | None:
    """Positions whose best is 1: all but what people said to agents, which repeats the very words of the task."""
    said = snapshot.sources.get("conversation")
    return snapshot.alive & ~said if said is not None else None


def scaled(scores: Array, among: Array | None = None) -> Array:
    """Divided by the largest, so that the best is 1; with `among`, the best of those, unless they have none."""
    largest = float(scores[among].max(initial=0.0)) if among is not None else 0.0
    if not largest:
        largest = float(scores.max()) if len(scores) else 0.0
    return scores / np.float32(largest) if largest > 0 else scores


def best(scores: Array, limit: int, mask: Array | None = None) -> Array:
    """Positions of the highest scores above zero, unordered among equals: callers break ties by what they can name."""
    found = np.flatnonzero(scores > 0 if mask is None else mask & (scores > 0))
    lowest_first = -scores[found]
    if len(found) > limit:
        # Everything that ties with the last one comes along, so that the cut does not depend on positions.
        keep = lowest_first <= np.partition(lowest_first, limit - 1)[limit - 1]
        found, lowest_first = found[keep], lowest_first[keep]
    return found[np.argsort(lowest_first, kind="stable")]


def best_of_items(snapshot: Snapshot, scores: Array) -> Array:
    """For every item the highest of its units."""
    highest = np.zeros(max(len(snapshot.items), 1), dtype=np.float32)
    found = np.flatnonzero(snapshot.alive & (scores > 0))
    np.maximum.at(highest, snapshot.item_of[found], scores[found])
    return highest


def ranks(scores: Array) -> Array:
    """1 for the best, falling with the logarithm of the rank; what scores nothing gets nothing; equals get the same."""
    distinct, inverse, counts = np.unique(-scores, return_inverse=True, return_counts=True)
    before = np.cumsum(counts) - counts
    return np.where(distinct < 0, 1 / np.log2(2 + before), 0.0).astype(np.float32)[inverse]
