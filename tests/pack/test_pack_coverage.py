"""What showing one thing already shows of another."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from pack_cases import candidate, section

from haversack.model import Candidate, Level, Rung, Span
from haversack.pack.coverage import neighbours, shown_share
from haversack.pack.hull import Item
from haversack.pack.select import arrange, select

CLASS = candidate("class", (500, 0.9), path="a.py", span=(1, 100), score=0.9)
EARLY = candidate("early", (90, 0.6), path="a.py", span=(11, 30), score=0.8)
LATE = candidate("late", (90, 0.6), path="a.py", span=(81, 100), score=0.7)
TWIN = candidate("twin", (500, 0.5), path="b.py", span=(1, 100), score=0.6)
ELSEWHERE = candidate("elsewhere", (90, 0.5), path="b.py", span=(200, 220), score=0.5)


def items(*given: Candidate) -> dict[str, Item]:
    made, _ = arrange(given, [section()])
    return {item.candidate.id: item for item in made}


def excerpt_of(one: Candidate, start: int, end: int, level: Level = Level.FULL) -> Rung:
    return replace(one.ladder[0], span=Span(start, end), level=level, truncated=True)


@pytest.mark.parametrize(
    ("lines", "early", "late"),
    [((1, 100), 1.0, 1.0), ((1, 60), 1.0, 0.0), ((1, 20), 0.5, 0.0), ((1, 90), 1.0, 0.5), ((1, 5), 0.0, 0.0)],
)
def test_an_excerpt_shows_what_is_in_its_lines(lines: tuple[int, int], early: float, late: float) -> None:
    found = items(CLASS, EARLY, LATE)
    shown = excerpt_of(CLASS, *lines)
    near = dict(neighbours(list(found.values()), {})[found["class"].rank])
    for name, share in (("early", early), ("late", late)):
        other = found[name]
        assert shown_share(shown, found["class"], other, near[other.rank]) == pytest.approx(share)


def test_a_line_missing_at_the_end_is_no_difference() -> None:
    found = items(CLASS, candidate("method", (400, 0.6), path="a.py", span=(1, 100 - 1)))
    assert shown_share(excerpt_of(CLASS, 1, 98), found["class"], found["method"], 1.0) == 1.0


def test_half_of_a_text_shows_half_of_its_twin() -> None:
    found = items(CLASS, TWIN)
    alike = {"class": {"twin": 0.8}}
    near = dict(neighbours(list(found.values()), alike)[found["class"].rank])
    share = near[found["twin"].rank]
    assert shown_share(CLASS.ladder[0], found["class"], found["twin"], share) == pytest.approx(0.8)
    assert shown_share(excerpt_of(CLASS, 1, 50), found["class"], found["twin"], share) == pytest.approx(0.4)


@pytest.mark.parametrize("level", [Level.DETAILED, Level.SUMMARY, Level.STUB])
def test_lines_that_are_elided_show_nothing_of_others(level: Level) -> None:
    found = items(CLASS, EARLY)
    assert shown_share(excerpt_of(CLASS, 1, 100, level), found["class"], found["early"], 1.0) == 0.0


def test_other_lines_of_a_file_are_no_neighbours() -> None:
    found = items(TWIN, ELSEWHERE)
    assert neighbours(list(found.values()), {}) == {}


PARTS = (
    candidate("one", (90, 0.9), path="a.py", span=(1, 20), score=0.9),
    candidate("two", (80, 0.8), path="a.py", span=(21, 40), score=0.8),
)


@pytest.mark.parametrize(
    ("cost", "first", "cap", "chosen"),
    [
        (150, "good", 1_000, {"whole"}),
        (171, "good", 1_000, {"one", "two"}),  # it costs more
        (150, "better", 1_000, {"one", "two"}),  # a part stands in a better section
        (150, "last", 140, {"one", "two"}),  # its section may not spend so much
    ],
)
def test_what_costs_no_more_than_its_parts_takes_their_place(cost: int, first: str, cap: int, chosen: set[str]) -> None:
    # It scores too little to be chosen for itself.
    whole = candidate("whole", (cost, 0.01), path="a.py", span=(1, 40), score=0.1, section="good")
    parts = [replace(PARTS[0], section=first), replace(PARTS[1], section="good")]
    sections = [section("better"), section("good", threshold=0.5, cap=cap), section("last")]
    selection = select([whole, *parts], sections, 1_000)
    assert {each.candidate.id for each in selection.chosen} == chosen
    shown = {each.candidate.id: {one.id for one in each.shows} for each in selection.chosen}
    assert shown.get("whole", {"one", "two"}) == {"one", "two"}


def test_what_its_parts_show_together_is_not_shown_again() -> None:
    whole = candidate("whole", (300, 0.9), path="a.py", span=(1, 40), score=0.9)
    other = candidate("other", (300, 0.1), path="b.py", span=(1, 40), score=0.2)
    made = select([whole, *PARTS, other], [section()], 500)
    assert {each.candidate.id for each in made.chosen} == {"one", "two", "other"}
    assert {each.id: each.reason for each in made.omitted} == {"whole": "duplicate of several others"}


def test_what_its_parts_show_only_half_of_may_come_as_well() -> None:
    whole = candidate("whole", (300, 0.9), path="a.py", span=(1, 80), score=0.9)
    made = select([whole, *PARTS], [section()], 1_000)
    assert "whole" in {each.candidate.id for each in made.chosen}


def test_what_shows_something_is_named_even_where_it_took_the_place_of_what_showed_it_before() -> None:
    method = candidate("method", (10, 0.5), path="a.py", span=(11, 15), score=0.9)
    inner = candidate("inner", (40, 0.6), path="a.py", span=(11, 40), score=0.8)
    made = select([method, inner, CLASS], [section()], 600)
    assert [(each.candidate.id, sorted(one.id for one in each.shows)) for each in made.chosen] == [
        ("class", ["inner", "method"])
    ]
    assert {each.id: each.reason for each in made.omitted} == dict.fromkeys(("inner", "method"), "duplicate of class")
