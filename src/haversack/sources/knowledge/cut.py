"""Which parser reads which file of `.context/`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from haversack.model import MetaValue, Status
from haversack.sources.docs.front import front_matter
from haversack.sources.knowledge import inside
from haversack.sources.knowledge.bullets import listed
from haversack.sources.knowledge.documents import journal, sections, steering, trace
from haversack.sources.knowledge.draft import Draft
from haversack.sources.knowledge.entries import complete, entries
from haversack.sources.knowledge.page import Page, page
from haversack.sources.knowledge.terms import terms

# What a file or a folder holds, by name without ending, in any case.
HOLDS: Final[Mapping[str, str]] = {
    "constitution": "rule",
    "tasks": "task",
    "conventions": "convention",
    "decisions": "decision",
    "learnings": "learning",
    "architecture": "architecture",
    "glossary": "term",
    "steering": "steering",
    "journal": "journal",
    "trace": "trace",
}
ARCHIVE: Final = "archive"
_FRONT: Final = re.compile(r"---[ \t]*$")


class Cut(Struct, frozen=True):
    """A file's pieces in order, what its front matter says, and what is wrong with it as a whole."""

    drafts: tuple[Draft, ...]
    page: Page
    front_lines: int
    front: Mapping[str, MetaValue]
    notes: tuple[str, ...]


def holds(below: str) -> tuple[str, bool]:
    """What the file holds, and whether it is in the archive."""
    *folders, name = below.lower().split("/")
    stem = name.partition(".")[0]
    archived = ARCHIVE in folders
    for word in (*(folder for folder in folders if folder != ARCHIVE), stem):
        if word in HOLDS:
            return HOLDS[word], archived
    # tasks-2026-02-01.md, decisions-reference.md
    return next((kind for word, kind in HOLDS.items() if re.match(rf"{word}[-_]", stem)), "section"), archived


def cut(path: str, lines: Sequence[str], written: float) -> Cut:
    """The pieces of one knowledge file. Whatever the text, every line can be reached and nothing raises."""
    below = inside(path) or path
    kind, archived = holds(below)
    name = below.rpartition("/")[2].rpartition(".")[0] or below
    skipped, front = front_matter(lines)
    notes: list[str] = []
    if not skipped and lines and _FRONT.match(lines[0]) and kind in ("steering", "journal"):
        notes.append("the front matter is not YAML; the file is read without it")
    looked = page([*([""] * skipped), *lines[skipped:]])
    drafts = _drafts(kind, looked, lines, front, name, written) if lines else []
    whole = [draft for draft in drafts if draft.kind == kind]
    if "/" in below and kind in ("decision", "learning") and not whole:
        drafts = _as_one(looked, kind, name, drafts, written)
    if archived:
        for draft in drafts:
            draft.meta["archived"] = True
            draft.status = Status.SUPERSEDED
    return Cut(tuple(drafts), looked, skipped, front, (*notes, *looked.notes))


def _drafts(
    kind: str, looked: Page, lines: Sequence[str], front: Mapping[str, MetaValue], name: str, written: float
) -> list[Draft]:
    parsers: Mapping[str, Callable[[], list[Draft]]] = {
        "rule": lambda: listed(looked, "rule", written, prose=True),
        "task": lambda: listed(looked, "task", written, boxes_only=True),
        "convention": lambda: listed(looked, "convention", written, prose=True),
        "decision": lambda: entries(looked, "decision", written),
        "learning": lambda: entries(looked, "learning", written),
        "architecture": lambda: sections(looked, "architecture"),
        "term": lambda: terms(looked),
        "steering": lambda: steering(looked, front, name),
        "journal": lambda: journal(looked, front, name, written),
        "trace": lambda: trace(lines),
        "section": lambda: sections(looked, "section"),
    }
    return parsers[kind]()


def _as_one(looked: Page, kind: str, name: str, drafts: list[Draft], written: float) -> list[Draft]:
    """A file of its own that holds one entry under a first-level heading, or no heading at all."""
    if not looked.says(0, len(looked.seen) - 1):
        return drafts
    head = next(iter(looked.heads()), None)
    first = head.line if head else next(n for n in range(len(looked.seen)) if not looked.is_blank(n))
    draft = Draft(kind, name, first, looked.trimmed(first, len(looked.seen) - 1), name)
    complete(looked, draft, written)
    return [draft]
