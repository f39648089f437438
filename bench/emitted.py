"""Which lines of a project a tool's text shows, in its order, and what each run of them costs.

Of most tools only the text is known, so it is laid beside the files it names. Every token of the text is charged:
headings, notes and words that are no line of a file cost whatever comes after them, as they would in a prompt. A line
that a file holds more than once counts where the text goes on as the file does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

AHEAD = 3  # lines that must go on alike to tell one place of a repeated line from another
DISTINCT = 4  # letters and digits a line needs to be looked up anywhere in its file

# `## a.py`, `# File: a.py`, `**`a.py`** — …`, `a.py:10-20`, `a.py:`, `a.py a.py::name#function`
_HEADING = re.compile(r"^(?:#+ )?(?:[A-Z][a-z]+: )?(?:\*\*)?`?([^\s`]+?)(?::(\d+)-\d+|:)?(?:[`\s].*)?$")
_NUMBERED = re.compile(r"^\s*(\d+)[\t|:│] ?(.*)$")


@dataclass(slots=True)
class Span:
    """Lines of a file that stand together in the text, and what they cost."""

    path: str
    start: int
    end: int
    tokens: float


@dataclass(slots=True)
class _Section:
    path: str
    start: int
    lines: list[tuple[str, float]] = field(default_factory=list)


class _Lines:
    """A file's lines without their indentation, and where each stands."""

    def __init__(self, text: str) -> None:
        self.lines = [line.strip() for line in text.split("\n")]
        self.places: dict[str, list[int]] = {}
        for number, line in enumerate(self.lines):
            self.places.setdefault(line, []).append(number)

    def next_said(self, after: int) -> int:
        """The next line that is not blank."""
        at = after
        while at < len(self.lines) and not self.lines[at]:
            at += 1
        return at

    def find(self, text: str, at: int, following: Sequence[str]) -> int | None:
        """Where this line of the text stands, when the line before it stood just before `at`."""
        if at < len(self.lines) and self.lines[at] == text:
            return at
        if not text:
            return None
        said = self.next_said(at)
        if said < len(self.lines) and self.lines[said] == text:
            return said
        if sum(map(str.isalnum, text)) < DISTINCT:
            return None
        places = self.places.get(text, [])
        return max(places, key=lambda place: (self._alike(place, following), place >= at, -place), default=None)

    def _alike(self, place: int, following: Sequence[str]) -> int:
        told = [line for line in self.lines[place + 1 : place + 1 + 2 * AHEAD] if line][:AHEAD]
        same = 0
        for here, there in zip(told, (line for line in following if line), strict=False):
            if here != there:
                break
            same += 1
        return same


def spans_of(
    text: str, files: dict[str, str], count: Callable[[str], int], *, ranked: Sequence[str] = ()
) -> list[Span]:
    """Runs of shown lines in the text's order; with `ranked` the text is a map, and its files count in that order."""
    sections = _sections(text, files, count)
    if ranked:
        place = {path: number for number, path in enumerate(ranked)}
        sections.sort(key=lambda section: place.get(section.path, len(place)))
    found: list[Span] = []
    owed = 0.0
    known: dict[str, _Lines] = {}
    for section in sections:
        if section.path and section.path not in known:
            known[section.path] = _Lines(files[section.path])
        owed = _place(section, known.get(section.path), found, owed)
    return found


def _sections(text: str, files: dict[str, str], count: Callable[[str], int]) -> list[_Section]:
    lines = text.split("\n")
    costs = [float(count(line + "\n")) for line in lines]
    scale = count(text) / max(sum(costs), 1.0)
    sections = [_Section("", 0)]
    for number, (line, cost) in enumerate(zip(lines, costs, strict=True)):
        named = _HEADING.match(line) if number == 0 or not lines[number - 1].strip() else None
        if named and named[1] in files:
            sections.append(_Section(named[1], int(named[2] or 1) - 1))
        sections[-1].lines.append((line, cost * scale))
    return sections


def _place(section: _Section, file: _Lines | None, found: list[Span], owed: float) -> float:
    """Add what the section shows; returns the tokens nothing was shown for yet."""
    at = section.start
    texts = [_bare(line) for line, _ in section.lines]
    for number, ((line, cost), text) in enumerate(zip(section.lines, texts, strict=True)):
        owed += cost
        if file is None or number == 0:
            continue
        numbered = _NUMBERED.match(line)
        if numbered and int(numbered[1]) <= len(file.lines) and file.lines[int(numbered[1]) - 1] == numbered[2].strip():
            place: int | None = int(numbered[1]) - 1
        else:
            place = file.find(text, at, texts[number + 1 : number + 1 + 2 * AHEAD])
        if place is None:
            continue
        last = found[-1] if found else None
        # A text that drops blank lines still shows what stands on both sides of them.
        if last and last.path == section.path and last.end == at and at <= place <= file.next_said(at):
            last.end, last.tokens = place + 1, last.tokens + owed
        else:
            found.append(Span(section.path, place + 1, place + 1, owed))
        owed, at = 0.0, place + 1
    return owed


def _bare(line: str) -> str:
    return line.removeprefix("│").strip()
