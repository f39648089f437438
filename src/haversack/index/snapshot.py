"""A consistent, read-only view of the index: all segments side by side, the dead masked out."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, groupby, pairwise, repeat
from operator import attrgetter

import msgspec
import numpy as np

from haversack.index.segment import Array, Segment

# BM25's usual constants; bench/localize.py moves them if the tasks say so.
BM25_K1 = 1.2
BM25_B = 0.75
COARSE = 64  # leading dimensions of a vector that a first pass reads; a model orders its dimensions by what they tell
NO_UNITS: Array = np.zeros(0, dtype=np.int64)
NO_COUNTS: Array = np.zeros(0, dtype=np.uint8)
PACKAGE_FILES = frozenset({"__init__", "index", "mod", "lib"})  # files that stand for their folder when imported


def plain(name: str) -> str:
    """A name without case and separators, as one term of a text would say it."""
    return name.lower().replace("_", "").replace("-", "")


class ItemInfo(msgspec.Struct, frozen=True, gc=False):
    """What the snapshot knows of an item without decoding its units."""

    row: int
    source: str
    key: str
    lang: str
    role: str
    time: float | None
    digest: str
    segment: int
    first: int
    count: int
    in_file: bool = True
    """Whether the key is the path of a project file."""


class Snapshot:
    """Positions number all units of all segments; `alive` says which still exist."""

    def __init__(self, generation: int, segments: Sequence[Segment], items: Sequence[ItemInfo]) -> None:
        self.generation = generation
        self.segments = tuple(segments)
        self.items = tuple(items)
        self.bases = np.cumsum([0, *(len(s) for s in segments)], dtype=np.int64)
        total = int(self.bases[-1])
        # Items without units have segment -1 and own no positions; positions that no item owns are dead.
        self.item_of: Array = np.full(total, -1, dtype=np.int32)
        owned = [(n, each.segment, each.first, each.count) for n, each in enumerate(self.items) if each.segment >= 0]
        if owned:
            number, segment, first, count = np.asarray(owned, dtype=np.int64).T
            before = np.cumsum(count) - count
            places = np.repeat(self.bases[segment] + first - before, count) + np.arange(int(count.sum()))
            self.item_of[places] = np.repeat(number, count)
        self.alive: Array = self.item_of >= 0

    def _column(self, name: str) -> Array:
        if not self.segments:
            return np.zeros(0, dtype=np.int64)
        return np.concatenate([getattr(segment, name) for segment in self.segments])

    @cached_property
    def lengths(self) -> Array:
        return self._column("lengths")

    @cached_property
    def kinds(self) -> Array:
        return self._column("kinds")

    @cached_property
    def roles(self) -> Array:
        return self._column("roles")

    @cached_property
    def starts(self) -> Array:
        return self._column("starts")

    @cached_property
    def ends(self) -> Array:
        return self._column("ends")

    @cached_property
    def coarse_vectors(self) -> Array:
        """The leading dimensions of all vectors side by side: a first pass over them reads a quarter of the memory."""
        if not self.segments:
            return np.zeros((0, 0), dtype=np.int8)
        return np.concatenate([segment.vectors[:, :COARSE] for segment in self.segments])

    @cached_property
    def sources(self) -> dict[str, Array]:
        """For each source which positions are its own."""
        codes = {name: code for code, name in enumerate(sorted({item.source for item in self.items}))}
        of_item = np.asarray([codes[item.source] for item in self.items] or [0], dtype=np.int16)
        of_position = of_item[self.owners]
        return {name: self.alive & (of_position == code) for name, code in codes.items()}

    @cached_property
    def items_by_source(self) -> dict[str, list[int]]:
        """For each source the numbers of its items."""
        found: dict[str, list[int]] = {}
        first = 0
        for source, items in groupby(self.items, key=attrgetter("source")):  # they stand together, source by source
            last = first + sum(1 for _ in items)
            found.setdefault(source, []).extend(range(first, last))
            first = last
        return found

    @cached_property
    def _files(self) -> list[tuple[int, str, str]]:
        """The number, folder and name of every item that is a file; not a commit or a message."""
        parted = ((number, item.key.rpartition("/")) for number, item in enumerate(self.items) if item.in_file)
        return [(number, folder, name) for number, (folder, _, name) in parted]

    @cached_property
    def newest(self) -> float:
        """The latest time of any item: the index's own now, so that answers do not change with the clock."""
        return max((item.time for item in self.items if item.time is not None), default=0.0)

    @cached_property
    def count(self) -> int:
        """How many units are alive."""
        return int(self.alive.sum())

    @cached_property
    def mean_length(self) -> float:
        return float(self.lengths[self.alive].mean()) if self.count else 1.0

    @cached_property
    def item_lengths(self) -> Array:
        """Terms per item."""
        return np.bincount(
            self.item_of[self.alive], weights=self.lengths[self.alive], minlength=len(self.items)
        ).astype(np.float32)

    @cached_property
    def times(self) -> Array:
        """When each item was made, in seconds; not a number where nobody knows."""
        return np.asarray([np.nan if item.time is None else item.time for item in self.items], dtype=np.float64)

    @cached_property
    def length_norm(self) -> Array:
        """BM25's length normalisation per position."""
        relative = self.lengths / np.float32(max(self.mean_length, 1.0))
        return (BM25_K1 * (1 - BM25_B + BM25_B * relative)).astype(np.float32)

    @cached_property
    def positions_by_key(self) -> dict[str, int]:
        """Item number by key (a path, a commit)."""
        return {item.key: number for number, item in enumerate(self.items)}

    def item(self, key: str) -> ItemInfo | None:
        """The item of that key."""
        number = self.positions_by_key.get(key)
        return None if number is None else self.items[number]

    @cached_property
    def items_by_stem(self) -> dict[str, list[int]]:
        """File items by the file's name without ending; package files by their folder's name too."""
        found: dict[str, list[int]] = {}
        for number, folder, name in self._files:
            stem = name.partition(".")[0]
            found.setdefault(stem, []).append(number)
            if stem in PACKAGE_FILES and folder:
                found.setdefault(folder.rpartition("/")[2], []).append(number)
        return found

    @cached_property
    def listed_paths(self) -> str:
        """The paths of all files, each on a line between slashes: tells at once that a part of a path is nowhere."""
        return "\n".join(f"/{item.key}/" for item in self.items if item.in_file)

    @cached_property
    def items_by_plain_stem(self) -> dict[str, list[int]]:
        """File items by the file's name without ending, case and separators: as one term of a text would name it."""
        found: dict[str, list[int]] = {}
        for stem, items in self.items_by_stem.items():
            found.setdefault(plain(stem), []).extend(items)
        return found

    @cached_property
    def _items_in(self) -> dict[str, list[int]]:
        """For each folder below the roots, in their order, the file items that stand in it and not in one below."""
        found: dict[str, list[int]] = {}
        for number, folder, _ in self._files:
            found.setdefault(folder, []).append(number)
        for folder in [*found]:
            while (folder := folder.rpartition("/")[0]) not in found:
                found[folder] = []
        found.pop("", None)
        return dict(sorted(found.items()))

    @cached_property
    def _folders(self) -> list[str]:
        return [*self._items_in]

    def items_below(self, folder: str) -> list[int]:
        """The file items in a folder and in the folders below."""
        # What begins with "folder/" stands together and before "folder0": "0" is the character after the slash.
        first, last = (bisect_left(self._folders, folder + sign) for sign in "/0")
        inner = (self._items_in[each] for each in self._folders[first:last])
        return [*self._items_in.get(folder, ()), *chain.from_iterable(inner)]

    @cached_property
    def folders_by_plain_name(self) -> dict[str, list[str]]:
        """Folders by their name without case and separators."""
        found: dict[str, list[str]] = {}
        for folder in self._folders:
            found.setdefault(plain(folder.rpartition("/")[2]), []).append(folder)
        return found

    @cached_property
    def in_files(self) -> Array:
        """For every item 1 if it is a file, else 0."""
        return np.asarray([item.in_file for item in self.items], dtype=np.float32)

    @cached_property
    def folder_of(self) -> Array:
        """For every item the number of its folder; what is no file has one of its own together."""
        numbers: dict[str, int] = {}
        found = np.zeros(len(self.items), dtype=np.int64)
        if self._files:
            items, folders, _ = zip(*self._files, strict=True)
            found[[*items]] = [numbers.setdefault(folder, len(numbers) + 1) for folder in folders]
        return found

    def place(self, position: int) -> tuple[str, int]:
        """Where a unit stands, in words that do not depend on how the index came about: ties are broken by it."""
        return self.items[int(self.item_of[position])].key, int(self.starts[position])

    def first_position(self, item: int) -> int:
        """The position of an item's first unit (its file unit), or -1."""
        info = self.items[item]
        return int(self.bases[info.segment]) + info.first if info.segment >= 0 else -1

    def holds(self, hashes: Sequence[int]) -> list[bool]:
        """For each hash whether any segment has it; those it stands in may be dead."""
        wanted = np.asarray(hashes, dtype=np.int64)
        held: Array = np.zeros(len(wanted), dtype=bool)
        for segment in self.segments:
            held |= segment.slots(wanted) >= 0
        found: list[bool] = held.tolist()
        return found

    def postings(self, hashes: Sequence[int]) -> Iterator[tuple[Array, Array]]:
        """For each hash the living positions and counts, in the order asked."""
        wanted = np.asarray(hashes, dtype=np.int64)
        bases = self.bases.tolist()
        # Thousands are asked for in one task, most of them in one segment or in none, so the common ways are short.
        edges = zip(*(segment.edges(wanted) for segment in self.segments), strict=True)
        for places in edges if self.segments else repeat((), len(wanted)):
            units, counts = [], []
            for number, (start, end) in enumerate(places):
                if start < end:
                    segment = self.segments[number]
                    positions, times = segment.units[start:end].astype(np.int64), segment.counts[start:end]
                    if bases[number]:
                        positions += bases[number]
                    if not self._whole[number]:
                        keep = self.alive[positions]
                        positions, times = positions[keep], times[keep]
                    units.append(positions)
                    counts.append(times)
            if not units:
                yield NO_UNITS, NO_COUNTS
            elif len(units) == 1:
                yield units[0], counts[0]
            else:
                yield np.concatenate(units), np.concatenate(counts)

    @cached_property
    def _whole(self) -> list[bool]:
        """For each segment whether all its units are alive."""
        edges = self.bases.tolist()
        return [bool(self.alive[start:end].all()) for start, end in pairwise(edges)]

    @cached_property
    def owners(self) -> Array:
        """The item of each position, 0 where there is none: to look up what is known of items."""
        return np.maximum(self.item_of, 0)
