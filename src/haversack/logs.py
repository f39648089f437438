"""Structured logs for those who run haversack in a service. Silent until `start` is called.

An event is a few words and named values: counts, durations, names. The contents of files never go in.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TextIO, TypeAlias

Field: TypeAlias = str | int | float | bool | None

LOGGER = logging.getLogger("haversack")
LOGGER.addHandler(logging.NullHandler())

LONGEST_VALUE = 200
"""Characters of one value: a path or a message fits, a file's contents do not."""


def start(verbosity: int, *, as_json: bool = False, stream: TextIO | None = None) -> None:
    """Write events to standard error: from one `-v` on what happened, from two on the details."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_JsonLines() if as_json else _Lines())
    for old in list(LOGGER.handlers):
        LOGGER.removeHandler(old)
    LOGGER.addHandler(handler)
    LOGGER.propagate = False
    LOGGER.setLevel(logging.DEBUG if verbosity > 1 else logging.INFO)


def event(message: str, /, **fields: Field) -> None:
    """Something happened."""
    _write(logging.INFO, message, fields)


def detail(message: str, /, **fields: Field) -> None:
    """Something that only matters when looking for a cause."""
    _write(logging.DEBUG, message, fields)


def warning(message: str, /, **fields: Field) -> None:
    """Something went wrong and work goes on."""
    _write(logging.WARNING, message, fields)


def error(message: str, /, **fields: Field) -> None:
    """Something went wrong and the run ends."""
    _write(logging.ERROR, message, fields)


def _write(level: int, message: str, fields: dict[str, Field]) -> None:
    if LOGGER.isEnabledFor(level):
        LOGGER.log(level, "%s", message, extra={"fields": {name: _short(value) for name, value in fields.items()}})


def _short(value: Field) -> Field:
    if isinstance(value, str):
        value = value.encode("utf-8", "backslashreplace").decode()
        return value if len(value) <= LONGEST_VALUE else f"{value[:LONGEST_VALUE]}…"
    return round(value, 6) if isinstance(value, float) else value


def _fields(record: logging.LogRecord) -> dict[str, Field]:
    return getattr(record, "fields", {})


def line(level: str, message: str, at: float, /, **fields: Field) -> str:
    """An event as a JSON object on one line: time, level, event, then the values."""
    moment = datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
    values = {name: _short(value) for name, value in fields.items()}
    return json.dumps({"time": moment, "level": level, "event": message, **values}, ensure_ascii=False)


class _JsonLines(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        return line(record.levelname.lower(), record.getMessage(), record.created, **_fields(record))


class _Lines(logging.Formatter):
    """A line for a person."""

    def format(self, record: logging.LogRecord) -> str:
        clock = datetime.fromtimestamp(record.created).strftime("%H:%M:%S.%f")[:-3]
        values = "".join(f" {name}={_shown(value)}" for name, value in _fields(record).items())
        level = "" if record.levelno <= logging.INFO else f"{record.levelname.lower()}: "
        return f"{clock} {level}{record.getMessage()}{values}"


def _shown(value: Field) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    text = str(value)
    return json.dumps(text, ensure_ascii=False) if not text.isprintable() or " " in text else text
