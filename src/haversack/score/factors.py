"""The named factors, each a pure function from raw numbers to 0..1. None means the factor does not apply."""

from __future__ import annotations

from collections.abc import Mapping

from haversack.model import Features
from haversack.score.profiles import Profile

# How many mentions, or changes, are worth half of the factor. Every further one adds less: the hundredth mention of a
# central module says no more about this task than the tenth.
HALF_MENTIONS = 3.0
HALF_CHANGES = 3.0
# Seed 004 orders the tiers gold > silver > bronze > abandoned without numbers; the spacing is our choice.
CONFIDENCE_OF_TIER = {"gold": 1.0, "silver": 0.8, "bronze": 0.5, "abandoned": 0.2}


def task_alignment(features: Features, profile: Profile) -> float:
    """How directly the unit bears on the task, by the profile's method; keywords alone when vectors did not answer."""
    if features.ranked is not None and is_ranked(features, profile):
        return clamp(features.ranked)
    if profile.hits_for_full is None:
        keyword = clamp(features.keyword)
    else:
        keyword = min(1.0, max(0, features.hits) / profile.hits_for_full)
    if profile.method == "keyword" or features.semantic is None:
        return keyword
    semantic = clamp(features.semantic)
    if profile.method == "semantic":
        return semantic
    return profile.semantic_share * semantic + (1.0 - profile.semantic_share) * keyword


def is_ranked(features: Features, profile: Profile) -> bool:
    """Whether the fitted ranking speaks for the unit under this profile."""
    return profile.ranked and profile.method == "hybrid" and features.ranked is not None


def weights_for(features: Features, profile: Profile) -> Mapping[str, float]:
    """What each factor counts for this unit."""
    if profile.ranked_alignment is None or not is_ranked(features, profile):
        return profile.weights
    return {**profile.weights, "task_alignment": profile.ranked_alignment}


def recency(features: Features, profile: Profile) -> float:
    """How fresh the unit is on its source's curve."""
    return clamp(profile.curve(features.source)(features.age_seconds))


def mention_density(features: Features, _: Profile) -> float:
    """How often the project mentions the unit, saturating."""
    return _saturate(features.mentions, HALF_MENTIONS)


def dependency_depth(features: Features, profile: Profile) -> float:
    """1 for what the task names, less with every step of the dependency graph, 0 past the profile's depth."""
    depth = features.depth
    if depth is None or depth > profile.max_depth:
        return 0.0
    return 1.0 - max(0, depth) / (profile.max_depth + 1)


def file_type(features: Features, profile: Profile) -> float:
    """The priority of the file's role."""
    return profile.file_types.get(features.role, 0.0)


def importance(features: Features, _: Profile) -> float | None:
    """What its author said it matters; does not apply where no author says so."""
    return None if features.importance is None else clamp(features.importance)


def confidence(features: Features, _: Profile) -> float | None:
    """How far the record was confirmed; does not apply where nothing is confirmed."""
    return None if features.confidence is None else clamp(features.confidence)


def change_history(features: Features, _: Profile) -> float:
    """How much the unit changes, saturating."""
    return _saturate(features.changes, HALF_CHANGES)


def explicit(features: Features, profile: Profile) -> float:
    """Whether the task names the unit. What is ranked gets no bonus for it: issues name much they do not mean.

    With seed 002's bonus on top, the changed file of a development issue was among the first five for .75, without for
    .87. Being named still opens every threshold.
    """
    return 1.0 if features.explicit and not is_ranked(features, profile) else 0.0


def clamp(value: float) -> float:
    """The value in 0..1; what is not a number is 0."""
    # A comparison with NaN is false, so it falls through both bounds to 0.
    return 1.0 if value >= 1.0 else value if value > 0.0 else 0.0


def _saturate(amount: float, half: float) -> float:
    return amount / (amount + half) if amount > 0 else 0.0
