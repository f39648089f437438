"""Segments: immutable, memory-mapped files that hold the numeric part of the index.

A segment is written once, never changed, and named by content-free random letters, so two writers never meet. It holds,
for a run of units numbered 0..n-1: postings sorted by term (terms, offsets, units, counts), and one row per unit in
`lengths kinds roles starts ends vectors`.
What was deleted since is not recorded here: a unit is dead when no item of the store owns its row any more.
"""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from haversack.errors import StoreError

MAGIC = b"HVSEG01\n"
ALIGN = 64  # a cache line: rows of vectors never straddle the start
SUFFIX = ".seg"

Array: TypeAlias = NDArray[Any]


def distinct(numbers: Array) -> Array:
    """The numbers in order, each once: as `np.unique` has it, whose first use loads a tenth of numpy anew."""
    ordered = np.sort(numbers)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


# What every segment holds. The element types are part of the format: changing one changes MAGIC.
COLUMNS: Mapping[str, str] = {
    "terms": "<i8",
    "offsets": "<u4",
    "units": "<u4",
    "counts": "|u1",
    "lengths": "<u4",
    "kinds": "|u1",
    "roles": "|u1",
    "starts": "<u4",
    "ends": "<u4",
    "vectors": "|i1",
}


class Segment(Struct, frozen=True):
    """An open segment; every column is a view into the mapped file."""

    name: str
    terms: Array
    offsets: Array
    units: Array
    counts: Array
    lengths: Array
    kinds: Array
    roles: Array
    starts: Array
    ends: Array
    vectors: Array

    def __len__(self) -> int:
        return len(self.lengths)

    def slots(self, hashes: Array) -> Array:
        """Where each hash stands in `terms`, -1 where it does not."""
        if not len(self.terms):
            return np.full(len(hashes), -1, dtype=np.int64)
        at = np.searchsorted(self.terms, hashes)
        at[at == len(self.terms)] = 0
        return np.where(self.terms[at] == hashes, at, -1)

    def edges(self, hashes: Array) -> list[tuple[int, int]]:
        """For each hash where its units and counts begin and end, twice the same where it has none."""
        if not len(self.terms):
            return [(0, 0)] * len(hashes)
        at = self.slots(hashes)
        ends = np.where(at >= 0, self.offsets[at + 1], self.offsets[at])
        return list(zip(self.offsets[at].tolist(), ends.tolist(), strict=True))


class Rows(Struct, frozen=True):
    """Numeric rows of some units before they become a segment: what a worker sends and what a merge collects.

    `pair_terms`, `pair_units`, `pair_counts` are the postings in any order; units count from 0.
    """

    pair_terms: Array
    pair_units: Array
    pair_counts: Array
    lengths: Array
    kinds: Array
    roles: Array
    starts: Array
    ends: Array
    vectors: Array

    def __len__(self) -> int:
        return len(self.lengths)


def concatenate(parts: Sequence[Rows]) -> Rows:
    """One run of rows; the units of later parts are numbered after the earlier ones."""
    parts = [part for part in parts if len(part)] or parts[:1]
    bases = np.cumsum([0, *(len(part) for part in parts)], dtype=np.uint32)
    units = [part.pair_units + base for part, base in zip(parts, bases[:-1], strict=True)]
    joined = {
        name: np.concatenate([getattr(p, name) for p in parts])
        for name in ("pair_terms", "pair_counts", "lengths", "kinds", "roles", "starts", "ends", "vectors")
    }
    return Rows(pair_units=np.concatenate(units), **joined)


def write_segment(folder: Path, rows: Rows) -> str:
    """Sort the postings, write the file, return its name. A crash leaves at most an unreferenced file."""
    order = np.argsort(rows.pair_terms, kind="stable")
    sorted_terms = rows.pair_terms[order]
    starts = np.flatnonzero(np.concatenate(([True], sorted_terms[1:] != sorted_terms[:-1]))) if len(order) else order
    columns: dict[str, Array] = {
        "terms": sorted_terms[starts],
        "offsets": np.append(starts, len(order)),
        "units": rows.pair_units[order],
        "counts": rows.pair_counts[order],
        **{n: getattr(rows, n) for n in ("lengths", "kinds", "roles", "starts", "ends", "vectors")},
    }
    name = secrets.token_hex(8) + SUFFIX
    temporary = folder / (name + ".part")
    table: dict[str, tuple[str, tuple[int, ...], int]] = {}
    position = 0
    blobs: list[tuple[int, bytes | memoryview]] = []
    for column, dtype in COLUMNS.items():
        data = np.ascontiguousarray(columns[column], dtype=dtype)
        position += -position % ALIGN
        table[column] = (dtype, data.shape, position)
        blobs.append((position, data.reshape(-1).view(np.uint8).data))
        position += data.nbytes
    header = msgspec.msgpack.encode({"columns": table, "size": position})
    body = -(-(len(MAGIC) + 8 + len(header)) // ALIGN) * ALIGN
    with temporary.open("wb") as out:
        out.write(MAGIC + len(header).to_bytes(4, "little") + zlib.crc32(header).to_bytes(4, "little") + header)
        for offset, blob in blobs:
            out.seek(body + offset)
            out.write(blob)
        out.truncate(body + position)
    temporary.replace(folder / name)
    return name


def open_segment(folder: Path, name: str) -> Segment:
    """Map a segment; a missing, short or foreign file is a StoreError that says so."""
    path = folder / name
    try:
        mapped: Array = np.memmap(path, dtype=np.uint8, mode="r")
    except (OSError, ValueError) as error:
        raise StoreError(f"index segment {name} cannot be read: {error}", hint="haversack index --rebuild") from error
    head = bytes(mapped[: len(MAGIC) + 8])
    length = int.from_bytes(head[len(MAGIC) : len(MAGIC) + 4], "little")
    header = bytes(mapped[len(MAGIC) + 8 : len(MAGIC) + 8 + length])
    if head[: len(MAGIC)] != MAGIC or zlib.crc32(header) != int.from_bytes(head[len(MAGIC) + 4 :], "little"):
        raise StoreError(f"index segment {name} is damaged", hint="haversack index --rebuild")
    described = msgspec.msgpack.decode(header)
    body = -(-(len(MAGIC) + 8 + length) // ALIGN) * ALIGN
    if len(mapped) != body + described["size"]:
        raise StoreError(f"index segment {name} is cut short", hint="haversack index --rebuild")
    columns = {}
    for column, (dtype, shape, offset) in described["columns"].items():
        count = int(np.prod(shape))
        flat = mapped[body + offset : body + offset + count * np.dtype(dtype).itemsize].view(dtype)
        columns[column] = np.asarray(flat).reshape(shape)
    return Segment(name=name, **columns)


def rows_of(segment: Segment, alive: Array) -> Rows:
    """The living rows of a segment, renumbered from 0, ready to be merged with others."""
    new_unit = np.cumsum(alive, dtype=np.uint32) - np.uint32(1)
    pair_terms = np.repeat(segment.terms, segment.offsets[1:] - segment.offsets[:-1])
    keep = alive[segment.units]
    return Rows(
        pair_terms=pair_terms[keep],
        pair_units=new_unit[segment.units[keep]],
        pair_counts=segment.counts[keep],
        lengths=segment.lengths[alive],
        kinds=segment.kinds[alive],
        roles=segment.roles[alive],
        starts=segment.starts[alive],
        ends=segment.ends[alive],
        vectors=segment.vectors[alive],
    )
