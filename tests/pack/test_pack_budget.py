"""The budget: reserves off once, bad numbers named."""

from __future__ import annotations

import pytest

from haversack.errors import UsageError
from haversack.pack.budget import budget


def test_reserves_are_taken_off_once() -> None:
    assert budget(100_000, reserve_for_output=8_000, reserve_for_system=2_000).available == 90_000
    assert budget(8000).available == 8000
    assert budget(0).available == 0


@pytest.mark.parametrize(
    ("given", "tokens"),
    [("8000", 8000), (" 8_000 ", 8000), ("8,000", 8000), ("8k", 8000), ("1.5K", 1500), ("1m", 1_000_000), (8e3, 8000)],
)
def test_a_number_may_be_written_many_ways(given: object, tokens: int) -> None:
    assert budget(given).total == tokens


@pytest.mark.parametrize(
    "given", ["", "much", "8 thousand", "0.5", 0.5, float("nan"), float("inf"), None, True, [8000], "nan", "--5", "1e3"]
)
def test_what_is_not_a_number_of_tokens_is_wrong_usage(given: object) -> None:
    with pytest.raises(UsageError, match="is not a number of tokens"):
        budget(given)


@pytest.mark.parametrize("given", [-1, "-8000", -0.0 - 5])
def test_a_negative_budget_is_wrong_usage(given: object) -> None:
    with pytest.raises(UsageError, match="is negative") as caught:
        budget(given)
    assert caught.value.exit_code == 2


def test_a_bad_reserve_is_named() -> None:
    with pytest.raises(UsageError, match="reserve for output: 'x'"):
        budget(8000, reserve_for_output="x")


def test_reserves_larger_than_the_budget_are_named() -> None:
    with pytest.raises(UsageError, match=r"the reserves \(10,000 tokens\) are larger than the budget \(4,000 tokens\)"):
        budget(4000, reserve_for_output=8000, reserve_for_system=2000)
