"""What stands near the best: a change seldom stops at the one file that the task's words point at.

A first ranking by words, names and history says which files are meant; here the others are asked how they are related
to those: used by them, using them, changed together with them, called like them, beside them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from haversack.index.segment import Array
from haversack.index.snapshot import Snapshot
from haversack.index.units import UnitReader
from haversack.retrieve.company import Past
from haversack.retrieve.fusion import best_of_items, ranks, scaled
from haversack.retrieve.links import best_seeds, like, linked

HALVED_AFTER: Final = 3.0  # points by which a seed may be worse than the best until its word counts half
RELATIONS: Final = frozenset(
    {
        "points", "file share", "file place", "used by the best", "using the best", "file used by the best",
        "file using the best", "like the best", "changed with the best", "called like the best", "beside the best",
    }
)  # fmt: skip
DIGITS: Final = 9  # of a share that count
CERTAIN: Final = 10.0  # points that are a column's whole length


def kin(snapshot: Snapshot, reader: UnitReader, here: Array, points: Array, past: Past) -> dict[str, Array]:
    """One column per relation, for these positions; `points` are those of the first ranking, `past` of their files."""
    owners = snapshot.item_of[here]
    files, back = np.unique(owners, return_inverse=True)
    behind = points.max() - points
    shares = np.exp(-behind)
    # The last digits of a sum depend on the order in which a project was read: equals must stay equal.
    of_files = np.round(np.bincount(back, weights=shares / shares.sum(), minlength=len(files)), DIGITS)
    told = np.zeros(len(snapshot.alive), dtype=np.float32)
    told[here] = 0.5 ** (behind / HALVED_AFTER)
    seeds = best_seeds(snapshot, told, here)
    used, using = linked(snapshot, reader, seeds, told)
    columns = {
        "points": np.maximum(1 - behind / CERTAIN, -1.0),
        "file share": of_files[back],
        "file place": ranks(of_files)[back],
        "used by the best": used[here],
        "using the best": using[here],
        "file used by the best": best_of_items(snapshot, used)[owners],
        "file using the best": best_of_items(snapshot, using)[owners],
        "like the best": like(snapshot, seeds, here),
        "changed with the best": past.together(of_files)[back],
        "called like the best": _called_alike(snapshot, files, of_files)[back],
        "beside the best": _beside(snapshot, files, of_files)[back],
    }
    return {name: np.asarray(column, dtype=np.float32) for name, column in columns.items()}


def _called_alike(snapshot: Snapshot, files: Array, shares: Array) -> Array:
    """For each file the largest share of another whose name differs in nothing but its ending or folder."""
    stems = [snapshot.items[number].key.rpartition("/")[2].partition(".")[0].lower() for number in files.tolist()]
    first: dict[str, list[float]] = {}
    for stem, share in zip(stems, shares.tolist(), strict=True):
        first.setdefault(stem, []).append(share)
    return np.asarray([_largest_but(first[stem], share) for stem, share in zip(stems, shares.tolist(), strict=True)])


def _largest_but(shares: list[float], own: float) -> float:
    others = sorted(shares, reverse=True)
    others.remove(own)
    return others[0] if others else 0.0


def _beside(snapshot: Snapshot, files: Array, shares: Array) -> Array:
    """For each file the share of the others in its folder."""
    folders = snapshot.folder_of[files]
    sums: Array = np.bincount(folders, weights=shares)[folders] - shares
    return scaled(np.maximum(sums, 0.0))
