"""What stands near the best: a change seldom stops at the one file that the task's words point at.

A first ranking by words, names and history says which files are meant; here the others are asked how they are related
to those: used by them, using them, speaking of the same rare things, changed together with them, called like them,
beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from haversack.index.prepare import USES
from haversack.index.segment import Array
from haversack.index.snapshot import Snapshot
from haversack.index.terms import term_hash
from haversack.index.units import UnitReader
from haversack.retrieve.company import Past
from haversack.retrieve.fusion import best_of_items, ranks, scaled
from haversack.retrieve.links import best_seeds, like, linked
from haversack.retrieve.own_past import OwnPast

HALVED_AFTER: Final = 3.0  # points by which a seed may be worse than the best until its word counts half
RELATIONS: Final = frozenset(
    {
        "points", "file share", "file place", "used by the best", "using the best", "file used by the best",
        "file using the best", "like the best", "changed with the best", "piece changed with the best",
        "called like the best", "beside the best", "sharing names", "file sharing names", "next to the best",
        "file next", "ending share", "top share", "part share", "part share of others", "deep part share",
        "deep part share of others", "above share of others",
    }
)  # fmt: skip
DIGITS: Final = 9  # of a share that count
CERTAIN: Final = 10.0  # points that are a column's whole length
RARE: Final = 40  # pieces that use a name; one that more of them use says little
NEXT: Final = ((1, 1.0), (2, 0.7), (3, 0.5))  # how many pieces away in its file, and what that counts


def kin(
    snapshot: Snapshot, reader: UnitReader, here: Array, points: Array, past: Past, own_past: OwnPast
) -> dict[str, Array]:
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
    sharing = _sharing_names(snapshot, reader, seeds, told)
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
        "piece changed with the best": own_past.together(behind),
        "called like the best": _called_alike(snapshot, files, of_files)[back],
        "beside the best": _beside(snapshot, files, of_files)[back],
        **{name: column[back] for name, column in _parts(snapshot, files, of_files).items()},
        "sharing names": scaled(sharing[here]),
        "file sharing names": scaled(best_of_items(snapshot, sharing)[owners]),
        "next to the best": _next_to(snapshot, told)[here],
        "file next": _best_of_others(back, told[here]),
    }
    return {name: np.asarray(column, dtype=np.float32) for name, column in columns.items()}


def _sharing_names(snapshot: Snapshot, reader: UnitReader, seeds: Sequence[int], told: Array) -> Array:
    """For every position what the rare names count that it uses and a seed, another one, uses, too."""
    using: dict[str, list[int]] = {}
    for seed, unit in zip(seeds, reader.at(seeds), strict=True):  # the best come first
        for name in dict.fromkeys(unit.refs):
            using.setdefault(name, []).append(seed)
    names = sorted(using)
    found = np.zeros(len(snapshot.alive), dtype=np.float64)
    for name, (users, _) in zip(names, snapshot.postings([term_hash(name, USES) for name in names]), strict=True):
        if 1 < len(users) <= RARE:
            rarity = 1 - np.log(len(users)) / np.log(snapshot.count + 1)
            best, *others = using[name]
            found[users] += rarity * told[best]
            found[best] += rarity * ((told[others[0]] if others else 0.0) - told[best])
    return np.round(found, DIGITS).astype(np.float32)


def _next_to(snapshot: Snapshot, told: Array) -> Array:
    """For every position the best of those that stand just before and after it in its file."""
    found = np.zeros_like(told)
    owners = snapshot.item_of
    for step, counts in NEXT:
        same = np.where(owners[step:] == owners[:-step], np.float32(counts), np.float32(0.0))
        found[step:] = np.maximum(found[step:], same * told[:-step])
        found[:-step] = np.maximum(found[:-step], same * told[step:])
    return found


def _best_of_others(groups: Array, scores: Array) -> Array:
    """For each the best of the others in its group; groups are numbered from 0."""
    order = np.lexsort((-scores, groups))
    begins = np.append(True, groups[order][1:] != groups[order][:-1])
    first = order[begins]  # the best of each group, in the order of the groups
    found: Array = scores[first][groups].copy()
    second = np.zeros(len(first), dtype=scores.dtype)
    after = np.flatnonzero(begins) + 1
    there = (after < len(order)) & ~np.append(begins, True)[after]
    second[there] = scores[order[after[there]]]
    found[first] = second
    return found


def _called_alike(snapshot: Snapshot, files: Array, shares: Array) -> Array:
    """For each file the largest share of another whose name differs in nothing but its ending or folder."""
    stems = [snapshot.items[number].key.rpartition("/")[2].partition(".")[0].lower() for number in files.tolist()]
    numbers: dict[str, int] = {}
    return _best_of_others(np.asarray([numbers.setdefault(stem, len(numbers)) for stem in stems]), shares)


def _parts(snapshot: Snapshot, files: Array, shares: Array) -> dict[str, Array]:
    """For each file what those have together that end like it, or stand in the same part of the project."""
    paths = [snapshot.items[number].key.split("/") for number in files.tolist()]
    parts, deep, above = (
        [path[:-1][:2] for path in paths],
        [path[:-1][:3] for path in paths],
        [path[:-2] for path in paths],
    )
    of_part, of_deep, of_above = (_together(each, shares) for each in (parts, deep, above))
    return {
        "ending share": _together([path[-1].rpartition(".")[2:] for path in paths], shares),
        "top share": _together([path[:-1][:1] for path in paths], shares),
        "part share": of_part,
        "part share of others": np.maximum(of_part - shares, 0.0),
        "deep part share": of_deep,
        "deep part share of others": np.maximum(of_deep - shares, 0.0),
        "above share of others": np.maximum(of_above - shares, 0.0),
    }


def _together(groups: Sequence[Sequence[str]], shares: Array) -> Array:
    """For each file the sum of the shares of all in its group."""
    numbers: dict[tuple[str, ...], int] = {}
    group_of = np.asarray([numbers.setdefault(tuple(each), len(numbers)) for each in groups])
    # The last digits of a sum depend on the order: equals must stay equal.
    sums: Array = np.round(np.bincount(group_of, weights=shares)[group_of], DIGITS)
    return sums


def _beside(snapshot: Snapshot, files: Array, shares: Array) -> Array:
    """For each file the share of the others in its folder."""
    folders = snapshot.folder_of[files]
    sums: Array = np.bincount(folders, weights=shares)[folders] - shares
    return scaled(np.maximum(sums, 0.0))
