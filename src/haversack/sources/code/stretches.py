"""What stands between definitions: statements of a script, fields of a long class. A reader would cut them out, too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from haversack.model import Span
from haversack.sources.code.blocks import MOST_LINES, blocks
from haversack.sources.code.walk import LONG

if TYPE_CHECKING:
    from haversack.sources.code.outline import Outline

MOST_BLOCKS = 200  # of one file
LEAST_SAID = 2  # lines that say something: a namespace that is opened, or a lone call, is no piece of its own
# What only ends, parts or opens other things, or marks what follows: brackets, `else`, `public:`, `namespace a {`, a
# macro by itself, the conditions of a preprocessor and what it includes.
_SAYS_NOTHING = re.compile(
    r"""
    \W* (?: (?: end | else | fi | done | esac | begin | pass ) \b \W* )? (?: // .* )?
    | \s* (?: try | except\b.* | finally ) :
    | \s* [A-Z][A-Z0-9_]* ;?
    | \s* (?: public | protected | private ) \s* :
    | \s* (?: \w+ \s+ )? (?: namespace | extern | mod ) \b [^=(;]* \{ \s*
    | \s* (?: package | module ) \b [^=(]*
    | \s* \#!? \[ .* \]
    | \s* \# \s* (?: if | el | endif | include | pragma | undef ) .*
    """,
    re.VERBOSE,
)


class Stretch(Struct, frozen=True):
    """Lines that no definition holds; `owner` is the number of the long class they stand in, -1 outside all."""

    owner: int
    span: Span


def stretches(lines: Sequence[str], outline: Outline) -> list[Stretch]:
    """Blocks of what stands between definitions, in order.

    A file without definitions is cut only where it is long, and what it begins with stays with the file.
    """
    said = _said(lines, outline) if outline.nodes else []
    remarks = {line for start, end in outline.comment_lines for line in range(start, end + 1)}
    found: list[tuple[int, int, int]] = []
    for owner, start, end in _gaps(len(lines), outline):
        if outline.nodes:
            first, last = _trimmed(said, start, end)
            if sum(said[first - 1 : last]) >= LEAST_SAID:
                while first > start and first - 1 in remarks:  # what is said of it
                    first -= 1
                found.append((owner, first, last))
        elif end - start + 1 > MOST_LINES:
            found.append((owner, start, end))
    total = sum(end - start + 1 for _, start, end in found)
    made = [
        Stretch(owner, Span(*span))
        for owner, start, end in found
        for span in blocks(lines, start, end, max(1, MOST_BLOCKS * (end - start + 1) // total))
    ]
    return made[1:] if made and not outline.nodes else made


def _gaps(last: int, outline: Outline) -> Iterator[tuple[int, int, int]]:
    """(owner, first line, last line) of what no definition inside the owner holds."""
    open_ones = [(-1, 1, last)]
    open_ones += [
        (number, max(node.body_start, node.doc_end + 1), node.body_end)
        for number, node in enumerate(outline.nodes)
        if node.kind in ("class", "type") and node.body_start and node.end - node.head >= LONG
    ]
    inner: dict[int, list[tuple[int, int]]] = {owner: [] for owner, _, _ in open_ones}
    for node in outline.nodes:
        if node.parent in inner:
            inner[node.parent].append((node.start, node.end))
    gaps = []
    for owner, start, end in open_ones:
        for first, after in inner[owner]:
            gaps.append((owner, start, first - 1))
            start = max(start, after + 1)
        gaps.append((owner, start, end))
    yield from sorted((gap for gap in gaps if gap[1] <= gap[2]), key=lambda gap: gap[1])


def _said(lines: Sequence[str], outline: Outline) -> list[bool]:
    """For each line whether it says something: no comment, no import, no mere bracket."""
    said = [_SAYS_NOTHING.fullmatch(line) is None for line in lines]
    for start, end in (*outline.comment_lines, *outline.import_lines, (1, outline.doc_end)):
        said[start - 1 : end] = [False] * len(said[start - 1 : end])
    return said


def _trimmed(said: Sequence[bool], start: int, end: int) -> tuple[int, int]:
    """From the first line that says something to the last."""
    while start <= end and not said[start - 1]:
        start += 1
    while end >= start and not said[end - 1]:
        end -= 1
    return start, end
