"""Exact strings and regular expressions over the text of files, narrowed by the index where that is possible."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from haversack.errors import HaversackError, UsageError
from haversack.index.snapshot import Snapshot
from haversack.index.symbolic import holding
from haversack.index.terms import word_terms
from haversack.model import Span
from haversack.sources.protocol import TextFile

if TYPE_CHECKING:
    from haversack.project import Project

SECONDS = 5.0  # a scan that takes longer gives what it has
LONGEST_LINE = 2_000  # characters of a line that a pattern is tried on: bounds backtracking
WORD = re.compile(r"\w+")


class Line(Struct, frozen=True):
    """A line that matches."""

    item: int
    number: int
    text: str


class Scan(Struct, frozen=True):
    """The lines found; `complete` is False when the time was up first."""

    lines: tuple[Line, ...]
    complete: bool


def exact(project: Project, snapshot: Snapshot, needle: str, *, items: Sequence[int] | None, limit: int) -> Scan:
    """Lines that hold the string as it is."""
    narrowed = holding(snapshot, _inner_terms(needle))
    return _scan(project, snapshot, _common(narrowed, items), lambda line: needle in line, needle, limit)


def regex(project: Project, snapshot: Snapshot, pattern: str, *, items: Sequence[int] | None, limit: int) -> Scan:
    """Lines that the regular expression matches."""
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise UsageError(
            f"not a regular expression: {pattern!r}: {error}", hint="use --view exact for a plain string"
        ) from error
    literal = required_literal(pattern)
    return _scan(project, snapshot, items, lambda line: compiled.search(line) is not None, literal, limit)


def required_literal(pattern: str) -> str:
    """The longest plain string that every match must hold; empty when that cannot be told at a glance."""
    if "|" in pattern or "(?" in pattern:
        return ""
    runs, run, depth, at = [], "", 0, 0
    while at < len(pattern):
        sign = pattern[at]
        step = 2 if sign == "\\" else 1
        if sign == "[":  # a class stands for one character, whichever
            end = pattern.find("]", at + 2)
            step = (end if end > 0 else len(pattern)) - at + 1
        elif sign == "{":
            end = pattern.find("}", at)
            step = (end if end > 0 else len(pattern)) - at + 1
        optional = pattern[at + step : at + step + 1] in ("?", "*", "{")
        if sign in "()":
            depth += 1 if sign == "(" else -1
        if depth == 0 and (sign.isalnum() or sign in "_ -/:=<>,;@#%&!~\"'") and not optional:
            run += sign
        else:
            runs.append(run)
            run = ""
        at += step
    return max((*runs, run), key=len)


def _inner_terms(needle: str) -> list[str]:
    """Terms of the words that surely stand whole in any text that holds the needle."""
    found: list[str] = []
    for match in WORD.finditer(needle):
        if match.start() > 0 and match.end() < len(needle):
            found.extend(word_terms(match.group()))
    return found


def _common(narrowed: list[int] | None, items: Sequence[int] | None) -> Sequence[int] | None:
    if narrowed is None or items is None:
        return narrowed if items is None else items
    allowed = set(items)
    return [item for item in narrowed if item in allowed]


def _scan(
    project: Project,
    snapshot: Snapshot,
    items: Sequence[int] | None,
    matches: Callable[[str], bool],
    literal: str,
    limit: int,
) -> Scan:
    deadline = time.monotonic() + SECONDS
    found: list[Line] = []
    for item in range(len(snapshot.items)) if items is None else items:
        if not snapshot.items[item].in_file:
            continue
        if time.monotonic() > deadline:
            return Scan(tuple(found), complete=False)
        for number, line in _lines(project, snapshot.items[item].key, literal):
            if matches(line[:LONGEST_LINE]):
                found.append(Line(item, number, line))
                if len(found) >= limit:
                    return Scan(tuple(found), complete=True)
    return Scan(tuple(found), complete=True)


def _lines(project: Project, path: str, literal: str) -> Iterator[tuple[int, str]]:
    """The redacted lines of a file, if its raw bytes hold the literal at all: most files end there."""
    from haversack.project import read_text
    from haversack.project.gate import open_inside

    if literal.isascii() and literal:
        try:
            with open_inside(project, path) as file:
                if literal.encode() not in file.read(project.max_file_bytes):
                    return
        except (HaversackError, OSError):
            return
    text = read_text(project, path)
    if isinstance(text, TextFile) and literal in text.text:
        yield from enumerate(text.text.split("\n"), 1)


def innermost(snapshot: Snapshot, item: int, span: Span) -> int | None:
    """The position of the smallest unit of an item that holds the line."""
    info = snapshot.items[item]
    if info.segment < 0:
        return None
    first = snapshot.first_position(item)
    inside = [
        (int(snapshot.ends[p]) - int(snapshot.starts[p]), p)
        for p in range(first, first + info.count)
        if snapshot.starts[p] <= span.start and snapshot.ends[p] >= span.end
    ]
    return min(inside)[1] if inside else first
