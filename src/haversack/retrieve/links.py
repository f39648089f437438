"""What a few of the best pieces lead to: what they use, what uses them, what means the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from haversack.index import relational
from haversack.index.segment import Array
from haversack.index.semantic import vectors
from haversack.index.snapshot import Snapshot
from haversack.index.units import UnitReader

SEEDS = 15  # best pieces whose callers and callees are looked up
MOST_CALLERS = 60  # a name that more places use points at none of them


def best_seeds(snapshot: Snapshot, scores: Array, here: Array) -> list[int]:
    """The best of these positions; of equals those that stand first in the project, in whatever order it was read."""
    order = np.argsort(-scores[here], kind="stable")
    least = scores[here[order[min(SEEDS, len(order)) - 1]]] if len(order) else 0.0
    near = here[scores[here] >= least].tolist()
    return sorted(near, key=lambda p: (-float(scores[p]), snapshot.place(p)))[:SEEDS]


def linked(snapshot: Snapshot, reader: UnitReader, seeds: Sequence[int], scores: Array) -> tuple[Array, Array]:
    """For every position the best score of a seed that uses it, and of one that it uses."""
    used, using = (np.zeros(len(snapshot.alive), dtype=np.float32) for _ in range(2))
    units = reader.at(seeds)
    callers = relational.users(snapshot, [unit.name for unit in units])
    for seed, unit, targets, users in zip(seeds, units, relational.uses_of(snapshot, units), callers, strict=True):
        score = float(scores[seed])
        known = users if unit.name and len(users) <= MOST_CALLERS else []
        for column, found in ((used, [p for each in targets.values() for p in each]), (using, known)):
            others = [p for p in found if p != seed]
            column[others] = np.maximum(column[others], score)
    return used, using


def like(snapshot: Snapshot, seeds: Sequence[int], here: Array) -> Array:
    """How near in meaning each of these positions is to the middle of the seeds."""
    if not seeds or not snapshot.coarse_vectors.shape[1]:
        return np.zeros(len(here), dtype=np.float32)
    middle = vectors(snapshot, np.asarray(seeds, dtype=np.int64)).sum(axis=0)
    length = float(np.sqrt((middle * middle).sum())) or 1.0
    found: Array = np.maximum(np.einsum("ij,j->i", vectors(snapshot, here), middle / np.float32(length)), 0.0)
    return found
