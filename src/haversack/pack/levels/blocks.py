"""Prose as blocks: headings, paragraphs, list items, tables, code."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from itertools import accumulate
from typing import Final, Literal, NamedTuple, TypeAlias

from haversack.pack.levels.sentences import sentence_spans
from haversack.sources.docs.front import front_matter
from haversack.sources.docs.headings import MARKDOWN, fence_end, headings

BlockKind: TypeAlias = Literal["heading", "paragraph", "item", "table", "code", "front", "markup"]

LONGEST_COMMENT: Final = 200  # lines; a comment that does not end within them is taken for text

_ITEM: Final = re.compile(r"\s*(?:[-*+•‣◦]|\(?\d{1,4}[.)])\s+\S")
# Lines that are for a program and not for a reader: tags, comments, badges, directives and their options.
_MARKUP: Final = re.compile(r"\s*(?:</?[A-Za-z][^<>]*>\s*$|<!--|\[?!\[|\.\. |:[\w-]+:)")
_TABLE: Final = re.compile(r"\s*(?:\||\+[-=+]{3,}\s*$|[=]{2,}(?:\s+[=]{2,})+\s*$)")


class Block(NamedTuple):
    """Lines `first`..`last` (0-based, both ends included) that belong together; `level` is a heading's depth.

    `start` and `end` are its characters in the text; `sentences` those of a paragraph or a list item.
    """

    kind: BlockKind
    first: int
    last: int
    start: int
    end: int
    level: int = 0
    sentences: Sequence[tuple[int, int]] = ()


def blocks(text: str, lines: Sequence[str], lang: str, *, from_top: bool) -> list[Block]:
    """The blocks of a text in order; blank lines belong to none. `from_top` says that the text begins its file."""
    offsets = [0, *accumulate(len(line) + 1 for line in lines)]
    found: list[Block] = []
    for kind, first, last, level in _cut(lines, lang, from_top):
        start, end = offsets[first], offsets[last + 1] - 1
        spans = list(sentence_spans(text, start, end)) if kind in ("paragraph", "item") else ()
        found.append(Block(kind, first, last, start, end, level, spans))
    return found


def _cut(lines: Sequence[str], lang: str, from_top: bool) -> Iterator[tuple[BlockKind, int, int, int]]:
    index = front_matter(lines)[0] if from_top and lang in MARKDOWN else 0
    if index:
        yield "front", 0, index - 1, 0
    heads = {heading.first: heading for heading in headings(lines, lang, index)}
    in_list = False
    while index < len(lines):
        line = lines[index]
        heading = heads.get(index)
        if heading:
            yield "heading", heading.first, heading.last, heading.level
            in_list = False
            index = heading.last + 1
        elif not line or line.isspace():
            index += 1
        else:
            kind, last = _block(lines, index, heads, in_list=in_list)
            yield kind, index, last, 0
            in_list = kind == "item" or (in_list and line[0].isspace())
            index = last + 1


def _block(lines: Sequence[str], at: int, heads: Container[int], *, in_list: bool) -> tuple[BlockKind, int]:
    line = lines[at]
    fenced = fence_end(lines, at) if "```" in line or "~~~" in line else None
    if fenced is not None:
        return "code", fenced
    if _TABLE.match(line):
        return "table", _run(lines, at, heads, lambda text: bool(text.strip()))
    if _is_indented(line) and not in_list:
        last = _run(lines, at, heads, lambda text: _is_indented(text) or not text.strip())
        while not lines[last].strip():
            last -= 1
        return "code", last
    if _MARKUP.match(line):
        return "markup", _comment_end(lines, at)
    return "item" if _ITEM.match(line) else "paragraph", _run(lines, at, heads, _goes_on)


def _run(lines: Sequence[str], at: int, heads: Container[int], goes_on: Callable[[str], bool]) -> int:
    """The last of the lines from `at` that belong together."""
    index = at + 1
    while index < len(lines) and index not in heads and goes_on(lines[index]):
        index += 1
    return index - 1


def _goes_on(line: str) -> bool:
    """Whether a paragraph or a list item goes on with this line."""
    bare = line.lstrip()
    if not bare or bare[0].isalpha():
        return bool(bare)
    return not (bare.startswith(("```", "~~~")) or _ITEM.match(line) or _TABLE.match(line) or _MARKUP.match(line))


def _comment_end(lines: Sequence[str], at: int) -> int:
    """The last line of the HTML comment that opens here, or this line."""
    if not lines[at].lstrip().startswith("<!--"):
        return at
    for index in range(at, min(len(lines), at + LONGEST_COMMENT)):
        if "-->" in lines[index]:
            return index
    return at


def _is_indented(line: str) -> bool:
    return line.startswith(("    ", "\t"))
