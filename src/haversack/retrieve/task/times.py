"""When a task speaks of: `last week`, `since 2024-03-01`, `3개월간`, `先月`, `上周`: bounds in epoch seconds."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final

from msgspec import Struct

from haversack.patterns import lazily
from haversack.retrieve.task.depth_words import TIMELY
from haversack.retrieve.task.lines import Line, Zone
from haversack.retrieve.task.vocabulary import Vocabulary, word_set

DAY: Final = timedelta(days=1)
MOST_TEXT: Final = 5_000  # characters; who means a time says so early
LONGEST_SPAN: Final = 36_500  # days; more is a slip of the pen


class Times(Struct, frozen=True):
    """The bounds, if any, and whether time is spoken of at all."""

    after: float | None = None
    before: float | None = None
    mentioned: bool = False


_NUMBERS: Final = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10, "couple": 2, "few": 3,
    "两": 2, "二": 2, "三": 3,
}  # fmt: skip
# Unit words to days, as they begin: Latin ones may take a plural, the others whatever is glued on.
_LATIN_UNITS: Final = {
    "hour": 1 / 24, "stunde": 1 / 24, "heure": 1 / 24, "hora": 1 / 24, "day": 1, "tag": 1, "jour": 1, "día": 1,
    "week": 7, "woche": 7, "semaine": 7, "semana": 7, "month": 30, "monat": 30, "mois": 30, "mes": 30, "year": 365,
    "jahr": 365, "année": 365, "an": 365, "año": 365,
}  # fmt: skip
_PLURALS: Final = frozenset({"", "s", "n", "en", "e", "es"})
_OTHER_UNITS: Final = {
    "시간": 1 / 24, "小时": 1 / 24, "時間": 1 / 24, "일": 1, "天": 1, "日": 1, "주": 7, "周": 7, "星期": 7, "个星期": 7,
    "週": 7, "개월": 30, "달": 30, "个月": 30, "月": 30, "ヶ月": 30, "か月": 30, "カ月": 30, "년": 365, "年": 365,
}  # fmt: skip
_QUANTITY: Final = lazily(
    r"(?<!\w)(\d{1,5}|a couple of|a few|an?|one|two|three|four|five|six|seven|ten|eine[mr]|une?|una) ([^\W\d_]{2,10})"
    r"|(?<![\d.])(\d{1,5}|한|两|一|二|三)\s?([^\x00-\x7f]{1,6})",
    re.IGNORECASE,
)
_LATELY_BEFORE: Final = (
    "last ", "past ", "previous ", "recent ", "letzten ", "letzte ", "vergangenen ", "derniers ", "dernières ",
    "últimos ", "últimas ", "최근", "지난", "最近", "过去", "過去", "近", "ここ",
)  # fmt: skip
_AGO_BEFORE: Final = ("vor ", "il y a ", "hace ")
_AGO_AFTER: Final = ("ago", "전", "前", "之前", "以前")

_PERIODS: Final[Mapping[str, str]] = {
    "yesterday": "yesterday gestern depuis-hier d'hier hier-soir ayer 어제 昨天 昨日",
    "today": "today heute aujourd'hui hoy 오늘 今天 今日 本日",
    "last week": "last-week previous-week letzte-woche letzten-woche letzter-woche semaine-dernière semana-pasada "
    "지난주 저번주 上周 上星期 上个星期 上週 先週",
    "this week": "this-week diese-woche cette-semaine esta-semana 이번주 本周 这周 今週",
    "last month": "last-month previous-month letzten-monat mois-dernier mes-pasado 지난달 저번달 上个月 上月 先月",
    "this month": "this-month diesen-monat ce-mois este-mes 이번달 本月 这个月 今月",
    "last year": "last-year previous-year letztes-jahr année-dernière año-pasado 작년 지난해 去年 昨年",
}
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_YEAR: Final = r"((?:19|20)\d\d)"
_MONTH: Final = r"((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6})"
_ORDINAL: Final = r"(\d{1,2})(?:st|nd|rd|th)?"
# Each with the places of year, month and day in its groups.
_DATES: Final = (
    (lazily(rf"(?<![\d.-]){_YEAR}[-/.](\d{{1,2}})[-/.](\d{{1,2}})(?![\d.-])"), (1, 2, 3)),
    (lazily(rf"\b{_MONTH}\.? {_ORDINAL},? {_YEAR}\b", re.IGNORECASE), (3, 1, 2)),
    (lazily(rf"\b{_ORDINAL}\.? {_MONTH}\.?,? {_YEAR}\b", re.IGNORECASE), (3, 2, 1)),
    (lazily(rf"\b{_MONTH}\.? {_YEAR}\b", re.IGNORECASE), (2, 1, 0)),
    (lazily(rf"{_YEAR}\s?[년年](?:\s?(\d{{1,2}})\s?[월月](?:\s?(\d{{1,2}})\s?[일日号])?)?"), (1, 2, 3)),
)
_SINCE: Final = lazily(
    r"(?:since|after|from|starting|between|zwischen|entre|seit|ab|depuis|après|desde|después de|自从|自|从)\s{0,2}$",
    re.IGNORECASE,
)
_UNTIL: Final = lazily(
    r"(?:before|until|till|up to|by|to|and|bis|vor|avant|jusqu'au|antes de|hasta|到|至)\s{0,2}$", re.IGNORECASE
)
_ON: Final = lazily(r"(?:on|in|of|during|dated|am|im|le|en|el)\s{0,2}$", re.IGNORECASE)
_SINCE_AFTER: Final = lazily(r"\s?(?:이후|부터|以来|以降|之后|以后|から|起)")
_UNTIL_AFTER: Final = lazily(r"\s?(?:이전|까지|以前|之前|まで)")


@cache
def _timely() -> Vocabulary[bool]:
    return word_set(TIMELY)


def find_times(lines: Sequence[Line], now: float | None) -> Times:
    """The time the prose speaks of; dates in code and logs do not count."""
    text = "\n".join(line.text for line in lines if line.zone in (Zone.TITLE, Zone.PROSE, Zone.HEADING))[:MOST_TEXT]
    moment = datetime.fromtimestamp(time.time() if now is None else now, UTC)
    after, before = _dates(text)
    if after is None and before is None:
        after, before = _relative(text, moment)
    mentioned = after is not None or before is not None or _timely().has(text)
    return Times(_seconds(after), _seconds(before), mentioned)


def _relative(text: str, now: datetime) -> tuple[datetime | None, datetime | None]:
    for match in _QUANTITY.finditer(text):
        span = _span(match[1] or match[3], match[2] or match[4])
        if span is None:
            continue
        before = text[max(0, match.start() - 14) : match.start()].lower()
        after = text[match.start(2) if match[2] else match.start(4) : match.end() + 6].lower()
        if before.endswith(_LATELY_BEFORE) or before.rstrip().endswith(_LATELY_BEFORE):
            return now - span, None
        if before.endswith(_AGO_BEFORE) or any(sign in after for sign in _AGO_AFTER):
            # "3 weeks ago" is about then: half as much either side.
            return now - span * 1.5, now - span * 0.5
    found = next(_periods().find(text), None)
    return _period(found[1], now) if found else (None, None)


def _span(number: str, unit: str) -> timedelta | None:
    unit = unit.lower()
    days = next((days for word, days in _OTHER_UNITS.items() if unit.startswith(word)), None)
    if days is None:
        latin = ((word, days) for word, days in _LATIN_UNITS.items() if unit.startswith(word))
        days = next((days for word, days in latin if unit[len(word) :] in _PLURALS), None)
    if days is None:
        return None
    number = number.lower().removeprefix("a ").removesuffix(" of")
    count = int(number) if number.isdigit() else _NUMBERS.get(number, 1)
    return timedelta(days=min(count * days, LONGEST_SPAN))


@cache
def _periods() -> Vocabulary[str]:
    return Vocabulary({word: name for name, words in _PERIODS.items() for word in words.split()})


def _period(name: str, now: datetime) -> tuple[datetime, datetime]:
    """First moment of a named period and the moment after its last."""
    today, monday, first = _midnight(now), _monday(now), _first(now)
    return {
        "yesterday": (today - DAY, today),
        "today": (today, today + DAY),
        "last week": (monday - 7 * DAY, monday),
        "this week": (monday, monday + 7 * DAY),
        "last month": (_first(first - DAY), first),
        "this month": (first, _first(first + 32 * DAY)),
        "last year": (_january(now.year - 1), _january(now.year)),
    }[name]


def _dates(text: str) -> tuple[datetime | None, datetime | None]:
    after = before = None
    for start, end, first, last in _named_dates(text):
        lead, tail = text[max(0, start - 16) : start], text[end : end + 6]
        if _SINCE.search(lead) or _SINCE_AFTER.match(tail):
            after = after or first
        elif _UNTIL.search(lead) or _UNTIL_AFTER.match(tail):
            before = before or (last if after else first)
        elif _ON.search(lead):
            after, before = after or first, before or last
    if after and before and after >= before:
        return before, after
    return after, before


def _named_dates(text: str) -> list[tuple[int, int, datetime, datetime]]:
    """Where each date stands and the bounds it names, in order; a day hides the month in it."""
    found: list[tuple[int, int, datetime, datetime]] = []
    for pattern, (year, month, day) in _DATES:
        for match in pattern.finditer(text):
            bounds = _bounds(match[year], match[month], match[day] if day else None)
            if bounds and not any(start < match.end() and match.start() < end for start, end, *_ in found):
                found.append((match.start(), match.end(), *bounds))
    return sorted(found)


def _bounds(year: str, month: str | None, day: str | None) -> tuple[datetime, datetime] | None:
    """First moment and the moment after the last of the day, month or year that a date names."""
    number = 1
    if month:
        number = int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1
    try:
        start = datetime(int(year), number, int(day or 1), tzinfo=UTC)
    except ValueError:
        return None
    if day:
        return start, start + DAY
    return start, _first(start + 32 * DAY) if month else _january(start.year + 1)


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _monday(moment: datetime) -> datetime:
    return _midnight(moment) - moment.weekday() * DAY


def _first(moment: datetime) -> datetime:
    return _midnight(moment).replace(day=1)


def _january(year: int) -> datetime:
    return datetime(year, 1, 1, tzinfo=UTC)


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()
