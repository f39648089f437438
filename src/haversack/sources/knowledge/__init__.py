"""A project's own knowledge (`.context/`): rules, tasks, conventions, decisions, learnings, terms, journal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from haversack.model import Citation, Status, Unit
from haversack.sources.protocol import Compressor, TextFile

NAME: Final = "knowledge"
FOLDER: Final = ".context"
PROBLEMS: Final = "problems"
"""The key under which a unit's metadata says what is wrong with its text."""


class KnowledgeSource:
    """Reads a knowledge file into one "file" unit and one unit per entry, rule, task, convention or term."""

    name: str = NAME
    threshold: float = 0.3

    def claims(self, path: str, lang: str) -> bool:  # noqa: ARG002 - the protocol asks every file source the same way
        """Whether the file is in a knowledge folder."""
        return inside(path) is not None

    def units(self, file: TextFile) -> Iterable[Unit]:
        """The file's units in order; each line belongs to the innermost one, comments and index tables to none."""
        from haversack.sources.knowledge.units import units_of  # parsers that only new files need

        return units_of(file)

    def cite(self, unit: Unit) -> tuple[Citation, ...]:
        """The file and the lines of the entry."""
        return unit.citations

    def compressors(self) -> Mapping[str, Compressor]:
        """Light takes away what only decorates; the rest are the levels for prose."""
        from haversack.sources.docs.compress import light

        return {"light": light}


def inside(path: str) -> str | None:
    """The path below the knowledge folder, or None when the file is not in one."""
    _, found, below = f"/{path}".partition(f"/{FOLDER}/")
    return below if found else None


def is_closed(unit: Unit) -> bool:
    """Whether it is over: superseded, archived, or a task that is done or skipped."""
    return unit.status is Status.SUPERSEDED or unit.meta.get("state") in ("done", "skipped")
