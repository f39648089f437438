"""One number in 0..1 from named factors, under any profile."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from haversack.errors import ConfigError
from haversack.model import Level, Role, Status, Unit
from haversack.score import (
    CONFIDENCE_OF_TIER,
    FACTORS,
    PROFILES,
    Features,
    TierThresholds,
    explain,
    factors_of,
    is_candidate,
    profile,
    profile_from_table,
    score,
    threshold,
)
from haversack.score.profiles import RECENCY

DAY = 86_400.0
STATUSES = (Status.LIVE, Status.STALE, Status.SUPERSEDED)
UNIT = Unit("u", "code", "function", "f", "text")

FEATURES = st.builds(
    Features,
    source=st.sampled_from([*RECENCY, "other"]),
    keyword=st.floats(),
    hits=st.integers(-2, 100),
    semantic=st.none() | st.floats(),
    age_seconds=st.none() | st.floats(-1e9, 1e12),
    mentions=st.integers(0, 10**6),
    depth=st.none() | st.integers(-1, 99),
    role=st.sampled_from(Role),
    explicit=st.booleans(),
    importance=st.none() | st.floats(),
    confidence=st.none() | st.floats(),
    changes=st.floats(0, 1e9),
    status=st.sampled_from(Status),
)


def value(features: Features, name: str) -> float:
    return score(UNIT, features, profile(name)).score


@settings(max_examples=300, deadline=None)
@given(FEATURES, st.sampled_from(sorted(PROFILES)))
def test_every_score_and_every_factor_is_in_0_to_1(features: Features, name: str) -> None:
    scored = score(UNIT, features, profile(name))
    assert 0.0 <= scored.score <= 1.0
    assert all(0.0 <= factor <= 1.0 for factor in scored.factors.values())
    assert set(scored.factors) <= set(FACTORS)
    assert scored.explicit is features.explicit


@settings(deadline=None)
@given(FEATURES, st.sampled_from(sorted(PROFILES)))
def test_an_explanation_adds_up_to_the_score(features: Features, name: str) -> None:
    by = profile(name)
    points = min(1.0, sum(part.points for part in explain(features, by)))
    assert math.isclose(points * by.status.get(features.status, 1.0), score(UNIT, features, by).score, abs_tol=1e-9)


@pytest.mark.parametrize(
    ("days", "hits", "expected"),
    [(0, 3, 2.0), (7, 0, 1.0), (8, 1, 0.7 + 1 / 3), (30, 2, 0.7 + 2 / 3), (31, 9, 1.4), (90, 0, 0.4), (91, 0, 0.2)],
)
def test_ctx_is_recency_in_steps_plus_hits_over_three(days: int, hits: int, expected: float) -> None:
    features = Features("decisions", age_seconds=days * DAY, hits=hits, keyword=0.123, semantic=0.9)
    assert value(features, "ctx") == pytest.approx(expected / 2)


def test_ctx_gives_superseded_entries_nothing() -> None:
    assert value(Features("decisions", age_seconds=0, hits=9, status=Status.SUPERSEDED), "ctx") == 0.0


def test_ctx_takes_an_entry_without_a_date_for_an_old_one() -> None:
    assert value(Features("decisions"), "ctx") == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("semantic", "hits", "hours", "named"),
    [(0.5, 2, 24.0, False), (0.9, 9, None, False), (0.2, 0, 400.0, True), (1.0, 5, 0.0, True), (0.0, 0, None, False)],
)
def test_ringmaster_is_the_seeds_sum_capped_at_one(
    semantic: float, hits: int, hours: float | None, named: bool
) -> None:
    expected = semantic * 0.4 + min(hits / 5, 1.0) * 0.3
    expected += 0.0 if hours is None else max(0.0, 1 - hours / 168) * 0.2
    expected = min(expected + (0.3 if named else 0.0), 1.0)
    age = None if hours is None else hours * 3600
    features = Features("logs", semantic=semantic, hits=hits, age_seconds=age, explicit=named)
    assert value(features, "ringmaster") == pytest.approx(expected)


def test_aiwg_weighs_its_five_factors() -> None:
    features = Features("code", keyword=0.5, semantic=1.0, age_seconds=7 * DAY, mentions=3, depth=1, role=Role.TEST)
    assert value(features, "aiwg") == pytest.approx(0.4 * 0.75 + 0.2 * 0.5 + 0.2 * 0.5 + 0.1 * 0.75 + 0.1 * 0.9)


@pytest.mark.parametrize(
    ("role", "priority"),
    [(Role.SOURCE, 1.0), (Role.TEST, 0.9), (Role.REQUIREMENTS, 0.8), (Role.DOCS, 0.7), (Role.CONFIG, 0.6)],
)
def test_aiwg_has_the_file_type_priorities_of_its_seed(role: Role, priority: float) -> None:
    assert factors_of(Features("code", role=role), profile("aiwg"))["file_type"] == priority


def test_clams_prefers_confirmed_experiences() -> None:
    by_tier = [
        value(Features("experiences", semantic=0.6, confidence=confidence), "clams")
        for confidence in CONFIDENCE_OF_TIER.values()
    ]
    assert by_tier == sorted(by_tier, reverse=True)
    assert len(set(by_tier)) == 4


def test_clams_prefers_important_memories_and_recent_ones() -> None:
    plain = Features("memories", semantic=0.6, importance=0.2, age_seconds=90 * DAY)
    assert value(replace(plain, importance=0.9), "clams") > value(plain, "clams")
    assert value(replace(plain, age_seconds=DAY), "clams") > value(plain, "clams")


@pytest.mark.parametrize(("depth", "expected"), [(0, 1.0), (1, 0.75), (2, 0.5), (3, 0.25), (4, 0.0), (None, 0.0)])
def test_dependency_depth_falls_by_a_quarter_a_step(depth: int | None, expected: float) -> None:
    assert factors_of(Features("code", depth=depth), profile("default"))["dependency_depth"] == expected


@pytest.mark.parametrize(("method", "expected"), [("keyword", 0.2), ("semantic", 0.8), ("hybrid", 0.35)])
def test_the_method_selects_what_alignment_means(method: str, expected: float) -> None:
    by = profile_from_table("mine", {"method": method, "semantic_share": 0.25})
    features = Features("code", keyword=0.2, semantic=0.8)
    assert factors_of(features, by)["task_alignment"] == pytest.approx(expected)


@pytest.mark.parametrize("method", ["keyword", "semantic", "hybrid"])
def test_alignment_is_by_keywords_when_vectors_did_not_answer(method: str) -> None:
    by = profile_from_table("mine", {"method": method})
    assert factors_of(Features("code", keyword=0.4), by)["task_alignment"] == pytest.approx(0.4)


def test_recency_is_fast_for_logs_and_nearly_flat_for_decisions() -> None:
    def fresh(source: str) -> float:
        factor = factors_of(Features(source, age_seconds=30 * DAY), profile("default"))["recency"]
        assert factor is not None
        return factor

    assert fresh("logs") < fresh("conversation") < fresh("code") < fresh("docs") < fresh("decisions")
    assert fresh("decisions") > 0.98


@given(st.floats(0, 1e11), st.floats(0, 1e11), st.sampled_from([*RECENCY, "other"]), st.sampled_from(sorted(PROFILES)))
def test_what_is_newer_never_scores_less(one: float, other: float, source: str, name: str) -> None:
    newer, older = sorted((one, other))
    young = value(Features(source, keyword=0.5, age_seconds=newer), name)
    assert young >= value(Features(source, keyword=0.5, age_seconds=older), name)


def test_what_the_task_names_scores_higher_and_passes_every_threshold() -> None:
    named, other = Features("logs", keyword=0.3, explicit=True), Features("logs", keyword=0.3)
    assert value(named, "default") == pytest.approx(value(other, "default") + 0.3)
    assert is_candidate("logs", 0.0, explicit=True)
    assert TierThresholds().level(0.0, explicit=True) is Level.FULL


def test_code_that_is_named_is_where_the_ranking_puts_it() -> None:
    named, other = (Features("code", keyword=0.9, ranked=0.4, explicit=named) for named in (True, False))
    assert value(named, "default") == value(other, "default")
    assert value(named, "default") < value(Features("code", keyword=0.1, ranked=0.8), "default")
    assert value(named, "ringmaster") > value(other, "ringmaster"), "the seeds' formulas do not know the ranking"


def test_stale_units_count_less_and_superseded_ones_not_at_all() -> None:
    live, stale, superseded = (value(Features("docs", keyword=0.8, status=status), "default") for status in STATUSES)
    assert live > stale > superseded == 0.0


def test_a_factor_that_does_not_apply_neither_helps_nor_hurts() -> None:
    with_none = Features("experiences", semantic=0.6, age_seconds=0)
    at_the_mean = Features("experiences", semantic=0.6, age_seconds=0, confidence=value(with_none, "clams"))
    assert value(at_the_mean, "clams") == pytest.approx(value(with_none, "clams"))
    assert "confidence" not in score(UNIT, with_none, profile("clams")).factors


@pytest.mark.parametrize(
    ("source", "least"),
    [
        ("conversation", 0.3),
        ("research", 0.5),
        ("documentation", 0.4),
        ("docs", 0.4),
        ("code", 0.5),
        ("deployment", 0.6),
        ("logs", 0.7),
        ("commits", 0.4),
        ("something else", 0.3),
    ],
)
def test_each_source_has_its_threshold(source: str, least: float) -> None:
    assert threshold(source) == least
    assert is_candidate(source, least)
    assert not is_candidate(source, least - 0.01)
    assert is_candidate(source, 0.1, own={source: 0.1})


@pytest.mark.parametrize(
    ("number", "tier", "level"),
    [
        (0.7, "primary", Level.FULL),
        (0.69, "supporting", Level.DETAILED),
        (0.5, "supporting", Level.DETAILED),
        (0.3, "reference", Level.SUMMARY),
        (0.29, "below", Level.STUB),
    ],
)
def test_the_tier_decides_the_level(number: float, tier: str, level: Level) -> None:
    assert TierThresholds().tier(number) == tier
    assert TierThresholds().level(number) is level


def test_a_users_profile_changes_what_it_names_and_keeps_the_rest() -> None:
    mine = profile_from_table(
        "mine",
        {
            "extends": "aiwg",
            "weights": {"task_alignment": 3, "file_type": 1},
            "hits_for_full": 4,
            "method": "keyword",
            "max_depth": 1,
            "file_types": {"test": 0.1},
            "decay_days": {"logs": 2},
        },
    )
    assert mine.name == "mine"
    features = Features("code", hits=2, role=Role.TEST)
    assert score(UNIT, features, mine).score == pytest.approx((3 * 0.5 + 0.1) / 4)
    assert mine.curve("logs")(2 * DAY) == pytest.approx(0.5)
    assert mine.curve("code") == profile("aiwg").curve("code")
    assert factors_of(Features("code", depth=2), mine)["dependency_depth"] == 0.0


def test_one_decay_for_every_source_is_a_number() -> None:
    mine = profile_from_table("mine", {"decay_days": 10})
    assert mine.curve("logs")(10 * DAY) == mine.curve("docs")(10 * DAY) == pytest.approx(0.5)


def test_own_weights_drop_the_divisor_of_the_seed() -> None:
    mine = profile_from_table("mine", {"extends": "ctx", "weights": {"task_alignment": 5}})
    assert score(UNIT, Features("code", hits=3), mine).score == 1.0


@pytest.mark.parametrize(
    ("entries", "message", "hint"),
    [
        ({"wieghts": {}}, "unknown key 'wieghts'", "did you mean 'weights'"),
        ({"weights": {"recencey": 1}}, "weights: unknown key 'recencey'", "did you mean 'recency'"),
        ({"weights": {"zzz": 1}}, "unknown key 'zzz'", "known: change_history"),
        ({"weights": 3}, "weights: 3 is not a table", "table"),
        ({"weights": {"recency": "much"}}, r"weights\.recency: 'much' is not a number", "0 or more"),
        ({"weights": {"recency": True}}, r"weights\.recency: True is not a number", "0 or more"),
        ({"weights": {"recency": -1}}, r"weights\.recency: -1 is out of range", "0 or more"),
        ({"weights": {"recency": float("nan")}}, "nan is not a number", "0 or more"),
        ({"weights": {"explicit": 1}}, "no factor has a weight", "task_alignment"),
        ({"extends": "defualt"}, r"extends: unknown name 'defualt'", "did you mean 'default'"),
        ({"method": "vectors"}, "method: unknown name 'vectors'", "hybrid"),
        ({"method": 3}, "method: unknown name 3", "hybrid"),
        ({"semantic_share": 1.5}, "1.5 is out of range", "from 0 to 1"),
        ({"max_depth": 1.5}, "1.5 is not a whole number", "whole number of 0 or more"),
        ({"hits_for_full": 0}, "0 is out of range", "1 or more"),
        ({"decay_days": 0}, "0 is out of range", "or more"),
        ({"decay_days": "week"}, "'week' is not a table", "table"),
        ({"file_types": {"tests": 1}}, "unknown key 'tests'", "did you mean 'test'"),
    ],
)
def test_a_slip_in_a_users_profile_is_named(entries: dict[str, object], message: str, hint: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        profile_from_table("mine", entries)
    assert "profile 'mine'" in caught.value.message
    assert hint in caught.value.hint


def test_an_unknown_profile_is_named() -> None:
    with pytest.raises(ConfigError, match="unknown name 'ringmastr'") as caught:
        profile("ringmastr")
    assert "did you mean 'ringmaster'" in caught.value.hint


def test_where_the_ranking_speaks_its_word_weighs_more_than_in_a_profile_of_the_users_own() -> None:
    ranked = Features("code", keyword=0.1, ranked=1.0, role=Role.TEST, changes=0)
    assert value(ranked, "default") > 0.93
    parts = {part.factor: part for part in explain(ranked, profile("default"))}
    assert parts["task_alignment"].points == pytest.approx(value(ranked, "default"), abs=0.07)
    own = profile_from_table("mine", {"weights": {"task_alignment": 1.0, "file_type": 1.0}})
    assert score(UNIT, ranked, own).score < value(ranked, "default")
