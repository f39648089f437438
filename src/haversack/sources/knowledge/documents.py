"""Knowledge that is prose: architecture, playbook, steering files, the journal, traces of commits."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from haversack.model import MetaValue
from haversack.sources.docs.cut import pieces
from haversack.sources.docs.front import PREFIX
from haversack.sources.knowledge.dates import moment
from haversack.sources.knowledge.draft import Draft
from haversack.sources.knowledge.page import Page

_TURN: Final = re.compile(r"(\d{1,6})\. (.{1,60}?) \((\d{1,2}:\d{2}(?::\d{2})?)\)$")


def sections(page: Page, kind: str) -> list[Draft]:
    """One draft per heading with what stands under it."""
    made: list[Draft] = []
    for piece in pieces([*page.seen], "markdown"):
        if not piece.path or not page.says(piece.first + 1, piece.last):
            continue
        title = piece.label if piece.parts == 1 else f"{piece.label} (part {piece.part})"
        made.append(Draft(kind, title, piece.first, page.trimmed(piece.first, piece.last), piece.label))
    return made


def steering(page: Page, front: Mapping[str, MetaValue], name: str) -> list[Draft]:
    """The whole file, as one piece: it is meant to be read whole."""
    if not page.says(0, len(page.seen) - 1):
        return []
    heading = next((head.title for head in page.heads()), "")
    title = str(front.get(f"{PREFIX}name") or "") or heading or name
    return [Draft("steering", title, 0, len(page.seen) - 1, title, meta=dict(front))]


def journal(page: Page, front: Mapping[str, MetaValue], name: str, written: float) -> list[Draft]:
    """The entry (what stands before the first turn, with the front matter), and each turn."""
    heads = page.heads()
    turns = [(head, match) for head in heads if (match := _TURN.match(head.title))]
    end = turns[0][0].line - 1 if turns else len(page.seen) - 1
    heading = next((head.title for head in heads if not _TURN.match(head.title)), "")
    title = str(front.get(f"{PREFIX}title") or "") or heading or name
    entry = Draft("journal", title, 0, max(end, 0), title, meta=dict(front))
    stamp = str(front.get(f"{PREFIX}date") or "") or name
    entry.time, wrong = moment(stamp, written)
    if front.get(f"{PREFIX}date"):
        entry.meta["date"] = stamp
        if wrong:
            entry.notes.append(wrong)
    made = [entry] if page.seen else []
    for number, (head, match) in enumerate(turns):
        last = turns[number + 1][0].line - 1 if number + 1 < len(turns) else len(page.seen) - 1
        meta: dict[str, MetaValue] = {"role": match[2], "at": match[3]}
        made.append(Draft("turn", head.title, head.line, page.trimmed(head.line, last), head.title, entry, meta=meta))
    return made


def trace(lines: Sequence[str]) -> list[Draft]:
    """One draft per commit that a tool wrote down with what it bore on, as JSON lines."""
    made: list[Draft] = []
    for number, line in enumerate(lines):
        if not line.lstrip().startswith("{"):
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        commit = record.get("commit")
        named = record.get("refs")
        refs = tuple(str(each) for each in named) if isinstance(named, list) else ()
        if isinstance(commit, str) and commit:
            title = f"{commit[:12]}: {', '.join(refs)}" if refs else commit[:12]
            made.append(Draft("trace", title, number, number, commit, meta={"commit": commit, "refs": refs}))
    return made
