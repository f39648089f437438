"""Prose in detail: headings, first sentences of paragraphs, heads of lists, code cut short, the task's sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from haversack.pack.levels.blocks import Block
from haversack.pack.levels.marks import ELLIPSIS
from haversack.pack.levels.sentences import shortened
from haversack.pack.levels.sheet import CONTEXT, DETAIL, ELIDED, MEMBER, TOP
from haversack.pack.levels.terms import Hits

MORE_SENTENCES: Final = 4  # a paragraph of as many keeps its second sentence too, of twice as many its third
TASK_SENTENCES: Final = 2  # of a paragraph that stay because of the task, besides the first
LIST_ITEMS: Final = 6  # of a list that stay without speaking of the task
CODE_LINES: Final = 4  # of a code block
TABLE_LINES: Final = 4  # of a table: its head and a row or two
FRONT_LINES: Final = 6
LONGEST_SENTENCE: Final = 320  # characters shown of one sentence
LONGEST_PARAGRAPH: Final = 1200  # characters of one that is shown as it stands when it has few sentences


class ProseLines(Struct):
    """A rank for each line, what stands in its place, and how much it has to do with the task."""

    ranks: list[int]
    shown: list[str | None]
    scores: dict[int, float]
    partial: bool = False


def prose_lines(
    text: str, lines: Sequence[str], found: Sequence[Block], hits: Hits, by_line: Mapping[int, float]
) -> ProseLines:
    """The lines of a document, ranked by the blocks found in it."""
    prose = ProseLines([ELIDED] * len(lines), list(lines), dict(by_line))
    items = 0
    for block in found:
        items = items + 1 if block.kind == "item" else 0
        if block.kind == "heading":
            _rank(prose, block, TOP if block.level <= 2 else MEMBER)
        elif block.kind in ("paragraph", "item"):
            _sentences(prose, text, block, hits, shown=items <= LIST_ITEMS)
        elif block.kind == "code":
            _code(prose, block, by_line)
        elif block.kind != "markup":
            _rows(prose, block, by_line, FRONT_LINES if block.kind == "front" else TABLE_LINES)
    return prose


def _rank(prose: ProseLines, block: Block, rank: int) -> None:
    prose.ranks[block.first : block.last + 1] = [rank] * (block.last - block.first + 1)


def _sentences(prose: ProseLines, text: str, block: Block, hits: Hits, *, shown: bool) -> None:
    """The first sentence of the block and those that speak of the task, on the block's first line."""
    speaks = hits.within(block.start, block.end)
    if not shown and not speaks:
        return
    _rank(prose, block, DETAIL if speaks else CONTEXT)
    if speaks:
        prose.scores[block.first] = speaks
    found = block.sentences
    weights = [hits.within(*sentence) for sentence in found] if speaks else []
    leading = range(1 + len(found) // MORE_SENTENCES)
    later = [at for at, weight in enumerate(weights) if weight and at not in leading]
    best = sorted(later, key=lambda at: (-weights[at], at))
    chosen = sorted([*leading, *best[:TASK_SENTENCES]])
    if len(chosen) == len(found) and block.end - block.start <= LONGEST_PARAGRAPH:
        return
    indent = text[block.start : found[0][0]]
    told: list[str] = []
    for before, at in zip([-1, *chosen], chosen, strict=False):
        if at != before + 1:
            told.append(ELLIPSIS)
        told.append(shortened(" ".join(text[slice(*found[at])].split()), LONGEST_SENTENCE))
    if chosen[-1] < len(found) - 1:
        told.append(ELLIPSIS)
    prose.partial = True
    prose.shown[block.first] = indent + " ".join(told)
    prose.shown[block.first + 1 : block.last + 1] = [None] * (block.last - block.first)


def _code(prose: ProseLines, block: Block, hits: Mapping[int, float]) -> None:
    """The first lines of the code and those that speak of the task; a fence stays closed."""
    inside = range(block.first, block.last + 1)
    speaks = [at for at in inside if at in hits]
    for at in speaks[:CODE_LINES]:
        prose.ranks[at] = DETAIL
    for at in (block.first, block.last):
        prose.ranks[at] = DETAIL if speaks else CONTEXT
    for at in inside[: CODE_LINES + 1]:
        prose.ranks[at] = max(prose.ranks[at], CONTEXT)


def _rows(prose: ProseLines, block: Block, hits: Mapping[int, float], most: int) -> None:
    """The first rows and those that speak of the task."""
    for number, at in enumerate(range(block.first, block.last + 1)):
        prose.ranks[at] = DETAIL if at in hits else CONTEXT if number < most else ELIDED
