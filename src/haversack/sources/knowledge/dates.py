"""Dates as people and tools write them in knowledge files."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

DAY: Final = 86_400.0
# A clock may be wrong by a day and a time zone; a date later than the file itself by more than that is a slip.
FUTURE_SLACK: Final = 2 * DAY

STAMP: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:[-T ](?:\d{6}|\d{2}:\d{2}(?::\d{2})?))?")
_NOT_DIGITS: Final = re.compile(r"\D")


def moment(text: str, written: float) -> tuple[float | None, str]:
    """The time a stamp means (UTC) and what is wrong with it; `written` is when the file was changed last."""
    match = STAMP.search(text)
    if match is None:
        return None, f"no date in {text.strip()[:40]!r}" if text.strip() else ""
    digits = _NOT_DIGITS.sub("", match[0]).ljust(14, "0")
    try:
        month, day, hour, minute, second = (int(digits[at : at + 2]) for at in range(4, 14, 2))
        when = datetime(int(digits[:4]), month, day, hour, minute, second, tzinfo=UTC).timestamp()
    except ValueError:
        return None, f"there is no {match[0]}"
    if when > written + FUTURE_SLACK:
        return None, f"{match[0]} is in the future"
    return when, ""
