"""The semantic model behind one small interface: units and questions in, vectors of length 1 out.

The model is a table made for code (see docs/semantic.md): one vector for each term, as `terms` cuts them, and a vector
of a text is their weighted sum. It reads the terms that the lexical view has counted anyway, so a unit costs a few
look-ups and one sum. numpy only, mapped from the file that comes with the package.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Protocol

import msgspec
import numpy as np

from haversack.errors import ModelError
from haversack.index.segment import Array
from haversack.index.terms import count_terms
from haversack.model import Role, Unit

SCALE = 127.0  # vectors have length 1, so int8 keeps two digits of each component
SHIPPED = Path(__file__).parent.parent / "data" / "model.hvm"
MAGIC = b"HVEMB02\n"
HEAD = len(MAGIC) + 8  # then the header's size and the checksum of all that follows, four bytes each
# Element types of the columns are part of the format: changing one changes MAGIC.
COLUMNS: Mapping[str, str] = {"hashes": "<i8", "rows": "<u2", "vectors": "|i1", "scales": "<f4", "gains": "<f2"}
ALIGN = 64

DISTINCT = 128  # terms of a text that are summed: what comes later says little that is new
DISTINCT_ASKED = 512  # a question may be a long issue
LONGEST_ASKED = 20_000  # characters of a question that are read: bounds the time whatever is pasted
TITLE_GAIN = 2.0  # a word of the name counts as this many of the text
DOC_OF_TEST = 300  # characters of a test's documentation that are embedded
BLOCK = 1 << 15  # terms summed at a time: the gathered rows stay within a few megabytes


class Embedder(Protocol):
    """Anything that turns text into rows of length 1 (or 0, when nothing in the text is known)."""

    origin: str  # how a setting names it: another process loads the same model by it

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Array:
        """One float32 row for each question."""
        ...

    def embed_units(self, units: Sequence[Unit], counted: Sequence[Mapping[int, int]]) -> Array:
        """One float32 row for each unit; `counted` are its text's terms by hash, in order of first appearance."""
        ...


def quantise(vectors: Array) -> Array:
    """Rows of length 1 as int8."""
    return np.rint(vectors * SCALE).astype(np.int8)


def to_length_one(rows: Array) -> Array:
    """The rows at length 1; one that is zero stays so."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Array = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
    return unit


class CodeModel:
    """The table that comes with haversack, or another file of its format."""

    origin = ""  # as the setting index.embedding names it

    def __init__(self, path: Path = SHIPPED) -> None:
        self._path = path

    @cached_property
    def _read(self) -> tuple[str, int, dict[str, Array]]:
        """Name, how many rows unknown terms share, and the columns, mapped. The checksum is compared first: 10 ms."""
        hint = "reinstall haversack: pip install --force-reinstall --no-deps haversack"
        try:
            mapped: Array = np.memmap(self._path, dtype=np.uint8, mode="r")
        except (OSError, ValueError) as error:
            raise ModelError(f"the semantic model {self._path.name} cannot be read: {error}", hint=hint) from error
        size = int.from_bytes(bytes(mapped[len(MAGIC) : len(MAGIC) + 4]), "little")
        told = int.from_bytes(bytes(mapped[len(MAGIC) + 4 : HEAD]), "little")
        if len(mapped) <= HEAD or bytes(mapped[: len(MAGIC)]) != MAGIC or zlib.crc32(mapped.data[HEAD:]) != told:
            raise ModelError(f"the semantic model {self._path.name} is damaged: its checksum is wrong", hint=hint)
        header = msgspec.msgpack.decode(bytes(mapped[HEAD : HEAD + size]))
        columns = {}
        for name, (shape, offset) in header["columns"].items():
            kind = np.dtype(COLUMNS[name])
            start = _body(size) + offset
            flat = mapped[start : start + int(np.prod(shape)) * kind.itemsize].view(kind)
            columns[name] = np.asarray(flat).reshape(shape)
        return str(header["name"]), int(header["shared"]), columns

    @cached_property
    def name(self) -> str:
        """What the vectors are called: those of two models do not compare."""
        return self._read[0]

    @cached_property
    def dimensions(self) -> int:
        return int(self._vectors.shape[1])

    @cached_property
    def _hashes(self) -> Array:
        return self._read[2]["hashes"]

    @cached_property
    def _rows(self) -> Array:
        return self._read[2]["rows"]

    @cached_property
    def _vectors(self) -> Array:
        return self._read[2]["vectors"]

    @cached_property
    def _scales(self) -> Array:
        return self._read[2]["scales"]

    @cached_property
    def gains(self) -> Array:
        """What each row counts for more in a question than in a unit."""
        return self._read[2]["gains"]

    @cached_property
    def _shared(self) -> int:
        """Rows at the end of the table that unknown terms share: a power of two."""
        return self._read[1]

    def embed(self, texts: Sequence[str]) -> Array:
        counted = [count_terms(text[:LONGEST_ASKED]) for text in texts]
        sizes = [min(len(each), DISTINCT_ASKED) for each in counted]
        rows, scales = self.looked_up(list(chain.from_iterable(islice(each, DISTINCT_ASKED) for each in counted)))
        counts = list(chain.from_iterable(islice(each.values(), DISTINCT_ASKED) for each in counted))
        return self.summed(rows, np.sqrt(np.asarray(counts, dtype=np.float32)) * scales * self.gains[rows], sizes)

    def embed_units(self, units: Sequence[Unit], counted: Sequence[Mapping[int, int]]) -> Array:
        hashes: list[int] = []
        counts: list[float] = []
        sizes: list[int] = []
        for unit, terms in zip(units, counted, strict=True):
            before = len(hashes)
            title = count_terms(unit.title)
            hashes += title
            counts += [TITLE_GAIN**2 * times for times in title.values()]  # the root is taken below
            # A test's body repeats the words of what it tests, and tests are half of many projects.
            said = count_terms(unit.doc[:DOC_OF_TEST]) if unit.role is Role.TEST and unit.source == "code" else terms
            hashes += islice(said, DISTINCT)
            counts += islice(said.values(), DISTINCT)
            sizes.append(len(hashes) - before)
        rows, scales = self.looked_up(hashes)
        return self.summed(rows, np.sqrt(np.asarray(counts, dtype=np.float32)) * scales, sizes)

    def looked_up(self, hashes: Sequence[int] | Array) -> tuple[Array, Array]:
        """Each term's row and its scale. A term that is not known shares a row with others of its hash's last bits."""
        wanted = np.asarray(hashes, dtype=np.int64)
        at = np.searchsorted(self._hashes, wanted)
        at[at == len(self._hashes)] = 0
        shared = len(self._vectors) - 1 - (wanted & np.int64(self._shared - 1))
        rows = np.where(self._hashes[at] == wanted, self._rows[at], shared)
        return rows, self._scales[rows]

    def summed(self, rows: Array, weights: Array, sizes: Sequence[int]) -> Array:
        """The weighted sums of runs of rows, made to length 1."""
        out = np.zeros((len(sizes), self.dimensions), dtype=np.float32)
        ends = np.cumsum(sizes)
        first = 0
        while first < len(sizes):
            start = int(ends[first]) - sizes[first]
            last = max(first + 1, int(np.searchsorted(ends, start + BLOCK, side="right")))
            end = int(ends[last - 1])
            filled = first + np.flatnonzero(np.asarray(sizes[first:last]))
            if len(filled):
                gathered = self._vectors[rows[start:end]] * weights[start:end, None]
                out[filled] = np.add.reduceat(gathered, ends[filled] - np.asarray(sizes)[filled] - start, axis=0)
            first = last
        return to_length_one(out)


def write_model(path: Path, name: str, shared: int, columns: Mapping[str, Array]) -> None:
    """The columns of `COLUMNS` as a file that `CodeModel` reads."""
    blobs = {key: np.ascontiguousarray(columns[key], dtype=kind) for key, kind in COLUMNS.items()}
    described, position = {}, 0
    for key, blob in blobs.items():
        position += -position % ALIGN
        described[key] = (blob.shape, position)
        position += blob.nbytes
    header = msgspec.msgpack.encode({"name": name, "shared": shared, "columns": described})
    body = bytearray(_body(len(header)) - HEAD + position)
    body[: len(header)] = header
    for key, blob in blobs.items():
        start = _body(len(header)) - HEAD + described[key][1]
        body[start : start + blob.nbytes] = blob.tobytes()
    path.write_bytes(MAGIC + len(header).to_bytes(4, "little") + zlib.crc32(body).to_bytes(4, "little") + body)


def _body(header: int) -> int:
    """Where the columns begin."""
    return -(-(HEAD + header) // ALIGN) * ALIGN
