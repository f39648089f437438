"""The neighbourhood of a symbol or a file: what defines it, uses it, what it uses, its tests, what changes with it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from haversack.errors import NotFoundError
from haversack.index import relational, symbolic
from haversack.index.records import KIND_CODE
from haversack.index.relational import CoChange
from haversack.index.units import UnitReader
from haversack.model import Unit

if TYPE_CHECKING:
    from haversack.index.snapshot import Snapshot
    from haversack.index.store import Store

SHOWN = 50  # of each kind; a name used everywhere is not explained by its thousandth use


class Neighbourhood(Struct, frozen=True):
    """Units in the order of path and line; files as paths."""

    symbol: str
    definitions: tuple[Unit, ...]
    callers: tuple[Unit, ...]
    callees: tuple[Unit, ...]
    imports: tuple[str, ...]
    imported_by: tuple[str, ...]
    tests: tuple[Unit, ...]
    co_changes: tuple[CoChange, ...]


def neighbourhood(store: Store, symbol: str) -> Neighbourhood:
    """For a symbol's name (plain or qualified), a unit id or a path."""
    snapshot = store.snapshot()
    reader = UnitReader(store, snapshot)
    found = symbolic.defined(snapshot, [symbol])[0]
    by_id = symbolic.by_id(snapshot, symbol)
    if by_id is not None:
        found = [by_id]
    if not found:
        found = [p for p in map(snapshot.first_position, symbolic.paths(snapshot, symbol)) if p >= 0]
    if not found:
        found = symbolic.named_like(snapshot, symbol)
    if not found:
        raise NotFoundError(f"no symbol or file is called {symbol!r}", hint=f'try: haversack search "{symbol}"')
    definitions = _ordered(reader.at(found[:SHOWN]))
    names = dict.fromkeys(unit.name for unit in definitions if unit.name)
    users = _innermost(snapshot, [p for group in relational.users(snapshot, names) for p in group])
    tests = [p for p in users if relational.is_test(snapshot, p)]
    callers = [p for p in users if not relational.is_test(snapshot, p)]
    callees = [p for unit in definitions for group in relational.uses(snapshot, unit).values() for p in group]
    files = dict.fromkeys(unit.path for unit in definitions if unit.path)
    items = [snapshot.positions_by_key[path] for path in files]
    imports, importers, together = [], [], []
    for item in items[:5]:
        first = snapshot.first_position(item)
        imports += relational.imports(snapshot, reader.at([first])[0])
        importers += relational.imported_by(snapshot, reader, item)
        together += relational.co_changes(snapshot, reader, snapshot.items[item].key)
    return Neighbourhood(
        symbol=symbol,
        definitions=definitions,
        callers=_ordered(reader.at(_without(callers, found)[:SHOWN])),
        callees=_ordered(reader.at(_without(callees, found)[:SHOWN])),
        imports=_paths(snapshot.items[i].key for i in imports),
        imported_by=_paths(snapshot.items[i].key for i in importers),
        tests=_ordered(reader.at(_without(tests, found)[:SHOWN])),
        co_changes=tuple(sorted(together, key=lambda c: (-c.times, c.path))[:20]),
    )


def _innermost(snapshot: Snapshot, users: list[int]) -> list[int]:
    """Without the files whose functions are there themselves: a file uses a name mostly because it imports it."""
    files = {p for p in users if snapshot.kinds[p] == KIND_CODE["file"]}
    inside = {int(snapshot.item_of[p]) for p in users if p not in files}
    return [p for p in users if p not in files or int(snapshot.item_of[p]) not in inside]


def _without(positions: Iterable[int], found: Iterable[int]) -> list[int]:
    known = set(found)
    return [p for p in dict.fromkeys(positions) if p not in known]


def _ordered(units: Iterable[Unit]) -> tuple[Unit, ...]:
    return tuple(sorted(units, key=lambda unit: (unit.path or "", unit.span.start if unit.span else 0, unit.id)))


def _paths(keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(keys)))
