"""The numbers of the two rankings, written by `training/ranking/fit.py`: the first knows nothing of what is best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType

from haversack.retrieve.learned import first, last


@dataclass(frozen=True, slots=True)
class Numbers:
    """A weight for each piece of evidence, and a layer of bends."""

    weights: Mapping[str, float]
    bends: Mapping[str, tuple[float, ...]]
    shifts: tuple[float, ...]
    heights: tuple[float, ...]


def _numbers(of: ModuleType) -> Numbers:
    return Numbers(of.WEIGHTS, of.BENDS, of.SHIFTS, of.HEIGHTS)


FIRST, LAST = _numbers(first), _numbers(last)
