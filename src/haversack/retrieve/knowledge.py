"""A project's knowledge entry by entry: what there is, what of it still holds, in a stable order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from haversack.errors import UsageError
from haversack.index.read import MOST_UNITS
from haversack.index.units import UnitReader
from haversack.model import Problem, Status, Unit
from haversack.retrieve.liveness import judged, known
from haversack.sources.docs.conventions import convention_of
from haversack.sources.knowledge import inside
from haversack.sources.knowledge.dates import moment

if TYPE_CHECKING:
    from haversack.index.snapshot import Snapshot
    from haversack.index.store import Store
    from haversack.project import Project

# What counts as an entry; sections, files and turns of a journal are only where entries stand.
KINDS = (
    "rule", "task", "convention", "decision", "learning", "adr", "architecture", "term", "steering", "journal",
)  # fmt: skip
CLOSED = ("done", "skipped")
TEXTS = (".md", ".markdown", ".txt", ".jsonl")  # a knowledge folder may hold keys and databases, too


class Entry(Struct, frozen=True):
    """One piece of knowledge. `kind` is the unit's, except that a decision record's file is an "adr"."""

    unit: Unit
    kind: str
    position: int

    @property
    def status(self) -> str:
        """live, superseded, stale, or how a task ended: done, skipped."""
        state = self.unit.meta.get("state")
        return str(state) if state in CLOSED and self.unit.status is Status.LIVE else str(self.unit.status)

    @property
    def live(self) -> bool:
        """Whether it still holds; what is stale may."""
        return self.status in (Status.LIVE, Status.STALE)

    @property
    def time(self) -> float | None:
        """When it was written down: a record says so itself, its file only when it was touched."""
        if self.kind == "adr":
            return moment(str(self.unit.meta.get("adr.date") or ""), float("inf"))[0]
        return self.unit.time

    @property
    def date(self) -> str:
        """The day it was written down, empty when it does not say."""
        if self.time is not None:
            return datetime.fromtimestamp(self.time, UTC).date().isoformat()
        said = self.unit.meta.get("date") or self.unit.meta.get("added")
        return str(said)[:10] if said else ""


def entries(store: Store) -> list[Entry]:
    """Every entry, ended ones too, by kind and then as they stand in their files."""
    snapshot = store.snapshot()
    reader = UnitReader(store, snapshot)
    found: list[Entry] = []
    for number, item in enumerate(snapshot.items):
        if item.source == "knowledge":
            found += _of_file(snapshot, reader, number)
        elif item.source == "docs" and convention_of(item.key) == "adr":
            first = snapshot.first_position(number)
            found += [Entry(unit, "adr", first) for unit in (reader.at([first]) if first >= 0 else ())]
    found.sort(key=_order)
    return found


def judged_entries(project: Project, store: Store) -> list[Entry]:
    """The same, those that name things which are gone marked stale."""
    state = known(project, store)
    return [replace(each, unit=judged(each.unit, state)) if each.live else each for each in entries(store)]


def listed(
    project: Project, store: Store, *, kind: str | None = None, since: float | None = None, ended: bool = False
) -> tuple[Entry, ...]:
    """Entries of one kind or all, from a moment on or all; those that no longer hold only when asked for."""
    if kind is not None and kind not in KINDS:
        raise UsageError(f"there is no kind of knowledge called {kind!r}", hint=f"known kinds: {', '.join(KINDS)}")
    return tuple(
        each
        for each in judged_entries(project, store)
        if (ended or each.live)
        and (kind is None or each.kind == kind)
        and (since is None or (each.time is not None and each.time >= since))
    )


def _of_file(snapshot: Snapshot, reader: UnitReader, number: int) -> list[Entry]:
    first = snapshot.first_position(number)
    return [
        Entry(unit, unit.kind, first + offset)
        for offset, unit in enumerate(reader.of_item(number))
        if unit.kind in KINDS
    ]


def _order(entry: Entry) -> tuple[int, str, int, str]:
    unit = entry.unit
    return KINDS.index(entry.kind), unit.path or "", unit.span.start if unit.span else 0, unit.id


def problems(store: Store, skipped: Mapping[str, Iterable[str]] | None = None) -> tuple[Problem, ...]:
    """What is wrong with knowledge files, each with its line; `skipped` are files left out, by reason."""
    snapshot = store.snapshot()
    reader = UnitReader(store, snapshot)
    found = [
        Problem(path, f"is not read: {reason.replace('-', ' ')}", "`haversack status` says what is skipped and why")
        for reason, paths in {**(skipped or {}), **store.skipped()}.items()
        for path in paths
        if inside(path) is not None and path.lower().endswith(TEXTS)
    ]
    for number in snapshot.items_by_source.get("knowledge", ()):
        item = snapshot.items[number]
        if item.count >= MOST_UNITS:
            what = f"has more than {MOST_UNITS:,} entries; those past them are found only by reading the file"
            found.append(Problem(item.key, what, "split it into themed files, such as learnings/hooks.md"))
        for unit in reader.of_item(number):
            said = unit.meta.get("problems")
            line = f":{unit.span.start}" if unit.span and unit.kind != "file" else ""
            found += [Problem(f"{item.key}{line}", what) for what in (said if isinstance(said, tuple) else ())]
    return tuple(sorted(found, key=lambda each: (each.where, each.what)))
