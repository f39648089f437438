"""A knowledge file as a reader sees it: comments and index tables aside, code fences known, every line kept."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

# Headings that group or point: what stands under them is no entry.
GROUPS: Final = frozenset({"themes", "index", "archive", "archived", "table of contents", "contents"})
INDEX_START: Final = "INDEX:START"
INDEX_END: Final = "INDEX:END"

_ATX: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*)$")
_FENCE: Final = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)$")
_RULE: Final = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")


class Head(Struct, frozen=True):
    """A heading: its line, its depth, its words as written, and the last line before the next heading."""

    line: int
    level: int
    title: str
    last: int


class Page(Struct, frozen=True):
    """Lines numbered from 0. `seen` has comments and index tables blanked; `fenced` marks code."""

    raw: Sequence[str]
    seen: Sequence[str]
    fenced: Sequence[bool]
    notes: tuple[str, ...] = ()

    def heads(self) -> list[Head]:
        """The headings that are neither in a comment nor in code."""
        found = [
            (number, match)
            for number, line in enumerate(self.seen)
            if "#" in line[:4] and not self.fenced[number] and (match := _ATX.match(line))
        ]
        ends = [*(number - 1 for number, _ in found[1:]), len(self.seen) - 1] if found else []
        return [
            Head(number, len(match[1]), match[2].rstrip().rstrip("#").rstrip() or match[2].strip(), end)
            for (number, match), end in zip(found, ends, strict=True)
        ]

    def is_rule(self, line: int) -> bool:
        """Whether the line is a horizontal rule: the end of an entry."""
        return not self.fenced[line] and _RULE.match(self.seen[line]) is not None

    def is_blank(self, line: int) -> bool:
        """Whether a reader sees nothing there."""
        return not self.seen[line].strip()

    def trimmed(self, first: int, last: int) -> int:
        """The last line of these that says something, `first` at least."""
        while last > first and self.is_blank(last):
            last -= 1
        return last

    def says(self, first: int, last: int) -> bool:
        """Whether any of these lines says something beside horizontal rules."""
        return any(not self.is_blank(line) and not self.is_rule(line) for line in range(first, last + 1))


def page(lines: Sequence[str]) -> Page:
    """The lines of a file, looked at once."""
    fenced = _fenced(lines)
    seen, notes = _without_comments(lines, fenced)
    return Page(lines, seen, fenced, tuple(notes))


def _fenced(lines: Sequence[str]) -> list[bool]:
    """Which lines are code. A fence that never closes hides nothing: what follows may be entries."""
    fenced = [False] * len(lines)
    marks = [(number, match) for number, line in enumerate(lines) if (match := _FENCE.match(line))]
    closers = [(number, match[1]) for number, match in marks if not match[2].strip()]
    places = [number for number, _ in closers]
    after = -1
    for number, match in marks:
        if number <= after or (match[1][0] == "`" and "`" in match[2]):
            continue
        start = bisect_right(places, number)
        end = next((at for at, mark in closers[start:] if mark[0] == match[1][0] and len(mark) >= len(match[1])), None)
        if end is not None:
            fenced[number : end + 1] = [True] * (end + 1 - number)
            after = end
    return fenced


def _without_comments(lines: Sequence[str], fenced: Sequence[bool]) -> tuple[list[str], list[str]]:
    """Closed HTML comments and what stands between index markers become blank; an unclosed comment is only text."""
    seen = list(lines)
    notes: list[str] = []
    closing = [number for number, line in enumerate(lines) if "-->" in line]
    index_from: int | None = None
    number, column = 0, 0
    while number < len(seen):
        opening = -1 if fenced[number] else seen[number].find("<!--", column)
        if opening < 0:
            number, column = number + 1, 0
            continue
        if seen[number].count("`", 0, opening) % 2:  # `<!--` written as code
            column = opening + 4
            continue
        end_line, end = _comment_end(seen, closing, number, opening)
        if end_line is None:
            notes.append(f"line {number + 1}: a comment is never closed; it is read as text")
            break
        inside = seen[number][opening + 4 :] if end_line > number else seen[number][opening + 4 : end]
        if INDEX_START in inside:
            index_from = end_line + 1
        elif INDEX_END in inside and index_from is not None:
            seen[index_from:number] = [""] * (number - index_from)
            index_from = None
        rest = seen[end_line][end + 3 :]
        if end_line == number:
            seen[number] = seen[number][:opening] + rest
            column = opening
        else:
            seen[number] = seen[number][:opening]
            seen[number + 1 : end_line] = [""] * (end_line - number - 1)
            seen[end_line] = rest
            number, column = end_line, 0
    if index_from is not None:
        notes.append(f"line {index_from}: the index has no {INDEX_END}; its table is skipped")
        while index_from < len(seen) and (not seen[index_from].strip() or seen[index_from].lstrip().startswith("|")):
            seen[index_from] = ""
            index_from += 1
    return seen, notes


def _comment_end(seen: Sequence[str], closing: Sequence[int], number: int, opening: int) -> tuple[int | None, int]:
    """Line and column of the `-->` that ends the comment opened there."""
    same = seen[number].find("-->", opening + 4)
    if same >= 0:
        return number, same
    after = bisect_right(closing, number)
    if after == len(closing):
        return None, 0
    return closing[after], seen[closing[after]].index("-->")
