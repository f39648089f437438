"""What the user wants in the packet whatever the task: by id, path, glob, lines of a file, or symbol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from haversack.errors import NotFoundError
from haversack.index import symbolic
from haversack.index.units import UnitReader
from haversack.model import Unit, named_lines

if TYPE_CHECKING:
    from haversack.index.snapshot import Snapshot
    from haversack.index.store import Store


def pinned_units(store: Store, pins: Sequence[str]) -> dict[str, Unit]:
    """The units that must be in, by id; NotFoundError for a name that nothing has."""
    snapshot = store.snapshot()
    reader = UnitReader(store, snapshot)
    found: dict[str, Unit] = {}
    for pin in pins:
        units = reader.at(_positions(snapshot, pin)) or _on_lines(reader, pin)
        if not units:
            raise NotFoundError(f"nothing to pin is called {pin!r}", hint=f'try: haversack search "{pin}"')
        found.update((unit.id, unit) for unit in units)
    return found


def _positions(snapshot: Snapshot, pin: str) -> list[int]:
    position = symbolic.by_id(snapshot, pin)
    if position is not None:
        return [position]
    found = symbolic.defined(snapshot, [pin])[0]
    return found or [p for p in map(snapshot.first_position, symbolic.paths(snapshot, pin)) if p >= 0]


def _on_lines(reader: UnitReader, pin: str) -> list[Unit]:
    """The innermost pieces that stand on these lines of a file."""
    named = named_lines(pin)
    if named is None:
        return []
    path, asked = named
    found: list[Unit] = []
    for item in symbolic.paths(reader.snapshot, path):
        on = [unit for unit in reader.of_item(item) if unit.span is not None and unit.span.overlaps(asked)]
        found += [unit for unit in on if not any(other is not unit and _holds(unit, other) for other in on)]
    return found


def _holds(outer: Unit, inner: Unit) -> bool:
    return bool(outer.span and inner.span and outer.span.start <= inner.span.start and inner.span.end <= outer.span.end)
