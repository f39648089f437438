"""A moment as people type it: a date, or how long ago."""

from __future__ import annotations

import re
from datetime import datetime
from time import time

import click

HOURS = {"h": 1, "d": 24, "w": 24 * 7, "m": 24 * 30, "y": 24 * 365}
_AGO = re.compile(r"(\d{1,6})\s*([hdwmy])", re.IGNORECASE)


class _Moment(click.ParamType[float]):
    """Seconds since 1970 from `2026-01-31`, `2026-01-31T12:00` or `7d`."""

    name = "when"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        text = str(value).strip()
        ago = _AGO.fullmatch(text)
        if ago:
            return time() - int(ago[1]) * HOURS[ago[2].lower()] * 3600
        try:
            return datetime.fromisoformat(text).timestamp()
        except (ValueError, OverflowError, OSError):
            self.fail(f"{text!r} is no date such as 2026-01-31 and no time such as 12h, 7d, 3w, 6m, 1y", param, ctx)


MOMENT = _Moment()
