"""More lines of what is already shown: the first lines that a mark stands for, as far as a few more tokens go."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from haversack.pack.levels.fit import beginning
from haversack.pack.levels.leveled import Count
from haversack.pack.levels.marks import Marks

MOST_LINES: Final = 24  # revealed at once; a larger gap has room for something of its own

_MARK: Final = re.compile(r"\s*\S* ?… lines? (\d+)(?:-(\d+))? elided(?: \S+)?$")


class Extended(NamedTuple):
    """The text with more of its lines, its tokens, and the share of what was hidden that is now shown."""

    text: str
    tokens: int
    share: float


class _Hidden(NamedTuple):
    at: int  # which line of the text is the mark
    start: int
    end: int


def extend(shown: str, text: str, first_line: int, limit: int, count: Count, *, lang: str) -> Extended | None:
    """`shown`, which elides lines of `text`, with more of them; None when nothing more fits.

    Nothing is taken on trust: a text that is not exactly the lines of the unit and marks between them stays as it is.
    """
    source = beginning(text)[0].split("\n")
    lines = shown.split("\n")
    hidden = _hidden(lines, source, first_line)
    if not hidden:
        return None
    marks = Marks.of_code(lang)
    total = sum(each.end - each.start + 1 for each in hidden)
    best: Extended | None = None
    for mark in hidden:
        indent = lines[mark.at][: len(lines[mark.at]) - len(lines[mark.at].lstrip())]
        for more in range(1, min(MOST_LINES, mark.end - mark.start + 1) + 1):
            opened = source[mark.start - first_line : mark.start - first_line + more]
            if mark.start + more <= mark.end:
                opened.append(marks.elided(mark.start + more, mark.end, indent))
            candidate = "\n".join([*lines[: mark.at], *opened, *lines[mark.at + 1 :]])
            tokens = count(candidate)
            if tokens > limit:
                break
            if _says_something(opened[more - 1]):
                best = Extended(candidate, tokens, more / total)
        if best is not None:
            return best
    return None


def _hidden(lines: Sequence[str], source: Sequence[str], first_line: int) -> list[_Hidden]:
    """The marks of a text that is lines of the source and marks; none when it is anything else."""
    found: list[_Hidden] = []
    number = first_line
    for at, line in enumerate(lines):
        # Blank lines at the edge of what is left out belong to no mark.
        while _is(source, number - first_line, "") and line and found and found[-1].at == at - 1:
            number += 1
        if _is(source, number - first_line, line):
            number += 1
            continue
        mark = _MARK.match(line)
        if mark is None:
            return []
        start, end = int(mark[1]), int(mark[2] or mark[1])
        between = source[number - first_line : start - first_line] if start >= number else ["no"]
        if any(between) or end < start or end - first_line >= len(source):
            return []
        found.append(_Hidden(at, start, end))
        number = end + 1
    return found


def _says_something(line: str) -> bool:
    """Whether it is worth ending with that line: an opening quote or bracket alone is not."""
    return any(map(str.isalnum, line))


def _is(source: Sequence[str], index: int, line: str) -> bool:
    return 0 <= index < len(source) and source[index] == line
