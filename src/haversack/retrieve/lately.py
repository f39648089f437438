"""Where work went on lately: the next change is often near the last ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log1p, log2
from weakref import WeakKeyDictionary

from haversack.index.relational import LARGE_COMMIT
from haversack.index.snapshot import Snapshot
from haversack.index.units import UnitReader

COMMITS = 100  # newest ones that count
LOOKED_AT = 150  # newest ones that are read: merges among them name no files
OF_FOLDERS = 20  # newest ones whose folders count

Changes = Sequence[Sequence[str]]
_known: WeakKeyDictionary[Snapshot, Changes] = WeakKeyDictionary()


def newest_changes(snapshot: Snapshot, reader: UnitReader) -> Changes:
    """The files of the newest commits that name any, newest first."""
    found = _known.get(snapshot)
    if found is None:
        items = snapshot.items
        commits = [number for number in snapshot.items_by_source.get("commits", ()) if items[number].count]
        newest = sorted(commits, key=lambda n: (-(items[n].time or 0.0), items[n].key))[:LOOKED_AT]
        units = reader.at([snapshot.first_position(number) for number in newest])
        named = [files for unit in units if isinstance(files := unit.meta.get("files"), tuple) and files]
        found = _known[snapshot] = named[:COMMITS]
    return found


def lately(changes: Changes, paths: Iterable[str]) -> list[tuple[float, float]]:
    """For each path how lately it was changed, 1 for the newest commit, and how busy its folder was.

    A commit of many files means none of them.
    """
    last: dict[str, float] = {}
    busy: Counter[str] = Counter()
    for age, files in enumerate(changes):
        if len(files) > LARGE_COMMIT:
            continue
        for path in files:
            last.setdefault(path, 1 / log2(2 + age))
        if age < OF_FOLDERS:
            busy.update({_folder(path) for path in files})
    return [(last.get(path, 0.0), log1p(busy[_folder(path)])) for path in paths]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
