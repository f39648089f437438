"""The fewest items that cover what any of them covers."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from haversack.receipt.cover import fewest


def sets(*rows: str) -> list[frozenset[int]]:
    return [frozenset(map(int, row)) for row in rows]


def test_one_item_that_covers_all_is_enough() -> None:
    assert fewest(sets("01", "12", "13")) == ((1,), (1, 1, 1))


def test_greed_would_take_three_where_two_do() -> None:
    # Item 0 covers four of six, but 1 and 2 cover them all between them.
    found, _ = fewest(sets("01", "01", "02", "02", "1", "2"))
    assert found == (1, 2)


def test_what_nothing_covers_has_no_item() -> None:
    assert fewest([frozenset(), frozenset({3})]) == ((3,), (None, 3))
    assert fewest([]) == ((), ())


def test_of_equals_the_earlier_is_taken() -> None:
    assert fewest(sets("45", "45"))[0] == (4,)


@given(st.lists(st.frozensets(st.integers(0, 6), min_size=1), max_size=7))
def test_no_smaller_set_exists(covered: list[frozenset[int]]) -> None:
    found, each = fewest(covered)
    assert all(item in one and item in found for item, one in zip(each, covered, strict=True))
    for size in range(len(found)):
        for other in combinations(range(7), size):
            assert any(one.isdisjoint(other) for one in covered)
