"""A project's past changes as labelled examples: these words, those files."""

from __future__ import annotations

import numpy as np

from haversack.index import relational
from haversack.index.segment import Array
from haversack.index.snapshot import Snapshot
from haversack.index.units import UnitReader
from haversack.retrieve.fusion import best, scaled

SIMILAR_COMMITS = 40  # past changes whose files are taken as a hint


def changed_before(snapshot: Snapshot, reader: UnitReader, scores: Array) -> Array:
    """For every item how much it was part of the past changes that score highest, 0..1."""
    found = np.zeros(max(len(snapshot.items), 1), dtype=np.float32)
    commits = snapshot.sources.get("commits")
    if commits is None:
        return found
    near = best(scores, SIMILAR_COMMITS, commits)[: 2 * SIMILAR_COMMITS].tolist()
    units = reader.at(near)
    largest = max((float(scores[p]) for p in near), default=1.0)
    for position, unit in sorted(zip(near, units, strict=True), key=lambda pair: pair[1].id):
        files = unit.meta.get("files")
        if isinstance(files, tuple) and 0 < len(files) <= relational.LARGE_COMMIT:
            for path in files:
                item = snapshot.positions_by_key.get(path)
                if item is not None:
                    found[item] += float(scores[position]) / largest / len(files) ** 0.5
    return scaled(found)


def by_folder(snapshot: Snapshot, scores: Array) -> Array:
    """For every item the scores of its folder's items together, 1 for the best folder."""
    folders = snapshot.folder_of
    sums = np.bincount(folders, weights=scores[: len(folders)])
    return scaled(sums.astype(np.float32))[folders]
