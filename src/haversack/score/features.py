"""What scoring needs to know about a unit: raw numbers that retrieval fills in."""

from __future__ import annotations

from dataclasses import dataclass

from haversack.model import Role, Status

# Seed 004 orders the tiers gold > silver > bronze > abandoned without numbers; the spacing is our choice.
CONFIDENCE_OF_TIER = {"gold": 1.0, "silver": 0.8, "bronze": 0.5, "abandoned": 0.2}


@dataclass(frozen=True, slots=True)
class Features:
    """One unit's raw numbers for one task.

    `keyword` is the IDF-weighted share of the task's terms, `hits` their plain number (the seeds' formulas count them),
    `semantic` the similarity, None when that view did not answer. `depth` is the distance in the dependency graph to
    what the task names; None, like anything past the profile's depth, means no link. `importance` and `confidence` are
    None where the source has no such thing: they then neither help nor hurt. `changes` is how often the unit changed,
    older changes counting less.
    """

    source: str
    keyword: float = 0.0
    hits: int = 0
    semantic: float | None = None
    age_seconds: float | None = None
    mentions: int = 0
    depth: int | None = None
    role: Role = Role.SOURCE
    explicit: bool = False
    importance: float | None = None
    confidence: float | None = None
    changes: float = 0.0
    status: Status = Status.LIVE
