"""What is shown in detail can show a few lines more, true to the source or not at all."""

from __future__ import annotations

import pytest
from level_cases import count

from haversack.pack.levels.extend import extend

SOURCE = (
    "def total(prices):\n    kept = []\n    for price in prices:\n        kept.append(price)\n\n    return sum(kept)\n"
)
DETAILED = "def total(prices):\n    # … lines 8-10 elided\n    return sum(kept)"


def more(shown: str, room: int, source: str = SOURCE) -> str | None:
    made = extend(shown, source, 7, count(shown) + room, count, lang="python")
    return made.text if made else None


def test_lines_come_back_from_the_top_and_the_mark_says_what_is_left() -> None:
    assert more(DETAILED, 5) == "def total(prices):\n    kept = []\n    # … lines 9-10 elided\n    return sum(kept)"


def test_with_room_for_all_the_mark_is_gone() -> None:
    made = extend(DETAILED, SOURCE, 7, 500, count, lang="python")
    assert made is not None
    assert "elided" not in made.text
    assert made.share == 1.0
    assert made.tokens == count(made.text)


def test_what_does_not_fit_stays_out() -> None:
    assert more(DETAILED, 0) is None


def test_a_lone_bracket_or_quote_is_not_worth_a_line() -> None:
    source = 'def f():\n    """\n    A docstring of several words, longer than the room there is.\n    """\n'
    assert more("def f():\n    # … lines 8-10 elided", 4, source) is None


@pytest.mark.parametrize(
    "shown",
    [
        "def total(prices):\n    # … lines 80-90 elided\n    return sum(kept)",  # not lines of this text
        "def total(prices):\n    # … lines 10-8 elided\n    return sum(kept)",
        "def total(prices):\n    # … lines 9-10 elided\n    return sum(kept)",  # line 8 is nowhere
        "def total(costs):\n    # … lines 8-10 elided\n    return sum(kept)",  # not its words
        "Sums prices. … Returns the sum.",
        "def total(prices):",
    ],
)
def test_a_text_that_is_not_lines_and_marks_stays_as_it_is(shown: str) -> None:
    assert more(shown, 100) is None
