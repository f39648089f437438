"""Edges that words make: how often the project speaks of a unit, and what a unit and the task both name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from msgspec.structs import replace

from haversack.index.prepare import USES
from haversack.index.relational import COMMON_NAME
from haversack.index.segment import Array, distinct
from haversack.index.symbolic import defined
from haversack.index.terms import term_hash
from haversack.model import Features, Task, Unit
from haversack.sources.docs.mentions import codes

if TYPE_CHECKING:
    from haversack.index.snapshot import Snapshot
    from haversack.index.units import UnitReader

_NO_ADDRESS = re.compile(r"[^\w\s-]")
SHORTEST_NAME = 4  # letters; a shorter name in prose is a word
_counted: WeakKeyDictionary[Snapshot, dict[int, int]] = WeakKeyDictionary()


def mention_counts(snapshot: Snapshot, units: Mapping[int, Unit]) -> Mapping[int, int]:
    """For each position how many pieces of prose elsewhere name its file, or what it is called."""
    known = _counted.setdefault(snapshot, {})  # the same for every task
    names = {position: (*_path(unit), *_called(unit)) for position, unit in units.items() if position not in known}
    prose = _prose(snapshot)
    asked = list(dict.fromkeys(name for called in names.values() for name in called))
    found = snapshot.postings([term_hash(name, USES) for name in asked])
    users = {name: positions[prose[positions]] for name, (positions, _) in zip(asked, found, strict=True)}
    for position, called in names.items():
        known[position] = _elsewhere(snapshot, position, [users[name] for name in called])
    return known


def _prose(snapshot: Snapshot) -> Array:
    code = snapshot.sources.get("code")
    return snapshot.alive if code is None else snapshot.alive & ~code


def _path(unit: Unit) -> tuple[str, ...]:
    """The path that speaks for the unit; that of a document says nothing about one of its sections or entries."""
    return (unit.path,) if unit.path and (unit.source == "code" or unit.kind == "file") else ()


def _called(unit: Unit) -> tuple[str, ...]:
    """What prose calls the unit: a symbol by its name, a document or an entry by its number."""
    others = unit.meta.get("names") if unit.source != "code" else None
    name = (unit.name,) if unit.source == "code" and unit.kind != "file" and len(unit.name) >= SHORTEST_NAME else ()
    return tuple(dict.fromkeys((*name, *(others if isinstance(others, tuple) else ()))))


def _elsewhere(snapshot: Snapshot, position: int, users: Sequence[Array]) -> int:
    """How many of these stand in another file: a document does not recommend itself."""
    some = [each for each in users if len(each)]
    if not some:
        return 0
    positions = some[0] if len(some) == 1 else distinct(np.concatenate(some))
    return int((snapshot.item_of[positions] != snapshot.item_of[position]).sum())


def shared_with_task(unit: Unit, features: Features, task: Task) -> Features:
    """The features with the number of things that a piece of prose and the task both name, and the depth of that."""
    named = frozenset((*task.paths, *task.identifiers, *task.modules))
    shared = sum(_names(ref, named) for ref in unit.refs) if named and unit.source != "code" else 0
    if not shared:
        return features
    depth = 1 if features.depth is None else min(features.depth, 1)
    return replace(features, mentions=features.mentions + shared, depth=depth)


def _names(ref: str, named: frozenset[str]) -> bool:
    """Whether the task names it, too, as it stands or by the end of its path."""
    return ref in named or any(f"/{ref}".endswith(f"/{path}") for path in named if "." in path)


def section_called(reader: UnitReader, item: int, part: str) -> Unit | None:
    """The section or entry that `path#part` means, by its heading as it stands or as an address is made of it."""
    wanted = _slug(part)
    return next((unit for unit in reader.of_item(item) if wanted in (_slug(unit.name), _slug(unit.title))), None)


def _slug(heading: str) -> str:
    return _NO_ADDRESS.sub("", heading.strip().lower()).replace(" ", "-")


def coded(snapshot: Snapshot, task: Task) -> list[int]:
    """Documents and entries that the task names by number: `ADR-5`, `ABC-123`, `#12`."""
    asked = codes(task.text)
    if not asked:
        return []
    commits = snapshot.sources.get("commits")
    found = []
    for positions in defined(snapshot, asked):
        said = [p for p in positions if commits is None or not commits[p]]
        found += said if len(said) <= COMMON_NAME else []
    return found
