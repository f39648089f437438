"""A document cut along its headings: each piece has its lines, its heading path, and the piece it stands in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from haversack.sources.docs.headings import Heading, fence_end, headings

LONGEST_PART: Final = 120  # lines; a section past this is several pieces, so that one of them can be shown in full
PART_SLACK: Final = 20  # a tail this short stays with the part before it
DEEPEST: Final = 12  # headings of reStructuredText can nest without end; deeper ones stay at this depth
PATH_SEPARATOR: Final = " > "


class Piece(Struct, frozen=True):
    """Lines `first`..`last` (0-based, both ends included) under a heading; `path` is empty above the first one.

    `parent` is the index of the enclosing heading's first piece, -1 at the top. `part` counts from 1.
    """

    first: int
    last: int
    path: tuple[str, ...]
    level: int
    parent: int
    part: int = 1
    parts: int = 1

    @property
    def label(self) -> str:
        """The heading path as a reader writes it."""
        return PATH_SEPARATOR.join(self.path)


def pieces(lines: Sequence[str], lang: str, start: int = 0) -> list[Piece]:
    """The document in order. The first piece is what stands before the first heading, even when that is nothing."""
    found = headings(lines, lang, start)
    top = found[0].first if found else len(lines)
    cut = _parts(lines, Piece(0, top - 1, (), 0, -1))
    open_headings: list[tuple[Heading, int]] = []
    for number, heading in enumerate(found):
        while open_headings and open_headings[-1][0].level >= heading.level:
            open_headings.pop()
        del open_headings[DEEPEST - 1 :]
        parent = open_headings[-1][1] if open_headings else -1
        path = (*(above.title for above, _ in open_headings), heading.title)
        open_headings.append((heading, len(cut)))
        last = found[number + 1].first - 1 if number + 1 < len(found) else len(lines) - 1
        cut += _parts(lines, Piece(heading.first, last, path, heading.level, parent))
    return cut


def _parts(lines: Sequence[str], piece: Piece) -> list[Piece]:
    """The piece, or several of bearable length that break between paragraphs."""
    starts = part_starts(lines, piece.first, piece.last)
    ends = [*(start - 1 for start in starts[1:]), piece.last]
    return [
        Piece(start, end, piece.path, piece.level, piece.parent, number, len(starts))
        for number, (start, end) in enumerate(zip(starts, ends, strict=True), 1)
    ]


def part_starts(lines: Sequence[str], first: int, last: int) -> list[int]:
    """Where the parts of these lines begin; one when they are few."""
    starts = [first]
    if last - first + 1 <= LONGEST_PART + PART_SLACK:
        return starts
    breaks = _paragraph_starts(lines, first, last)
    position = 0
    while last - starts[-1] + 1 > LONGEST_PART + PART_SLACK:
        limit = starts[-1] + LONGEST_PART
        chosen = limit  # one paragraph longer than a part: break inside it
        while position < len(breaks) and breaks[position] <= limit:
            if breaks[position] > starts[-1]:
                chosen = breaks[position]
            position += 1
        starts.append(chosen)
    return starts


def _paragraph_starts(lines: Sequence[str], first: int, last: int) -> list[int]:
    """Lines after a blank one, outside fenced code."""
    found: list[int] = []
    index = first
    while index <= last:
        if lines[index].strip():
            if index > first and not lines[index - 1].strip():
                found.append(index)
            if "```" in lines[index] or "~~~" in lines[index]:
                index = fence_end(lines, index) or index
        index += 1
    return found
