"""Times as agents write them: ISO 8601, seconds, milliseconds, microseconds."""

from __future__ import annotations

import math
from datetime import UTC, datetime

# Seconds reach this in the year 5138 and milliseconds passed it in 1973.
_LARGEST_SECONDS = 1e11
_LARGEST_MILLISECONDS = 1e14


def seconds(value: object) -> float | None:
    """The time since the epoch; None for what is no time. Times without a zone are taken as UTC."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _number(float(value))
    if not isinstance(value, str) or not 6 <= len(value) <= 40:
        return None
    try:
        found = datetime.fromisoformat(value.strip())
    except ValueError:
        try:
            return _number(float(value))
        except ValueError:
            return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def written(when: float | None) -> str:
    """The time as messages show it, to the minute, in UTC; empty when it is not known."""
    if when is None:
        return ""
    return datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%d %H:%M")


def _number(value: float) -> float | None:
    if not math.isfinite(value) or value <= 0:
        return None
    if value > _LARGEST_MILLISECONDS:
        value /= 1e6
    elif value > _LARGEST_SECONDS:
        value /= 1e3
    return value if value < _LARGEST_SECONDS else None
