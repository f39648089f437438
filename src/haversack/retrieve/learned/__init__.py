"""The numbers of the rankings, written by `training/ranking/fit.py`: the first knows nothing of what is best.

The last is the mean of two that saw other examples and so err in other places: one of many projects, one of fewer whose
examples see the very past that comes before them, and more of the evidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from msgspec import Struct

from haversack.retrieve.learned import first, fresh, last


class Numbers(Struct, frozen=True, eq=False):
    """A weight for each piece of evidence, and a layer of bends."""

    weights: Mapping[str, float]
    bends: Mapping[str, tuple[float, ...]]
    shifts: tuple[float, ...]
    heights: tuple[float, ...]


def mean(one: Numbers, other: Numbers) -> Numbers:
    """The ranking whose points are the mean of both: all bends of the two, each half as high."""
    no_bends, none_of_other = (0.0,) * len(one.shifts), (0.0,) * len(other.shifts)
    bent = dict.fromkeys((*one.bends, *other.bends))
    return Numbers(
        {
            name: (one.weights.get(name, 0.0) + other.weights.get(name, 0.0)) / 2
            for name in dict.fromkeys((*one.weights, *other.weights))
        },
        {name: (*one.bends.get(name, no_bends), *other.bends.get(name, none_of_other)) for name in bent},
        (*one.shifts, *other.shifts),
        tuple(height / 2 for height in (*one.heights, *other.heights)),
    )


def _numbers(of: ModuleType) -> Numbers:
    return Numbers(of.WEIGHTS, of.BENDS, of.SHIFTS, of.HEIGHTS)


FIRST, LAST = _numbers(first), mean(_numbers(last), _numbers(fresh))
