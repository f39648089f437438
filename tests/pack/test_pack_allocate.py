"""The allocator: floors kept, caps held, nothing lost, nothing invented."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from haversack.model import Section
from haversack.pack.allocate import NO_CAP, allocate


def section(name: str, weight: float, floor: int = 0, cap: int = NO_CAP) -> Section:
    return Section(name, name.title(), floor, weight, cap)


@st.composite
def section_lists(draw: st.DrawFn) -> list[Section]:
    made = []
    for number in range(draw(st.integers(1, 6))):
        floor = draw(st.integers(0, 500))
        cap = draw(st.just(NO_CAP) | st.integers(0, 2000).map(lambda extra, floor=floor: floor + extra))
        made.append(section(f"s{number}", draw(st.sampled_from([0, 0.1, 1, 2, 3, 50])), floor, cap))
    return made


@given(section_lists(), st.integers(-5, 20_000), st.none() | st.lists(st.integers(0, 4000), min_size=6, max_size=6))
def test_sums_are_whole_within_limits_and_complete(
    sections: list[Section], available: int, wanted: list[int] | None
) -> None:
    demand = None if wanted is None else {s.name: want for s, want in zip(sections, wanted, strict=False)}
    got = allocate(sections, available, demand)
    room = max(0, available)
    limits = {s.name: min(s.cap, NO_CAP if demand is None else demand[s.name]) for s in sections}
    floors = {s.name: min(s.floor, limits[s.name]) for s in sections}
    assert all(isinstance(tokens, int) and 0 <= tokens <= limits[name] for name, tokens in got.items())
    assert sum(got.values()) <= room
    if sum(floors.values()) <= room:
        assert all(got[name] >= floor for name, floor in floors.items())
        usable = sum(limits[s.name] if s.weight > 0 else floors[s.name] for s in sections)
        assert sum(got.values()) == min(room, usable)


@given(section_lists(), st.integers(0, 20_000), st.integers(0, 5000))
def test_more_to_share_never_gives_a_section_less(sections: list[Section], available: int, more: int) -> None:
    before, after = allocate(sections, available), allocate(sections, available + more)
    # Rounding may move a single token between sections.
    assert all(after[name] >= before[name] - 1 for name in before)


def test_weights_are_shares() -> None:
    shares = allocate(
        [section("primary", 50), section("supporting", 30), section("reference", 15), section("history", 5)], 90_000
    )
    assert shares == {"primary": 45_000, "supporting": 27_000, "reference": 13_500, "history": 4_500}


def test_what_a_section_does_not_need_goes_to_the_others_by_weight() -> None:
    sections = [section("a", 2), section("b", 1), section("c", 1)]
    assert allocate(sections, 1000, {"a": 100, "b": 9000, "c": 9000}) == {"a": 100, "b": 450, "c": 450}
    assert allocate(sections, 1000, {"a": 9000, "b": 50, "c": 0}) == {"a": 950, "b": 50, "c": 0}


def test_a_cap_sends_the_rest_on() -> None:
    assert allocate([section("a", 9, cap=100), section("b", 1)], 1000) == {"a": 100, "b": 900}


def test_a_floor_comes_before_the_shares() -> None:
    assert allocate([section("a", 1, floor=600), section("b", 9)], 1000) == {"a": 600, "b": 400}


def test_floors_that_do_not_fit_shrink_together() -> None:
    assert allocate([section("a", 1, floor=600), section("b", 1, floor=300)], 300) == {"a": 200, "b": 100}


def test_a_section_without_weight_gets_its_floor() -> None:
    assert allocate([section("rules", 0, floor=100), section("b", 1)], 1000) == {"rules": 100, "b": 900}


def test_nothing_to_share_is_shared_as_nothing() -> None:
    assert allocate([section("a", 1), section("b", 1)], 0) == {"a": 0, "b": 0}
    assert allocate([section("a", 0)], 100) == {"a": 0}
    assert allocate([], 100) == {}
