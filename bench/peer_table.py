"""The table inside the `wordllama` wheel, for comparison: one vector per word piece, weighted by rarity, summed.

haversack used it, this way, before it had a model of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

import msgspec
import numpy as np

from haversack.errors import ModelError
from haversack.index.segment import Array
from haversack.index.stopwords import KEYWORDS, STOP_WORDS

DIMENSIONS = 256
# Words are remembered by the parts they are made of (`tokenizer`, `config`), and parts by their vectors: there are few
# parts, so 16 MB of them serve any project, and many words, which cost next to nothing.
MEMO_WORDS = 1 << 16
MEMO_PARTS = 1 << 14
GROWTH = 2_048  # rows added to the memo at a time

LONGEST_PIECE = 24

_WORDS = re.compile(r"[^\W\d_]{2,}").findall
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[^\x00-\x7f]+").findall


class StaticTable:
    """Weighted mean of word vectors from the wordllama wheel."""

    name = "wordllama-256"
    dimensions = DIMENSIONS

    def __init__(self, longest: int) -> None:
        self._longest = longest  # characters of a text that are read
        self._rows_of: dict[str, tuple[int, ...]] = {}
        self._row_of: dict[str, int] = {}
        self._rows: Array = np.zeros((GROWTH, DIMENSIONS), dtype=np.float32)

    @cached_property
    def _folder(self) -> Path:
        spec = find_spec("wordllama")
        if spec is None or not spec.submodule_search_locations:
            raise ModelError("the semantic table is not installed", hint="pip install wordllama")
        return Path(spec.submodule_search_locations[0])

    @cached_property
    def _table(self) -> Array:
        """The pieces' vectors, mapped."""
        path = self._folder / "weights" / "l2_supercat_256.safetensors"
        try:
            with path.open("rb") as file:
                size = int.from_bytes(file.read(8), "little")
                header = msgspec.json.decode(file.read(size))
            (described,) = (value for key, value in header.items() if key != "__metadata__")
            start = 8 + size + described["data_offsets"][0]
            count, width = described["shape"]
            mapped = np.memmap(path, dtype="<f2", mode="r", offset=start, shape=(count, width))
        except (OSError, ValueError, KeyError, msgspec.DecodeError) as error:
            raise ModelError(
                f"the semantic table {path.name} is damaged: {error}", hint="reinstall wordllama"
            ) from error
        if width != DIMENSIONS:
            raise ModelError(f"the semantic table {path.name} has {width} dimensions instead of {DIMENSIONS}")
        return np.asarray(mapped)

    @cached_property
    def _pieces(self) -> dict[str, int]:
        """Word piece to its row. A piece that begins a word is written with a leading '▁'."""
        path = self._folder / "tokenizers" / "l2_supercat_tokenizer_config.json"
        try:
            found: dict[str, int] = msgspec.json.decode(path.read_bytes())["model"]["vocab"]
        except (OSError, KeyError, msgspec.DecodeError) as error:
            raise ModelError(f"the vocabulary {path.name} is damaged: {error}", hint="reinstall wordllama") from error
        return found

    def embed(self, texts: Sequence[str]) -> Array:
        indices: list[int] = []
        weights: list[float] = []
        starts: list[int] = []
        rows_of = self._rows_of
        if len(rows_of) > MEMO_WORDS or len(self._row_of) > MEMO_PARTS:
            rows_of.clear()
            self._row_of.clear()
        for text in texts:
            starts.append(len(indices))
            for word, times in Counter(_WORDS(text[: self._longest])).items():
                rows = rows_of.get(word)
                if rows is None:
                    rows = rows_of[word] = self._rows_for(word)
                for row in rows:
                    indices.append(row)
                    weights.append(times)
            if len(indices) == starts[-1]:  # reduceat needs at least one row; row 0 is zero
                indices.append(0)
                weights.append(1)
        if not texts:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        # A word that occurs often matters more, but not in proportion.
        gathered = self._rows[indices] * np.sqrt(np.asarray(weights, dtype=np.float32))[:, None]
        sums = np.add.reduceat(gathered, np.asarray(starts), axis=0)
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        unit: Array = np.divide(sums, norms, out=np.zeros_like(sums), where=norms > 0)
        return unit

    def _rows_for(self, word: str) -> tuple[int, ...]:
        """The rows of a word's parts in the memo; none when the table knows nothing of them."""
        found = []
        for part in _PARTS(word):
            row = self._row_of.get(part := part.lower())
            if row is None:
                row = self._learn(part)
            if row:
                found.append(row)
        return tuple(found)

    def _learn(self, part: str) -> int:
        """Put the part's vector into the memo; 0 when the table knows nothing of it."""
        pieces = self._cut(part)
        row = 0
        if pieces:
            row = len(self._row_of) + 1
            if row >= len(self._rows):
                self._rows = np.concatenate([self._rows, np.zeros((GROWTH, DIMENSIONS), dtype=np.float32)])
            # The vocabulary is ordered by frequency, so a piece's number is a measure of its rarity.
            rarity = np.log(np.asarray(pieces, dtype=np.float32) + 2.0)[:, None]
            self._rows[row] = (self._table[pieces].astype(np.float32) * rarity).sum(axis=0)
        self._row_of[part] = row
        return row

    def _cut(self, part: str) -> list[int]:
        """Longest pieces first."""
        if len(part) < 2 or part in STOP_WORDS or part in KEYWORDS:
            return []
        found, rest = [], "▁" + part[:80]
        while rest:
            for size in range(min(len(rest), LONGEST_PIECE), 0, -1):
                piece = self._pieces.get(rest[:size])
                if piece is not None:
                    found.append(piece)
                    break
            rest = rest[size:]
        return found
