"""Cut text that has no syntax known here into blocks, at blank lines where there are some."""

from __future__ import annotations

from collections.abc import Sequence

LEAST_LINES = 40
MOST_LINES = 60  # a screen: enough to be understood, little enough to be about one thing
MOST_CHARACTERS = 8_000  # of one block, so that records on long lines are not lumped together


def blocks(lines: Sequence[str], first: int, last: int, most: int) -> list[tuple[int, int]]:
    """Spans that cover lines `first` to `last`, at most `most` of them: what is too long gets longer blocks."""
    if most <= 0 or first > last:
        return []
    room = -(-(last - first + 1) // most)  # lines per block below which there would be too many
    spans: list[tuple[int, int]] = []
    start = first
    while start <= last:
        end = _end(lines, start, last, max(MOST_LINES, room)) if len(spans) + 1 < most else last
        spans.append((start, end))
        start = end + 1
    return spans


def _end(lines: Sequence[str], start: int, last: int, longest: int) -> int:
    """The last line of the block that begins at `start`."""
    limit = min(last, start + longest - 1)
    if longest == MOST_LINES:
        limit = _within_characters(lines, start, limit)
    if limit == last:
        return last
    for end in range(limit, start + longest * LEAST_LINES // MOST_LINES - 1, -1):
        if not lines[end - 1].strip():
            return end
    return limit


def _within_characters(lines: Sequence[str], start: int, limit: int) -> int:
    left = MOST_CHARACTERS
    for line in range(start, limit + 1):
        left -= len(lines[line - 1]) + 1
        if left < 0:
            return max(start, line - 1)
    return limit
