"""From units to rows: terms counted, vectors made, everything a segment needs. Runs in the workers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

import numpy as np

from haversack.index.embed import Embedder, quantise
from haversack.index.records import KIND_CODE, ROLE_CODE
from haversack.index.segment import Rows
from haversack.index.terms import count_terms, keywords, name_terms, path_terms, term_hash
from haversack.model import Unit

# Fields are kept apart by hashing the field's letter with the term, so that a query weighs them as it likes.
HEADER_ENDINGS = (".h", ".hpp", ".hh", ".proto", ".sh")
MEMO_NAMES = 1 << 17  # values per field whose hashes a process remembers
NAME, DEFINES, USES, IMPORTS, PATH, TOUCHES, ID = "n", "d", "r", "i", "p", "f", "u"


def prepare(units: Sequence[Unit], embedder: Embedder | None) -> Rows:
    """The numeric rows of some units, numbered from 0 in the order given."""
    counted = [count_terms(unit.text if unit.source == "code" else f"{unit.title}\n{unit.text}") for unit in units]
    lengths = [each.total() for each in counted]
    # Before the fields join the words: vectors are made of the words alone.
    vectors = embedder.embed_units(units, counted) if embedder else np.zeros((len(units), 0))
    for unit, mine in zip(units, counted, strict=True):
        _add_fields(unit, mine)
    sizes = np.fromiter((len(c) for c in counted), dtype=np.int64, count=len(counted))
    total = int(sizes.sum())
    counts = np.fromiter(chain.from_iterable(c.values() for c in counted), dtype=np.int64, count=total)
    width = embedder.dimensions if embedder else 0
    return Rows(
        pair_terms=np.fromiter(chain.from_iterable(counted), dtype=np.int64, count=total),
        pair_units=np.repeat(np.arange(len(units), dtype=np.uint32), sizes),
        pair_counts=np.minimum(counts, 255).astype(np.uint8),
        lengths=np.asarray(lengths, dtype=np.uint32),
        kinds=np.asarray([KIND_CODE.get(unit.kind, 0) for unit in units], dtype=np.uint8),
        roles=np.asarray([ROLE_CODE[unit.role] for unit in units], dtype=np.uint8),
        starts=np.asarray([unit.span.start if unit.span else 0 for unit in units], dtype=np.uint32),
        ends=np.asarray([unit.span.end if unit.span else 0 for unit in units], dtype=np.uint32),
        vectors=quantise(vectors).reshape(len(units), width),
    )


_MODULE_BREAKS = re.compile(r"[./:\\\\]+")


def last_part(module: str) -> str:
    """What an import is looked up by: its last name without a file ending (`./ui/button.js` → `button`)."""
    parts = [part for part in _MODULE_BREAKS.split(module) if part]
    if len(parts) > 1 and ("/" in module or module.endswith(HEADER_ENDINGS)) and "." in module.rpartition("/")[2]:
        parts.pop()
    return parts[-1] if parts else module


class _Hashes(dict[str, int]):
    """Value to its hash in one field, filled on first sight: names repeat far more often than they are new."""

    def __init__(self, field: str) -> None:
        super().__init__()
        self._field = field

    def __missing__(self, value: str) -> int:
        if len(self) >= MEMO_NAMES:
            self.clear()
        found = self[value] = term_hash(value, self._field)
        return found


_HASHES = {field: _Hashes(field) for field in (NAME, DEFINES, USES, IMPORTS, PATH, TOUCHES)}


def _add_fields(unit: Unit, counts: dict[int, int]) -> None:
    """What the fields say, beside the words."""
    called = unit.qualname or unit.title
    hashes = [term_hash(unit.id, ID), *map(_HASHES[NAME].__getitem__, (*name_terms(called), *keywords(called)))]
    if unit.name:
        hashes += (_HASHES[DEFINES][unit.name], _HASHES[DEFINES][unit.qualname or unit.name])
    others = unit.meta.get("names")  # a group of constants defines them all
    if isinstance(others, tuple):
        hashes += map(_HASHES[DEFINES].__getitem__, others)
    hashes += map(_HASHES[USES].__getitem__, (*unit.refs, *unit.bases))
    if unit.imports:
        hashes += (_HASHES[IMPORTS][last_part(module)] for module in unit.imports)
    if unit.kind == "file" and unit.path:
        hashes += map(_HASHES[PATH].__getitem__, (*path_terms(unit.path), *keywords(unit.path)))
    touched = unit.meta.get("files")
    if isinstance(touched, tuple):
        hashes += map(_HASHES[TOUCHES].__getitem__, touched)
    dict.update(counts, dict.fromkeys(hashes, 1))
