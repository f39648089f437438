"""Who may enter and how much of it is shown: the source's threshold decides candidacy, the tier's decides level."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from haversack.model import Level

Tier: TypeAlias = Literal["primary", "supporting", "reference", "below"]

# Seed 002; "docs" is our name for its documentation, and commits are held to the same.
SOURCE_THRESHOLDS: Mapping[str, float] = {
    "conversation": 0.3,
    "research": 0.5,
    "documentation": 0.4,
    "docs": 0.4,
    "code": 0.5,
    "deployment": 0.6,
    "environments": 0.6,
    "ci": 0.6,
    "logs": 0.7,
    "commits": 0.4,
}
OTHER_THRESHOLD = 0.3  # seed 001's minimum, for sources seed 002 does not know

# Seed 001: which level is used when.
LEVEL_OF_TIER: Mapping[Tier, Level] = {
    "primary": Level.FULL,
    "supporting": Level.DETAILED,
    "reference": Level.SUMMARY,
    "below": Level.STUB,
}


class TierThresholds(Struct, frozen=True):
    """The scores at which a candidate becomes primary, supporting, or is included at all (seed 001)."""

    primary: float = 0.7
    supporting: float = 0.5
    include: float = 0.3

    def tier(self, score: float, *, explicit: bool = False) -> Tier:
        """The tier of a score; what the task names is primary."""
        if explicit or score >= self.primary:
            return "primary"
        if score >= self.supporting:
            return "supporting"
        return "reference" if score >= self.include else "below"

    def level(self, score: float, *, explicit: bool = False) -> Level:
        """The most that is shown of a candidate with this score."""
        return LEVEL_OF_TIER[self.tier(score, explicit=explicit)]


def threshold(source: str, own: Mapping[str, float] | None = None) -> float:
    """The score a unit of that source needs; `own` overrides by source."""
    if own and source in own:
        return own[source]
    return SOURCE_THRESHOLDS.get(source, OTHER_THRESHOLD)


def is_candidate(source: str, score: float, *, explicit: bool = False, own: Mapping[str, float] | None = None) -> bool:
    """Whether a unit competes for the budget; what the task names always does."""
    return explicit or score >= threshold(source, own)
