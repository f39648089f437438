"""Records of structured formats as lines of text, so that one way of counting serves all formats."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from haversack.sources.logs.severity import level_named, level_of

SEPARATOR = "\x1f"


class Record(Struct, frozen=True):
    """One record: the time as it is written, its level, what it says, and a stack trace it carries."""

    time: str
    level: str
    message: str
    stack: str = ""

    def line(self) -> bytes:
        """The record as one line that `head` takes apart."""
        plain = self.message.replace("\n", " ").replace(SEPARATOR, " ")
        level = level_named(self.level) or self.level[:20]
        return f"{self.time[:40]}{SEPARATOR}{level}{SEPARATOR}{plain}".replace("\n", " ").encode("utf-8", "replace")


class Piece(Struct):
    """Part of a log, ready to be counted: lines, where they stand, how they look in the file, and traces in them."""

    lines: list[bytes] = field(default_factory=list)
    numbers: Sequence[int] = ()
    originals: Sequence[bytes] | None = None
    stacks: list[tuple[int, str, str]] = field(default_factory=list)
    """Line, time and text of every trace that stands inside a record."""
    broken: list[int] = field(default_factory=list)
    """Lines that are not what their format asks for."""


def head(line: str) -> tuple[str, str]:
    """Level and message of a line made from a record; any other line as plain text."""
    parts = line.split(SEPARATOR, 2)
    if len(parts) < 3:
        return level_of(line), line
    return level_named(parts[1]) or level_of(parts[2]), parts[2]
