"""Recency curves: from an age in seconds to 0..1. Recency orders; no curve may exclude by itself."""

from __future__ import annotations

import math
from typing import Protocol

from msgspec import Struct

DAY = 86_400.0


class Curve(Protocol):
    """Turns an age into freshness."""

    def __call__(self, age_seconds: float | None) -> float: ...


class HalfLife(Struct, frozen=True):
    """Halves every `days` down to `floor`; `unknown` when there is no date."""

    days: float
    floor: float = 0.0
    unknown: float = 0.5

    def __call__(self, age_seconds: float | None) -> float:
        """Freshness in 0..1."""
        if age_seconds is None:
            return self.unknown
        # Ages from the future (a clock that runs ahead) are simply fresh.
        return self.floor + (1.0 - self.floor) * math.exp2(-max(0.0, age_seconds) / (self.days * DAY))


class Steps(Struct, frozen=True):
    """A fixed value up to each number of whole days, `older` after the last."""

    steps: tuple[tuple[int, float], ...]
    older: float

    def __call__(self, age_seconds: float | None) -> float:
        """Freshness in 0..1; no date counts as old."""
        if age_seconds is not None:
            for days, value in self.steps:
                if age_seconds // DAY <= days:
                    return value
        return self.older


class Linear(Struct, frozen=True):
    """Falls in a straight line to nothing after `days`; no date counts as nothing."""

    days: float

    def __call__(self, age_seconds: float | None) -> float:
        """Freshness in 0..1."""
        if age_seconds is None:
            return 0.0
        return min(1.0, max(0.0, 1.0 - age_seconds / (self.days * DAY)))
