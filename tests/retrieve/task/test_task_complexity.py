"""Complexity follows seed 003: five factors, its weights, its k, its thresholds, in any script."""

from __future__ import annotations

import pytest

from haversack.retrieve.task.complexity import Complexity, depth, entities, measure, strategy, words
from haversack.retrieve.task.lines import read_lines


def complexity(text: str, temporal: bool = False) -> Complexity:
    return measure(read_lines(text), (), temporal)


def test_the_seeds_examples() -> None:
    simple = complexity("JWT란?")
    assert simple.score <= 0.15
    assert strategy(simple.score) == "simple"
    deep = complexity("이 프로젝트의 인증 시스템 전체 아키텍처와 최근 3개월간 변경 이력", temporal=True)
    assert deep.score >= 0.8
    assert strategy(deep.score) == "complex"


def test_the_score_is_the_weighted_sum_of_its_factors() -> None:
    found = complexity("Compare the cache and the queue across all services", temporal=True)
    weights = {"length": 0.2, "entities": 0.25, "temporal": 0.2, "multi_hop": 0.25, "scope": 0.1}
    assert found.score == pytest.approx(sum(weights[name] * value for name, value in found.factors.items()), abs=1e-3)
    assert found.factors["multi_hop"] == found.factors["scope"] == found.factors["temporal"] == 1.0


def test_everything_at_once_is_one() -> None:
    text = (
        "Why do all the API, cache, queue, router and session tests fail in every module of the whole system today " * 2
    )
    assert complexity(text, temporal=True).score == 1.0


@pytest.mark.parametrize(
    ("score", "k", "plan"), [(0.0, 10, "simple"), (0.1, 13, "simple"), (0.3, 19, "standard"), (0.8, 34, "complex")]
)
def test_depth_and_strategy(score: float, k: int, plan: str) -> None:
    assert depth(score) == k
    assert strategy(score) == plan


def test_depth_stays_in_bounds() -> None:
    assert depth(-1.0) == 5
    assert depth(9.0) == 50


def test_length_is_measured_in_comparable_words() -> None:
    english = words("the authentication system of this project fails")
    assert words("本项目的认证系统出现了错误") == pytest.approx(english, rel=0.25)
    assert words("이 프로젝트의 인증 시스템 오류") == pytest.approx(english, rel=0.25)
    assert words("") == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the database and its caches", {"databas", "cach"}),
        ("사용자의 세션을 서버에서", {"사용자", "세션", "서버"}),
        ("数据库与缓存", {"数据库", "缓存"}),
        ("ルーターの認証", {"ルーター", "認証"}),
        ("we moved to Postgres over TLS", {"postgres", "tls"}),
    ],
)
def test_entities_are_found_in_plain_sentences(text: str, expected: set[str]) -> None:
    assert expected <= entities(text, ())


def test_names_count_as_entities() -> None:
    assert entities("", ["fooBar", "FOOBAR"]) == {"foobar"}


def test_pasted_code_does_not_deepen_a_question() -> None:
    plain = complexity("Rename it")
    assert complexity("Rename it\n```\n" + "all the cache and queue because of why\n" * 30 + "```") == plain
