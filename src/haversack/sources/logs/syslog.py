"""Syslog, both notations: `<34>Oct 11 22:14:15 host su[12]: …` and `<165>1 2003-10-11T22:14:15Z host app - - - …`."""

from __future__ import annotations

import re
from typing import Final

from haversack.sources.logs.severity import level_named, level_of

_OLD: Final = re.compile(
    r"(?:<(?P<priority>\d{1,3})>)?[A-Z][a-z]{2}\s{1,2}\d{1,2}\s\d\d:\d\d:\d\d\s(?P<host>\S{1,255})\s"
    r"(?P<program>[^\s\[:]{1,64}(?:\([^)]{0,40}\))?)(?:\[[^\]]{0,20}\])?:\s?"
)
_NEW: Final = re.compile(
    r"<(?P<priority>\d{1,3})>\d{1,2}\s(?:-|\d{4}-\S{1,40})\s(?P<host>\S{1,255})\s(?P<program>\S{1,48})\s\S{1,128}\s\S{1,32}\s"
    r"(?:-|\[(?:[^\]\\]|\\.){0,2000}\])\s?(?:\ufeff|BOM)?"
)


def is_syslog(line: str) -> bool:
    """Whether a line has one of the two heads."""
    return bool(_OLD.match(line) or _NEW.match(line))


def head(line: str) -> tuple[str, str]:
    """Level and message, which begins with the program's name."""
    match = _NEW.match(line) or _OLD.match(line)
    if not match:
        return level_of(line), line
    message = line[match.end() :]
    priority = match["priority"]
    level = level_named(str(int(priority) % 8)) if priority else level_of(message)
    return level, f"{match['program']}: {message}"
