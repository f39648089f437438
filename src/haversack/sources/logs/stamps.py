"""When a line was written, in the notations logs use; lines without a time have none."""

from __future__ import annotations

import re
from calendar import timegm
from typing import Final

HEADER_CHARS: Final = 120  # a time further along is part of the message

_NAMES: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS: Final = {name: number for number, name in enumerate(_NAMES, start=1)}
_MONTH: Final = r"(?P<month>[A-Z][a-z]{2})[a-z]*"
_CLOCK: Final = r"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)(?:[.,:](?P<part>\d{1,9}))?"
_ZONE: Final = r"\s?(?P<zone>Z|UTC|GMT|[+-]\d\d:?\d\d)?"
_NOTATIONS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        # 2026-11-16T00:36:14.123Z, 2026-11-16 00:36:14,123, 2026/11/16 00:36:14, 20261116-00:36:14
        rf"(?P<year>(?:19|20)\d\d)[-/.]?(?P<number>[01]\d)[-/.]?(?P<day>[0-3]\d)[T _-]{_CLOCK}{_ZONE}",
        # 16/Nov/2026:00:36:14 +0000, 16-Nov-2026 00:36:14
        rf"(?P<day>\d{{1,2}})[/ -]{_MONTH}[/ -](?P<year>\d{{4}})[: T]{_CLOCK}{_ZONE}",
        # Sun Dec 04 04:47:44 2005
        rf"[A-Z][a-z]{{2}} {_MONTH} {{1,2}}(?P<day>\d{{1,2}}) {_CLOCK}(?: [A-Z]{{3,4}})? (?P<year>\d{{4}})",
        # Nov 16 00:36:14
        rf"{_MONTH} {{1,2}}(?P<day>\d{{1,2}}) {_CLOCK}",
        # 11/16/2026 00:36:14
        rf"(?P<number>[01]?\d)/(?P<day>[0-3]?\d)/(?P<year>\d{{4}})[ T,]+{_CLOCK}{_ZONE}",
        # 1763253374, 1763253374.123, 1763253374123
        r"(?:^|(?<=[\s\[=:\"]))(?P<epoch>1[0-9]{9})(?P<thousandths>\d{3})?(?:\.(?P<part>\d{1,9}))?(?=$|[\s\]\",}])",
    )
)


def time_of(line: str, year: int) -> float | None:
    """Seconds since 1970 of the first time in a line's head; `year` is meant where a notation leaves it out."""
    head = line[:HEADER_CHARS]
    best: tuple[int, re.Match[str]] | None = None
    for notation in _NOTATIONS:
        match = notation.search(head)
        if match and (best is None or match.start() < best[0]):
            best = (match.start(), match)
            if match.start() < 3:
                break
    return _seconds(best[1].groupdict(), year) if best else None


def time_said(value: object, year: int) -> float | None:
    """Seconds since 1970 of a field's value: text, or a number of seconds, milli-, micro- or nanoseconds."""
    if isinstance(value, str):
        if value.replace(".", "", 1).isdecimal() and len(value) < 32:
            return _scaled(float(value))
        return time_of(value, year)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _scaled(float(value))
    return None


def _scaled(number: float) -> float | None:
    for unit in (1.0, 1e3, 1e6, 1e9):
        if 1e8 <= number / unit < 1e10:
            return number / unit
    return None


def _seconds(said: dict[str, str | None], year: int) -> float | None:
    part = float(f"0.{said['part']}") if said.get("part") else 0.0
    if said.get("epoch"):
        return int(said["epoch"] or 0) + (int(said["thousandths"] or 0) / 1e3) + part
    month = _MONTHS.get((said.get("month") or "").lower()) or int(said.get("number") or 0)
    day, hour, minute, second = (int(said[name] or 0) for name in ("day", "hour", "minute", "second"))
    if not (1 <= month <= 12 and 1 <= day <= 31 and hour < 24 and minute < 60 and second <= 60):
        return None
    whole = timegm((int(said.get("year") or year), month, day, hour, minute, second))
    return whole + part - _offset(said.get("zone"))


def _offset(zone: str | None) -> int:
    if not zone or zone[0] not in "+-":
        return 0
    digits = zone[1:].replace(":", "")
    return (1 if zone[0] == "+" else -1) * (int(digits[:2]) * 3600 + int(digits[2:]) * 60)
