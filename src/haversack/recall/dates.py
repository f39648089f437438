"""Days that a question names, with or without a year, and how near a memory's own day is to them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Final

from msgspec import Struct

MOST_TEXT: Final = 2_000  # characters; who asks about a day says so early
MOST_DATES: Final = 8

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = (
    r"(january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
)
_DAY: Final = r"(\d{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?:,?\s(?:of\s)?((?:19|20)\d\d))?"
# Each with the places of year, month and day in its groups. A day hides the month in it, so days stand first.
_PATTERNS: Final = (
    (re.compile(r"(?<![\d.-])((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?![\d.-])"), (1, 2, 3)),
    (re.compile(rf"\b{_DAY}\s(?:of\s)?{_MONTH}{_YEAR}", re.IGNORECASE), (3, 2, 1)),
    (re.compile(rf"\b{_MONTH}\s{_DAY}(?!\d){_YEAR}", re.IGNORECASE), (3, 1, 2)),
    (re.compile(r"(?:((?:19|20)\d\d)\s?[년年]\s?)?(\d{1,2})\s?[월月](?:\s?(\d{1,2})\s?[일日号])?"), (1, 2, 3)),
    (re.compile(rf"\b{_MONTH}{_YEAR}", re.IGNORECASE), (2, 1, 0)),
)
# "may" and "march" are months only where a sentence would have one.
_VERBS: Final = frozenset({"may", "march", "mar"})
_BEFORE_MONTH: Final = re.compile(
    r"(?:\b(?:in|of|during|since|until|before|after|by|last|this|next|early|late|mid))[\s-]$", re.I
)

SAME_DAY, WEEK_AFTER, FORTNIGHT, SAME_MONTH, MONTH_AFTER = 1.0, 0.6, 0.3, 0.6, 0.25
"""People speak of an event on the day or soon after: how much each tells, set with the weights in `weights.py`."""


class Day(Struct, frozen=True):
    """A day or month somebody named; `year` and `day` are None where they did not say."""

    month: int
    day: int | None = None
    year: int | None = None


def named_days(text: str) -> tuple[Day, ...]:
    """The days and months the text names, in the order they stand."""
    text = text[:MOST_TEXT]
    taken: list[tuple[int, int]] = []
    found: list[tuple[int, Day]] = []
    for pattern, (year, month, day) in _PATTERNS:
        for match in pattern.finditer(text):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            made = _day(match[year], match[month], match[day] if day else None)
            if made is not None and (made.day or _is_month(text, match)):
                taken.append(match.span())
                found.append((match.start(), made))
    return tuple(each for _, each in sorted(found, key=lambda pair: pair[0]))[:MOST_DATES]


def _is_month(text: str, match: re.Match[str]) -> bool:
    if match[0].lower().split()[0] not in _VERBS:
        return True
    return bool(_BEFORE_MONTH.search(text[max(0, match.start() - 12) : match.start()])) or match[0][0].isupper()


def _day(year: str | None, month: str, day: str | None) -> Day | None:
    number = int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1
    if not 1 <= number <= 12 or (day and not 1 <= int(day) <= 31):
        return None
    return Day(number, int(day) if day else None, int(year) if year else None)


def nearness(days: Sequence[Day], moment: float | None) -> float:
    """How well a moment (seconds since 1970) fits the days named: 1 on the day, less in the days after, else 0."""
    if not days or moment is None:
        return 0.0
    try:
        when = datetime.fromtimestamp(moment, UTC).date()
    except (OverflowError, ValueError, OSError):
        return 0.0
    return max(_fits(each, when) for each in days)


def _fits(named: Day, when: date) -> float:
    if named.day is None:
        months = (when.year - (named.year or when.year)) * 12 + when.month - named.month
        if named.year is None:
            months %= 12
        return SAME_MONTH if months == 0 else MONTH_AFTER if months == 1 else 0.0
    best = 0.0
    for year in (named.year,) if named.year else (when.year - 1, when.year, when.year + 1):
        try:
            apart = (when - date(year, named.month, named.day)).days
        except ValueError:  # the 30th of February
            continue
        fit = SAME_DAY if apart == 0 else WEEK_AFTER if 0 < apart <= 7 else FORTNIGHT if -3 <= apart <= 14 else 0.0
        best = max(best, fit)
    return best
