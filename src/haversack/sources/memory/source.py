"""The sources that mirror the memory store into the index, a page of rows at a time."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from haversack.memory.database import DATABASE, EXPERIENCES, MEMORIES, VALUES
from haversack.model import Citation, Unit
from haversack.sources.protocol import Changes, Compressor, Item, Reading

if TYPE_CHECKING:
    from haversack.memory.store import MemoryStore
    from haversack.project import Project

# Seed 001's minimum: what somebody took the trouble to remember competes early.
THRESHOLD = 0.3
# Changes when units of the same rows would come out different, so that all are made anew.
FORMAT = "2"
HEAD = "HEAD"
# Files that changed this recently may change again within one tick of their clock, and look the same.
RESTING_NS = 100_000_000

_Files: TypeAlias = tuple[tuple[str, int, int, int], ...]


def _at_rest(files: _Files) -> bool:
    return all(changed < time.time_ns() - RESTING_NS for *_, changed in files)


class _Mirror(ABC):
    """Pages of one kind of row. The key HEAD holds which database they came from and the last change seen of it.

    While that change is still the last, nothing is compared: a hundred thousand memories cost one question, and none
    while the files of the database stand as they stood. The key comes last, so that an interrupted reading is taken up
    again.
    """

    name: str
    kind: str
    threshold = THRESHOLD

    def __init__(self, folder: str = "") -> None:
        self.folder = Path(folder) if folder else None
        self._unchanged: tuple[str, _Files] | None = None

    def discover(self, _project: Project, known: Mapping[str, str]) -> Changes:
        """Pages with changed rows; all of them when another database stands in the old one's place."""
        before = known.get(self._key(HEAD), "")
        files = self._files()
        if before and self._unchanged == (before, files):
            return Changes()
        store = self._open()
        if store is None:
            return Changes(gone=tuple(sorted(known)))
        with closing(store):
            database, head = store.database, store.database.head(self.kind)
            stamp = f"{database.name}:{FORMAT}:"
            if before == f"{stamp}{head}":
                self._unchanged = (before, files) if _at_rest(files) else None
                return Changes()
            pages = database.pages(self.kind, after=int(before.removeprefix(stamp)) if before.startswith(stamp) else 0)
        items = [Item(self._key(f"{page:06d}"), f"{stamp}{change}") for page, change in pages]
        head = max((change for _, change in pages), default=0)
        gone = () if before.startswith(stamp) else tuple(sorted(known.keys() - {item.key for item in items}))
        return Changes((*items, Item(self._key(HEAD), f"{stamp}{head}")), gone)

    def read(self, _project: Project, items: Sequence[Item]) -> Iterator[Reading]:
        """The units of each page as its rows are now."""
        store = self._open()
        for item in items:
            page = item.key.rpartition(":")[2]
            units = self._units(store, int(page)) if store is not None and page != HEAD else iter(())
            yield Reading(item.key, tuple(units))
        if store is not None:
            store.close()

    def cite(self, unit: Unit) -> tuple[Citation, ...]:
        """What the record cites, and the record itself."""
        return unit.citations

    def compressors(self) -> Mapping[str, Compressor]:
        """None of its own: records are short."""
        return {}

    @abstractmethod
    def _units(self, store: MemoryStore, page: int) -> Iterator[Unit]:
        """The units of one page of rows, by what kind of record they are."""

    def _key(self, name: str) -> str:
        return f"{self.kind}:{name}"

    def _files(self) -> _Files:
        """How the database and what was written to it since stand on disk; a file that is not there is left out."""
        found = []
        if self.folder is not None:
            for path in (self.folder / DATABASE, self.folder / f"{DATABASE}-wal"):
                with suppress(OSError):
                    seen = path.stat()
                    found.append((path.name, seen.st_ino, seen.st_size, seen.st_mtime_ns))
        return tuple(found)

    def _open(self) -> MemoryStore | None:
        """The store, or None while nothing was ever remembered."""
        if self.folder is None or not (self.folder / DATABASE).exists():
            return None
        from haversack.memory.store import MemoryStore

        return MemoryStore(self.folder)


class MemoriesSource(_Mirror):
    """Memories that hold. One that was superseded is on record in the store and offered to nobody."""

    name = "memories"
    kind = MEMORIES

    def _units(self, store: MemoryStore, page: int) -> Iterator[Unit]:
        from haversack.sources.memory.units import memory_unit

        return map(memory_unit, store.memories(page=page))


class ExperiencesSource(_Mirror):
    """Experiences that came to an end, one unit for each axis."""

    name = "experiences"
    kind = EXPERIENCES

    def _units(self, store: MemoryStore, page: int) -> Iterator[Unit]:
        from haversack.sources.memory.units import experience_units

        for experience in store.experiences(page=page):
            yield from experience_units(experience)


class ValuesSource(_Mirror):
    """Principles that experiences have in common."""

    name = "values"
    kind = VALUES

    def _units(self, store: MemoryStore, page: int) -> Iterator[Unit]:
        from haversack.sources.memory.units import value_unit

        return map(value_unit, store.values(page=page))
