"""Days a question names, with or without a year."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from haversack.recall.dates import Day, named_days, nearness
from haversack.recall.question import names, question


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("what happened on 8 May?", (Day(5, 8),)),
        ("on May 8th, 2023", (Day(5, 8, 2023),)),
        ("the 3rd of October 2022", (Day(10, 3, 2022),)),
        ("since 2024-03-01", (Day(3, 1, 2024),)),
        ("in March", (Day(3),)),
        ("June 2023", (Day(6, None, 2023),)),
        ("5월 8일에", (Day(5, 8),)),
        ("2023年5月8日", (Day(5, 8, 2023),)),
        ("it may march on", ()),
        ("version 1.2.3 of 45 May", (Day(5),)),
        ("2024-13-45", ()),
        ("nothing", ()),
    ],
)
def test_days_are_read(text: str, days: tuple[Day, ...]) -> None:
    assert named_days(text) == days


def at(year: int, month: int, day: int) -> float:
    return datetime(year, month, day, 12, tzinfo=UTC).timestamp()


def test_the_day_itself_fits_best_and_the_days_after_less() -> None:
    may = (Day(5, 8),)
    fits = [nearness(may, at(2023, 5, day)) for day in (8, 12, 20, 30)]
    assert fits == [1.0, 0.6, 0.3, 0.0]
    assert nearness((Day(12, 31),), at(2024, 1, 2)) == 0.6
    assert nearness((Day(5, 8, 2022),), at(2023, 5, 8)) == 0.0


def test_a_month_fits_its_days_and_a_little_the_next() -> None:
    assert [nearness((Day(12),), at(2023, month, 3)) for month in (12, 1, 3)] == [0.6, 0.25, 0.0]


def test_what_has_no_day_fits_nothing() -> None:
    assert nearness((Day(5, 8),), None) == nearness((), 0.0) == nearness((Day(5, 8),), 1e30) == 0.0
    assert nearness((Day(2, 30),), at(2023, 3, 1)) == 0.0


def test_words_that_ask_are_not_asked_about() -> None:
    asked = question("What kind of music did Ann mention?", speakers=["ann"])
    assert len(asked.words) == 1
    assert not asked.asks_when
    assert question("When did it start?").asks_when
    assert question("언제 시작했나").asks_when


def test_a_question_of_nothing_but_asking_words_keeps_them() -> None:
    assert question("tell, describe").words


def test_names_are_words_and_pairs_of_words() -> None:
    assert "ann smith" in names("What did Ann Smith's dog do?")
    assert "ann" in names("Ann's dog")
