"""What an entry says in an agent packet: whole, and as one line."""

from __future__ import annotations

import re
import textwrap
from typing import Final

from haversack.model import Unit
from haversack.render.safe import one_line

TITLE_CHARS: Final = 120  # of a title that stands for an entry
_BOX: Final = re.compile(r"[ \t]*(?:[-*+]|\d{1,4}[.)])[ \t]+(?:\[.\][ \t]*)?")
_HEADING: Final = re.compile(r" {0,3}#{1,6}[ \t]+.*$")
# Book-keeping of the task list: when it was written down and by whom tells nothing about what is to be done.
_BOOKKEEPING: Final = re.compile(r"[ \t]*(?<![\w`])#(?:added|session|branch|commit)(?::[^\s#`]*)?")
_FIRST_SENTENCE: Final = re.compile(r"(.{12,}?[.;:])\s")


def bullet(unit: Unit, text: str) -> str:
    """A rule, task or convention with the lines it wraps over, and where it stands."""
    body = _BOOKKEEPING.sub("", _BOX.sub("", textwrap.dedent(text), count=1))
    lines = [line.rstrip() for line in body.split("\n") if line.strip()]
    first, rest = (lines[0], lines[1:]) if lines else (unit.title, [])
    return "\n".join([f"- {label(unit)}{first} {place(unit)}", *rest])


def entry(unit: Unit, text: str) -> str:
    """A decision or learning: its title, where it stands, and all it says."""
    lines = text.split("\n")
    body = "\n".join(line.rstrip() for line in (lines[1:] if _HEADING.match(lines[0]) else lines)).strip()
    body = re.sub(r"\n{2,}", "\n", body)
    return f"### {label(unit)}{one_line(unit.title, TITLE_CHARS * 2)} {place(unit)}\n{body}\n"


def brief(unit: Unit) -> str:
    """One line: the title and where the rest is."""
    title = one_line(unit.title, TITLE_CHARS)
    return f"- {label(unit)}{title} {place(unit)}"


def rule_title(unit: Unit) -> str:
    """A rule in as few words as still say it: its first sentence."""
    match = _FIRST_SENTENCE.match(unit.title + " ")
    return f"- {one_line(match[1] if match else unit.title, TITLE_CHARS // 2)}"


def place(unit: Unit) -> str:
    """A citation that opens."""
    lines = ""
    if unit.span:
        lines = f":{unit.span.start}" if len(unit.span) == 1 else f":{unit.span}"
    return f"[{unit.path}{lines}]"


def label(unit: Unit) -> str:
    """What a reader must know before believing it."""
    stale = unit.meta.get("stale")
    return f"(stale: {stale}) " if stale else ""
