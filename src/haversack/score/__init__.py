"""From raw numbers to one score in 0..1 made of named factors. Pure: nothing here reads or writes."""

from __future__ import annotations

from msgspec import Struct

from haversack.model import FACTORS, Features, Scored, Unit
from haversack.score import factors as _factors
from haversack.score.factors import CONFIDENCE_OF_TIER, weights_for
from haversack.score.profiles import PROFILES, Method, Profile, profile, profile_from_table
from haversack.score.thresholds import SOURCE_THRESHOLDS, TierThresholds, is_candidate, threshold

__all__ = [
    "CONFIDENCE_OF_TIER",
    "FACTORS",
    "PROFILES",
    "SOURCE_THRESHOLDS",
    "Features",
    "Method",
    "Part",
    "Profile",
    "TierThresholds",
    "explain",
    "factors_of",
    "is_candidate",
    "profile",
    "profile_from_table",
    "score",
    "threshold",
    "total",
]

_FUNCTIONS = tuple((name, getattr(_factors, name)) for name in FACTORS)


class Part(Struct, frozen=True):
    """One line of an explanation: a factor, its value, its weight, and the points it adds to the score."""

    factor: str
    value: float | None
    weight: float
    points: float


def score(unit: Unit, features: Features, by: Profile) -> Scored:
    """The unit with its score under a profile and the factors that made it."""
    values = factors_of(features, by)
    shown = {name: value for name, value in values.items() if value is not None}
    return Scored(unit, total(values, features, by), shown, explicit=features.explicit)


def factors_of(features: Features, by: Profile) -> dict[str, float | None]:
    """Every factor in 0..1; None where it does not apply to this unit."""
    return {name: function(features, by) for name, function in _FUNCTIONS}


def total(values: dict[str, float | None], features: Features, by: Profile) -> float:
    """The score of these factors: their weighted mean plus the bonus for being named, capped at 1."""
    points = weight_sum = 0.0
    weights = weights_for(features, by)
    for name, weight in weights.items():
        value = values[name]
        if value is None or name == "explicit":
            continue
        points += weight * value
        weight_sum += weight
    base = points / (weight_sum if by.scale is None else by.scale) if weight_sum else 0.0
    bonus = weights.get("explicit", 0.0) * (values["explicit"] or 0.0)
    return min(1.0, base + bonus) * by.status.get(features.status, 1.0)


def explain(features: Features, by: Profile) -> tuple[Part, ...]:
    """What each factor adds, in points that sum to the score before the cap and before a status lowers it."""
    values = factors_of(features, by)
    weights = weights_for(features, by)
    weighed = {name: weights.get(name, 0.0) for name in FACTORS}
    applies = sum(weighed[name] for name in FACTORS if values[name] is not None and name != "explicit")
    divisor = by.scale if by.scale is not None else applies or 1.0
    parts = []
    for name in FACTORS:
        value, weight = values[name], weighed[name]
        share = 1.0 if name == "explicit" else divisor
        parts.append(Part(name, value, weight, 0.0 if value is None else weight * value / share))
    return tuple(parts)
