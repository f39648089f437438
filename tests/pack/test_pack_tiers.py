"""Shelves are stocked within the budget: whole entries first, titles for the rest, nothing wasted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from haversack.pack.tiers import Note, Shelf, Taken, stock, take


def shelf(name: str, costs: list[int], share: float | None = None) -> Shelf:
    return Shelf(name, tuple(Note(f"{name}{n}", cost, min(cost, 3)) for n, cost in enumerate(costs)), share, 5, 2)


def test_everything_is_taken_when_it_fits_whatever_the_caps() -> None:
    shelves = [shelf("tasks", [50, 20], 0.4), shelf("decisions", [10])]
    taken = stock(shelves, 100, 5)
    assert taken == {"tasks": Taken(("tasks0", "tasks1"), (), 75), "decisions": Taken(("decisions0",), (), 15)}


def test_caps_hold_when_others_need_the_room() -> None:
    shelves = [shelf("tasks", [20] * 20, 0.4), shelf("decisions", [20] * 20), shelf("learnings", [20] * 20)]
    taken = stock(shelves, 400, 0)
    assert taken["tasks"].tokens <= 160
    assert sum(each.tokens for each in taken.values()) >= 0.95 * 400


def test_what_one_shelf_cannot_use_another_gets() -> None:
    shelves = [shelf("tasks", [20] * 50, 0.4), shelf("decisions", [10])]
    taken = stock(shelves, 400, 0)
    assert taken["tasks"].tokens > 160
    assert sum(each.tokens for each in taken.values()) >= 0.9 * 400


def test_the_best_are_whole_and_the_rest_are_titles() -> None:
    taken = take(shelf("decisions", [30, 30, 30, 30]), 80)
    assert taken == Taken(("decisions0", "decisions1"), ("decisions2", "decisions3"), 73)
    assert take(shelf("decisions", [30, 30]), 60) == Taken(("decisions0",), ("decisions1",), 40)


def test_nothing_is_taken_where_nothing_fits() -> None:
    assert take(shelf("decisions", [30]), 6) == Taken()
    assert stock([shelf("decisions", []), shelf("tasks", [], 0.4)], 10, 20) == {
        "decisions": Taken(),
        "tasks": Taken(),
    }


@given(
    st.lists(st.integers(1, 60), max_size=12),
    st.lists(st.integers(1, 60), max_size=12),
    st.lists(st.integers(1, 60), max_size=12),
    st.integers(0, 400),
    st.integers(0, 100),
)
def test_the_budget_is_never_exceeded(
    tasks: list[int], decisions: list[int], learnings: list[int], budget: int, fixed: int
) -> None:
    shelves = [shelf("tasks", tasks, 0.4), shelf("decisions", decisions), shelf("learnings", learnings)]
    taken = stock(shelves, budget, fixed)
    assert sum(each.tokens for each in taken.values()) <= max(0, budget - fixed)
    for each in shelves:
        prices = {note.id: note for note in each.notes}
        got = taken[each.name]
        cost = sum(prices[name].full for name in got.full) + sum(prices[name].brief for name in got.brief)
        frame = each.frame if got.full or got.brief else 0
        assert got.tokens == cost + frame + (each.also if got.brief else 0)
        assert not set(got.full) & set(got.brief)
