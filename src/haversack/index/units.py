"""Units by position: the bridge from numbers back to things one can read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from haversack.errors import StoreError
from haversack.index.symbolic import by_id
from haversack.model import Unit

if TYPE_CHECKING:
    from haversack.index.snapshot import Snapshot
    from haversack.index.store import Store


class SnapshotGoneError(StoreError):
    """Another process replaced what a snapshot points to; asking again with a fresh one answers."""

    def __init__(self) -> None:
        super().__init__("the index changed while it was read", hint="ask again")


class UnitReader:
    """Reads units of one snapshot."""

    def __init__(self, store: Store, snapshot: Snapshot) -> None:
        self._store = store
        self.snapshot = snapshot

    def at(self, positions: Sequence[int]) -> list[Unit]:
        """The units at these positions, in this order; SnapshotGoneError when a newer write took one away."""
        items = self.snapshot.items
        numbers = [int(self.snapshot.item_of[p]) for p in positions]
        rows = self._store.units(list(dict.fromkeys(items[n].row for n in numbers)))
        found = []
        for position, number in zip(positions, numbers, strict=True):
            info = items[number]
            units = rows[info.row]
            local = position - int(self.snapshot.bases[info.segment]) - info.first
            if local >= len(units):
                raise SnapshotGoneError
            found.append(units[local])
        return found

    def inside(self, unit: Unit) -> list[Unit]:
        """The unit, then those that lie inside it, in order; only the unit when it is of an older snapshot."""
        position = by_id(self.snapshot, unit.id)
        if position is None or unit.span is None:
            return [unit]
        item = self.snapshot.items[int(self.snapshot.item_of[position])]
        units = self._store.units([item.row])[item.row]
        found = [unit]
        for place in range(position - int(self.snapshot.bases[item.segment]) - item.first + 1, len(units)):
            span = units[place].span
            if span is None or span.start < unit.span.start or span.end > unit.span.end:
                break
            found.append(units[place])
        return found

    def of_item(self, item: int) -> Sequence[Unit]:
        """All units of one item in order."""
        row = self.snapshot.items[item].row
        return self._store.units([row])[row]
