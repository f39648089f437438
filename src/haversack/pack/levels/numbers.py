"""Line numbers in front of lines."""

from __future__ import annotations

from collections.abc import Sequence


def numbered_line(number: int, line: str, width: int) -> str:
    """The line with its number before it: `  41| text`."""
    return f"{number:>{width}}| {line}" if line else f"{number:>{width}}|"


def numbered_lines(lines: Sequence[str], first: int, last: int) -> list[str]:
    """All lines with their numbers, wide enough for number `last`."""
    width = len(str(last))
    return [numbered_line(number, line, width) for number, line in enumerate(lines, first)]
