"""Code in detail: signatures, fields, docstrings and glued comments stay; bodies go, but for the task's lines."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from haversack.pack.levels.leveled import CLASSES, COMMENTS, SIGNATURES, TYPES
from haversack.pack.levels.nodes import depths
from haversack.pack.levels.sheet import CONTEXT, DETAIL, ELIDED, INNER, MEMBER, TOP
from haversack.sources.code.outline import Node, Outline

BODY_SHARE: Final = 0.3  # of elidable lines may stay for the task; where a word is everywhere, all of them would
LEAST_BODY: Final = 4  # lines of bodies that may stay however short they are
LONGEST_LINE: Final = 400  # characters; a longer body line is data
DOC_LINES: Final = 8  # of a docstring that stay before its rest counts as context
LONGEST_DOC: Final = 40  # lines; past this a docstring is a manual
FIELD_LINES: Final = 40  # of a class's own lines that count as fields; the next as many are context
VALUE_LINES: Final = 6  # of a long constant or one-piece definition

# Definitions whose own lines are fields rather than steps, and what they are preserved as.
_KEPT_AS: Final = {
    "class": CLASSES,
    "struct": CLASSES,
    "module": CLASSES,
    "namespace": CLASSES,
    "type": TYPES,
    "interface": TYPES,
    "enum": TYPES,
    "trait": TYPES,
}
_LEAVES: Final = re.compile(r"\s*(?:return|raise|throw|yield|panic!?|exit|revert)\b")
_LICENCE: Final = re.compile(r"copyright|licen[sc]e|spdx-|all rights reserved", re.IGNORECASE)
_BY_DEPTH: Final = (TOP, MEMBER, INNER)


def code_ranks(
    lines: Sequence[str],
    first: int,
    outline: Outline,
    within: Sequence[int],
    hits: Mapping[int, float],
    preserve: Collection[str],
) -> list[int]:
    """A rank for each line of a piece of code that begins at line `first` and declares the definitions `within`.

    `preserve` says what stays when bodies go: signatures, classes, types, comments.
    """
    last = first + len(lines) - 1
    doc = DETAIL if COMMENTS in preserve else ELIDED
    ranks = [CONTEXT] * len(lines)
    if first == 1 and within:
        _rank_top(ranks, lines, outline, outline.nodes[within[0]].start, doc)
    for node, depth in zip((outline.nodes[at] for at in within), depths(outline, within), strict=True):
        kept = _KEPT_AS.get(node.kind, SIGNATURES) in preserve
        _rank_node(ranks, node, first, last, _BY_DEPTH[min(depth, 2)] if kept else ELIDED, doc)
    for index in [at for at, line in enumerate(lines) if not line or line.isspace()]:
        ranks[index] = ELIDED
    _keep_task_lines(ranks, lines, hits, {outline.nodes[at].head - first for at in within})
    return ranks


def _rank_top(ranks: list[int], lines: Sequence[str], outline: Outline, first_node: int, doc: int) -> None:
    """Lines of a file outside definitions: the module's docstring is detail, licences go."""
    _rank_doc(ranks, 0, min(outline.doc_end, len(lines)) - 1, doc)
    for start, end in outline.comment_lines:
        if start > first_node:
            break
        if end <= len(lines) and _LICENCE.search("\n".join(lines[start - 1 : end])):
            ranks[start - 1 : end] = [ELIDED] * (end - start + 1)


def _rank_node(ranks: list[int], node: Node, first: int, last: int, signature: int, doc: int) -> None:
    head = node.head - first
    start, end = max(node.start, first) - first, max(min(node.end, last) - first, head)
    if node.kind in _KEPT_AS and signature:
        fields = end - start + 1
        body = [DETAIL] * min(fields, FIELD_LINES) + [CONTEXT] * max(0, min(fields - FIELD_LINES, FIELD_LINES))
        ranks[start : end + 1] = body + [ELIDED] * (fields - len(body))
    else:
        ranks[start : end + 1] = [ELIDED] * (end - start + 1)
    above = doc if signature else ELIDED  # comments and decorators stay with what they are about
    ranks[start:head] = [above] * (head - start)
    if node.doc_start:
        _rank_doc(ranks, node.doc_start - first, min(node.doc_end - first, end), above)
    if not node.body_start:
        stays = min(end - head + 1, VALUE_LINES)
        ranks[head : head + stays] = [signature] * stays
        return
    body_start = min(max(node.body_start - first, head + 1), end + 1)
    ranks[head:body_start] = [signature] * (body_start - head)
    closing = max(node.body_end - first + 1, body_start)
    if closing <= end:
        ranks[closing : end + 1] = [signature] * (end - closing + 1)


def _rank_doc(ranks: list[int], start: int, end: int, rank: int) -> None:
    start = max(start, 0)
    for index in range(start, end + 1):
        line = index - start
        ranks[index] = rank if line < DOC_LINES else min(rank, CONTEXT) if line < LONGEST_DOC else ELIDED


def _keep_task_lines(
    ranks: list[int], lines: Sequence[str], hits: Mapping[int, float], declared: Collection[int]
) -> None:
    """Raises the body lines that speak of the task, the heads of the blocks they stand in, then the ways out."""
    bodies = [at for at, rank in enumerate(ranks) if rank == ELIDED and lines[at] and len(lines[at]) <= LONGEST_LINE]
    room = max(LEAST_BODY, int(len(bodies) * BODY_SHARE))
    inside = set(bodies)
    best = sorted((at for at in hits if at in inside), key=lambda at: (-hits[at], at))
    heads = _block_heads(lines[: max(best) + 1]) if best else []
    for at in best:
        if room <= 0:
            break
        for line in _with_heads(at, heads, inside):
            if ranks[line] < DETAIL:
                ranks[line] = DETAIL
                room -= 1
        for line in (at - 1, at + 1):
            if line in inside and ranks[line] == ELIDED:
                ranks[line] = CONTEXT
                room -= 1
    for at in bodies:
        if room <= 0:
            break
        if ranks[at] == ELIDED and _LEAVES.match(lines[at]):
            for line in (_head(lines, at), at):  # without what it depends on, a way out looks like the only one
                if line in inside and line not in declared and ranks[line] == ELIDED:
                    ranks[line] = CONTEXT
                    room -= 1


def _head(lines: Sequence[str], at: int) -> int:
    """The nearest line above with less indentation, -1 when there is none."""
    indent = len(lines[at]) - len(lines[at].lstrip())
    above = (n for n in range(at - 1, -1, -1) if lines[n] and len(lines[n]) - len(lines[n].lstrip()) < indent)
    return next((n for n in above if not lines[n].isspace()), -1)


def _block_heads(lines: Sequence[str]) -> list[int]:
    """For each line the nearest line above with less indentation, -1 when there is none."""
    heads: list[int] = []
    indents: list[int] = []
    above = -1
    for index, line in enumerate(lines):
        bare = line.lstrip()
        indents.append(indent := len(line) - len(bare))
        head = above if bare else -1
        while head >= 0 and indents[head] >= indent:  # all between a line and its head are further in than that
            head = heads[head]
        heads.append(head)
        if bare:
            above = index
    return heads


def _with_heads(at: int, heads: Sequence[int], inside: set[int]) -> list[int]:
    """The line and the heads of its blocks as far as they are body lines."""
    found = [at]
    while (at := heads[at]) in inside:
        found.append(at)
    return found
