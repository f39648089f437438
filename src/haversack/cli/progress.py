"""A progress bar on standard error: only on a terminal, and only when it takes longer than a moment."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TextIO

MOMENT = 0.5
"""Seconds before anything is drawn: what ends sooner needs no bar."""

REDRAW = 0.1
"""Seconds between two drawings: faster than that nobody reads."""

WIDTH = 30


class ProgressBar:
    """Call it with a stage, how much is done and of how much; an empty stage, or the end of its block, wipes it."""

    def __init__(self, stream: TextIO | None = None, *, moment: float = MOMENT) -> None:
        self._stream = stream or sys.stderr
        self._shows = self._stream.isatty()
        self._next = monotonic() + moment
        self._drawn = 0

    def __call__(self, stage: str, done: int, total: int) -> None:
        if not stage:
            self._clear()
        elif self._shows and monotonic() >= self._next:
            self._next = monotonic() + REDRAW
            self._draw(_line(stage, done, total, self._stream.encoding or "ascii"))

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        self._clear()

    def _clear(self) -> None:
        if self._drawn:
            self._draw("")
            self._stream.write("\r")
            self._stream.flush()

    def _draw(self, line: str) -> None:
        self._stream.write("\r" + line.ljust(self._drawn))
        self._stream.flush()
        self._drawn = len(line)


def _line(stage: str, done: int, total: int, encoding: str) -> str:
    if total <= 0:
        return f"{stage} {done:,}"
    full, empty = ("█", "░") if encoding.lower().replace("-", "").startswith("utf") else ("#", ".")
    filled = min(WIDTH, WIDTH * done // total)
    return f"{stage} {full * filled}{empty * (WIDTH - filled)} {done:,}/{total:,}"
