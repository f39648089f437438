"""What stands between definitions, or in long ones: statements of a script, fields of a class, rows of a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from haversack.model import Span
from haversack.sources.code.blocks import MOST_LINES, blocks
from haversack.sources.code.rules import LONG

if TYPE_CHECKING:
    from haversack.sources.code.outline import Node, Outline

MOST_BLOCKS = 200  # of one file, and one for each of its gaps: what is long gets longer blocks
LEAST_SAID = 2  # lines that say something: a namespace that is opened, or a lone call, is no piece of its own
# Unless it is the promise of a function, as headers have them: `LIB_API void report(char code);`
_PROMISE = re.compile(r"\s*(?:[\w:<>,*&]+\s+)+[*&]*[\w:~]+\s*\(.*\)\s*(?:const\s*)?;")
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


class Gap(NamedTuple):
    """Lines that no definition holds, inside one or outside all."""

    owner: int
    start: int
    end: int


class Stretch(Struct, frozen=True):
    """Lines between definitions that are a piece; `owner` is the number of the class they stand in, -1 outside all."""

    owner: int
    span: Span


def stretches(lines: Sequence[str], outline: Outline) -> tuple[Stretch, ...]:
    """Blocks of what stands between definitions, in order.

    A file without definitions is cut only where it is long, and what it begins with stays with the file.
    """
    gaps = _gaps(len(lines) - (not lines[-1]), outline)  # what ends with a newline has no line after it
    if outline.nodes:
        remarks = _lines_of(outline.comment_lines)
        silent = remarks | _lines_of((*outline.import_lines, (1, outline.doc_end)))
        found = [gap for gap in (_trimmed(gap, lines, silent, remarks) for gap in gaps) if gap is not None]
    else:
        found = [gap for gap in gaps if gap.end - gap.start >= MOST_LINES]
    total = sum(gap.end - gap.start + 1 for gap in found)
    made = tuple(
        Stretch(gap.owner, Span(*span))
        for gap in found
        for span in blocks(lines, gap.start, gap.end, max(1, MOST_BLOCKS * (gap.end - gap.start + 1) // total))
    )
    return made if outline.nodes else made[1:]


def _gaps(last: int, outline: Outline) -> list[Gap]:
    """What no definition inside the file, a long class or a long table holds, in order."""
    around = [Gap(-1, 1, last)]
    for number, node in enumerate(outline.nodes):
        if node.end - node.head < LONG:
            continue
        if node.kind == "constant":  # a table: it has no body but the lines after its first
            around.append(Gap(number, node.head + 1, node.end))
        elif node.kind in ("class", "type") and node.body_start:
            around.append(Gap(number, max(node.body_start, node.doc_end + 1), node.body_end))
    inner: dict[int, list[Node]] = {}
    for node in outline.nodes:
        inner.setdefault(node.parent, []).append(node)
    gaps = []
    for owner, start, end in around:
        for node in inner.get(owner, ()):
            gaps.append(Gap(owner, start, node.start - 1))
            start = max(start, node.end + 1)
        gaps.append(Gap(owner, start, end))
    return sorted((gap for gap in gaps if gap.start <= gap.end), key=lambda gap: gap.start)


def _trimmed(gap: Gap, lines: Sequence[str], silent: Set[int], remarks: Set[int]) -> Gap | None:
    """From the first line that says something, with the comment above it, to the last; None where too few do."""
    said = [
        line
        for line in range(gap.start, gap.end + 1)
        if line not in silent and (_SAYS_NOTHING.fullmatch(lines[line - 1]) is None or _goes_on(lines, line))
    ]
    if len(said) < LEAST_SAID and not (said and _PROMISE.fullmatch(lines[said[0] - 1])):
        return None
    first = said[0]
    while first > gap.start and first - 1 in remarks:
        first -= 1
    return Gap(gap.owner, first, said[-1])


def _goes_on(lines: Sequence[str], line: int) -> bool:
    """Whether a line is the next in a list: the last of some names that are enumerated looks like a lone macro."""
    return line > 1 and lines[line - 1].strip().isidentifier() and lines[line - 2].rstrip().endswith(",")


def _lines_of(spans: Iterable[tuple[int, int]]) -> Set[int]:
    return {line for start, end in spans for line in range(start, end + 1)}
