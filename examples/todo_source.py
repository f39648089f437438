"""An example source: every note that a developer left in a comment (`TODO`, `FIXME`) becomes a unit.

A package that ships it registers the class in its `pyproject.toml`; nothing else is needed:

    [project.entry-points."haversack.sources"]
    todo = "todo_source:TodoSource"
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from haversack.model import Citation, Problem, Span, Unit
from haversack.project import Skipped, read_text, sweep
from haversack.sources.protocol import Changes, Compressor, Item, Reading, TextFile
from haversack.units.ids import unit_id

if TYPE_CHECKING:
    from haversack.project import Project

NOTE = re.compile(r"\b(?:TODO|FIXME)\b(?:\((?P<who>[^)]*)\))?:?\s*(?P<what>.*?)\s*(?:\*/|-->)?\s*$")


class TodoSource:
    """Notes in comments: what is missing, where, and whose it is."""

    name = "todo"
    threshold = 0.4

    def discover(self, project: Project, known: Mapping[str, str]) -> Changes:
        """Files whose size or time is new, by looking at the folders only."""
        now = {path: f"{stamp.size}:{stamp.mtime_ns}" for path, stamp in sweep(project).files.items()}
        changed = tuple(Item(path, mark) for path, mark in now.items() if known.get(path) != mark)
        return Changes(changed, tuple(path for path in known if path not in now))

    def read(self, project: Project, items: Sequence[Item]) -> Iterator[Reading]:
        """One reading for each file, with as many units as it has notes."""
        for item in items:
            file = read_text(project, item.key)
            if isinstance(file, Skipped):
                problems = (Problem(item.key, file.detail or file.reason),) if file.reason == "unreadable" else ()
                yield Reading(item.key, (), problems)
            else:
                yield Reading(item.key, tuple(self._notes(file)))

    def cite(self, unit: Unit) -> tuple[Citation, ...]:
        """The line of the note."""
        return unit.citations

    def compressors(self) -> Mapping[str, Compressor]:
        """A note is one line already; under pressure the name in brackets goes."""
        return {"heavy": _without_owner}

    def _notes(self, file: TextFile) -> Iterator[Unit]:
        seen: Counter[str] = Counter()
        for number, line in enumerate(file.text.split("\n"), start=1):
            match = NOTE.search(line)
            if match is None or not match["what"]:
                continue
            what, span = match["what"], Span(number, number)
            yield Unit(
                # By what it says, not where it stands: the id survives when lines move.
                id=unit_id(self.name, file.path, "todo", what, seen[what]),
                source=self.name,
                kind="todo",
                title=what[:80],
                text=match[0].strip(),
                path=file.path,
                span=span,
                lang=file.lang,
                role=file.role,
                citations=(Citation.of_file(file.path, span),),
                meta={"owner": match["who"]} if match["who"] else {},
            )
            seen[what] += 1


def _without_owner(unit: Unit, text: str, limit: int) -> str:
    owner = unit.meta.get("owner")
    shorter = text.replace(f"({owner})", "", 1) if owner else text
    return " ".join(shorter.split()[:limit])  # a word is at least one token
