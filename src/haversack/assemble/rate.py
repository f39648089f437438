"""One file looked at closely: its units' scores for a task, or its text at a level of detail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from haversack.assemble.request import settle
from haversack.assemble.run import writer_of
from haversack.errors import NotFoundError, UsageError
from haversack.index.units import UnitReader
from haversack.model import Level, Scored, Unit
from haversack.pack.levels import StubInfo
from haversack.pack.levels.ladder import shortened_file
from haversack.pack.levels.leveled import STRENGTHS, level_named
from haversack.retrieve.candidates import Gatherer
from haversack.retrieve.understand import understand
from haversack.score import Part, explain, score
from haversack.sources.code.stored import stored_outline

if TYPE_CHECKING:
    from haversack.assemble.run import Opened


class ScoredFile(Struct, frozen=True):
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
    gatherer = Gatherer(opened.store, opened.embedder, learned=opened.learned)
    first = snapshot.first_position(item)
    positions = range(first, first + snapshot.items[item].count) if first >= 0 else ()
    understood = understand(task)
    # As in a packet: what was found by walking from elsewhere knows how far away that was.
    found = {each.unit.id: each.features for each in gatherer.gather(understood, sources=opened.sources.names)}
    rated = [
        ScoredFile(score(each.unit, features, request.profile), explain(features, request.profile))
        for each in gatherer.describe(understood, list(positions))
        for features in [found.get(each.unit.id, each.features)]
    ]
    return tuple(sorted(rated, key=lambda each: (-each.scored.score, each.scored.unit.id)))


class Summary(Struct, frozen=True):
    """A file shortened: its text, what that costs, and the level it is at."""

    path: str
    level: str
    tokens: int
    text: str


def summarize_path(opened: Opened, path: str, level: str | None, tokens: int | None) -> Summary:
    """The file at that level, or as strongly compressed as so many tokens need; a summary when neither is said."""
    named = _level(level, tokens)
    if tokens is not None and tokens < 0:
        raise UsageError(f"{tokens} tokens hold nothing", hint="give a number from 0 on")
    request = settle(opened.config, "-", sources=())
    file = opened.texts.file(path)
    if file is None:
        raise NotFoundError(f"{path} cannot be read", hint="give a text file of the project, as a path from its root")
    lines = file.text.count("\n") + (not file.text.endswith("\n"))
    units = _units(opened, path)
    unit = units[0] if units else None
    made = shortened_file(
        file.text,
        file.lang,
        named,
        tokens,
        outline=stored_outline(units) if units else None,
        limits=request.limits,
        count=request.counter.count,
        info=StubInfo(path, "file", file.lang, file.mtime_ns / 1e9, lines),
        unit=unit,
        compressors=opened.sources.compressors(unit.source) if unit is not None else {},
    )
    writer = writer_of(opened)
    if writer is not None and unit is not None:
        (made,) = writer.rewritten(replace(unit, text=file.text), (made,), request.counter.count)
    return Summary(path, str(made.level), made.tokens, made.text)


def _level(word: str | None, tokens: int | None) -> Level | None:
    """The level asked for; None where the number of tokens decides."""
    if word is None:
        return Level.SUMMARY if tokens is None else None
    named = level_named(word)
    if named is None:
        known = ", ".join((*Level, *(each for each in STRENGTHS.values() if each not in tuple(Level))))
        raise UsageError(f"unknown level {word!r}", hint=f"known levels: {known}")
    return named


def _units(opened: Opened, path: str) -> Sequence[Unit]:
    """What the index holds of the file, the whole of it first; nothing when it is not there."""
    opened.refresh()
    snapshot = opened.store.snapshot()
    item = snapshot.positions_by_key.get(path)
    found = item is not None and snapshot.first_position(item) >= 0
    return UnitReader(opened.store, snapshot).of_item(item) if item is not None and found else ()
