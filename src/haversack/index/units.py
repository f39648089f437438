"""Units by position: the bridge from numbers back to things one can read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from haversack.errors import StoreError
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

    def memos(self, source: str) -> list[bytes]:
        """What a source remembers, in the order of its items' keys; SnapshotGoneError when a newer write took one."""
        own = (self.snapshot.items[number] for number in self.snapshot.items_by_source.get(source, ()))
        found = []
        for info in own:
            memo = b"" if info.count else self._store.memo(info.row)
            if memo is None:
                raise SnapshotGoneError
            found.append(memo)
        return [memo for memo in found if memo]

    def inside(self, unit: Unit) -> list[Unit]:
        """The unit, then those that lie inside it, in order; only the unit when it is of an older snapshot."""
        item = self.snapshot.item(unit.path or "")
        if item is None or item.segment < 0 or unit.span is None:
            return [unit]
        units = self._store.units([item.row])[item.row]
        first = int(self.snapshot.bases[item.segment]) + item.first
        # Lines are compared before units are made of them: a file has hundreds.
        starts = self.snapshot.starts[first : first + len(units)].tolist()
        ends = self.snapshot.ends[first : first + len(units)].tolist()
        start, end = unit.span.start, unit.span.end
        for place in range(len(units)):
            if starts[place] == start and ends[place] == end and units[place].id == unit.id:
                last = place + 1
                while last < len(units) and starts[last] >= start and ends[last] <= end:
                    last += 1
                return [unit, *units[place + 1 : last]]
        return [unit]

    def file_of(self, unit: Unit) -> Unit | None:
        """The file that the unit stands in, as a unit."""
        item = self.snapshot.item(unit.path or "")
        units = self._store.units([item.row])[item.row] if item is not None and item.segment >= 0 else ()
        return units[0] if units and units[0].kind == "file" else None

    def of_item(self, item: int) -> Sequence[Unit]:
        """All units of one item in order."""
        row = self.snapshot.items[item].row
        return self._store.units([row])[row]
