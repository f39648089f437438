"""One file looked at closely: its units' scores for a task, or its text at a level of detail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from haversack.assemble.request import settle
from haversack.errors import NotFoundError, UsageError
from haversack.index.units import UnitReader
from haversack.model import Level, Scored
from haversack.pack.levels import StubInfo
from haversack.pack.levels.ladder import summarize_file
from haversack.retrieve.candidates import Gatherer
from haversack.retrieve.understand import understand
from haversack.score import Part, explain, score

if TYPE_CHECKING:
    from haversack.assemble.run import Opened


@dataclass(frozen=True, slots=True)
class ScoredFile:
    """A unit of the file, its score, and the line of the bill for each factor."""

    scored: Scored
    parts: tuple[Part, ...]


def rate_file(opened: Opened, path: str, task: str, profile: str | None) -> tuple[ScoredFile, ...]:
    """Every unit of the file, best first."""
    opened.refresh()
    request = settle(opened.config.override({"pack.profile": profile}), task, sources=())
    snapshot = opened.store.snapshot()
    item = snapshot.positions_by_key.get(path)
    if item is None:
        raise NotFoundError(f"{path} is not in the index", hint="haversack status says what is skipped and why")
    gatherer = Gatherer(opened.store, opened.embedder)
    first = snapshot.first_position(item)
    positions = range(first, first + snapshot.items[item].count) if first >= 0 else ()
    rated = [
        ScoredFile(score(found.unit, found.features, request.profile), explain(found.features, request.profile))
        for found in gatherer.describe(understand(task), list(positions))
    ]
    return tuple(sorted(rated, key=lambda each: (-each.scored.score, each.scored.unit.id)))


def summarize_path(opened: Opened, path: str, level: str) -> str:
    """The file at that level."""
    if level not in tuple(Level):
        raise UsageError(f"unknown level {level!r}", hint=f"known levels: {', '.join(Level)}")
    request = settle(opened.config, "-", sources=())
    file = opened.texts.file(path)
    if file is None:
        raise NotFoundError(f"{path} cannot be read", hint="give a text file of the project, as a path from its root")
    lines = file.text.count("\n") + (not file.text.endswith("\n"))
    made = summarize_file(
        file.text,
        file.lang,
        Level(level),
        outline=opened.texts.outline(path) if _is_code(opened, path) else None,
        limits=request.limits,
        count=request.counter.count,
        info=StubInfo(path, "file", file.lang, file.mtime_ns / 1e9, lines),
    )
    return made.text


def _is_code(opened: Opened, path: str) -> bool:
    opened.refresh()
    snapshot = opened.store.snapshot()
    item = snapshot.positions_by_key.get(path)
    return item is not None and any(unit.source == "code" for unit in UnitReader(opened.store, snapshot).of_item(item))
