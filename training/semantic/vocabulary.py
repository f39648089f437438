"""From mined text to rows of numbers: terms cut and counted as the index does it, by their hashes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haversack.index.embed import DISTINCT, DISTINCT_ASKED, TITLE_GAIN
from haversack.index.terms import forms, term_hash, terms

Array = NDArray[Any]
BENT = 16_000  # words whose inflections are listed too: ten bytes each
COLUMNS = ("kind", "lang", "package", "file")


@dataclass(frozen=True, slots=True)
class Side:
    """Many texts as one run of terms: `offsets[i]:offsets[i + 1]` are those of text i."""

    hashes: Array
    weights: Array
    offsets: Array

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def at(self, number: int) -> slice:
        return slice(int(self.offsets[number]), int(self.offsets[number + 1]))


@dataclass(frozen=True, slots=True)
class Mined:
    """Pairs in mined order; the columns are small numbers, `names` says what they stand for."""

    said: Side
    code: Side
    columns: dict[str, Array]
    names: dict[str, list[str]]

    def __len__(self) -> int:
        return len(self.said)


@dataclass(frozen=True, slots=True)
class Counts:
    """In how many texts, and in how many packages, each term stands."""

    texts: Counter[str] = field(default_factory=Counter)
    packages: Counter[str] = field(default_factory=Counter)

    def chosen(self, size: int) -> list[str]:
        """The terms that most packages use, then most texts: words of one package alone teach nothing of another."""
        ranked = sorted(self.texts, key=lambda word: (-self.packages[word], -self.texts[word], word))
        return ranked[:size]


class _Run:
    def __init__(self) -> None:
        self.hashes: list[int] = []
        self.weights: list[float] = []
        self.offsets = [0]

    def add(self, *bags: tuple[Counter[str], int, float]) -> None:
        for counted, most, gain in bags:
            self.hashes += (term_hash(term) for term in islice(counted, most))
            self.weights += (gain * times**0.5 for times in islice(counted.values(), most))
        self.offsets.append(len(self.hashes))

    def done(self) -> Side:
        return Side(
            np.asarray(self.hashes, dtype=np.int64),
            np.asarray(self.weights, dtype=np.float32),
            np.asarray(self.offsets, dtype=np.int64),
        )


def load(folder: Path, counts: Counts | None = None) -> Mined:
    """All pairs of a folder, the same pair once; where their terms stand is counted into `counts`."""
    said, code = _Run(), _Run()
    columns: dict[str, list[int]] = {name: [] for name in COLUMNS}
    numbers: dict[str, dict[str, int]] = {name: {} for name in COLUMNS}
    seen: set[int] = set()
    for path in sorted(folder.glob("*.jsonl")):  # a package each
        here: set[str] = set()
        for line in filter(None, path.read_text(encoding="utf-8").split("\n")):  # other line ends stand inside texts
            pair = json.loads(line)
            identity = hash((pair["said"], pair["text"]))
            mine, title, text = (Counter(terms(pair[field])) for field in ("said", "title", "text"))
            if identity in seen or not mine or not text:
                continue
            seen.add(identity)
            said.add((mine, DISTINCT_ASKED, 1.0))
            code.add((title, DISTINCT, TITLE_GAIN), (text, DISTINCT, 1.0))
            if counts is not None:
                counts.texts.update(mine.keys())
                counts.texts.update(title.keys() | text.keys())
                here |= mine.keys() | title.keys() | text.keys()
            for name, value in zip(
                COLUMNS, (pair["kind"], pair["lang"], path.stem, f"{path.stem}/{pair['file']}"), strict=True
            ):
                columns[name].append(numbers[name].setdefault(value, len(numbers[name])))
        if counts is not None:
            counts.packages.update(here)
    arrays = {name: np.asarray(values, dtype=np.int32) for name, values in columns.items()}
    return Mined(said.done(), code.done(), arrays, {name: list(found) for name, found in numbers.items()})


def aliases(words: Sequence[str]) -> dict[str, int]:
    """Inflections that are not in the vocabulary themselves, with the row of the most frequent word they bend."""
    own = {word: row for row, word in enumerate(words)}
    found: dict[str, int] = {}
    for word in words[:BENT]:
        row = own[word]
        for form in forms(word):
            if form not in own:
                found.setdefault(form, row)
    return found


def signatures(side: Side, seed: int = 5, hashes: int = 24) -> Array:
    """MinHash signatures of texts by their terms."""
    chance = np.random.default_rng(seed)
    factors = chance.integers(1, 1 << 62, size=hashes, dtype=np.uint64) | np.uint64(1)
    found = np.zeros((len(side), hashes), dtype=np.uint64)
    for column, factor in enumerate(factors):
        mixed = side.hashes.view(np.uint64) * factor
        mixed ^= mixed >> np.uint64(29)
        found[:, column] = np.minimum.reduceat(mixed, side.offsets[:-1])
    return found


def near_duplicates(side: Side, of: Side, alike: float = 0.8, band: int = 3) -> Array:
    """Which texts of `side` share at least `alike` of their terms with some text of `of`."""
    found = np.zeros(len(side), dtype=bool)
    if not len(side) or not len(of):
        return found
    mine, theirs = signatures(side), signatures(of)
    mixing = np.asarray([1, 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], dtype=np.uint64)[:band]
    for start in range(0, mine.shape[1], band):
        my_keys, their_keys = ((rows[:, start : start + band] * mixing).sum(axis=1) for rows in (mine, theirs))
        buckets: dict[int, list[int]] = {}
        for number, key in enumerate(their_keys.tolist()):
            buckets.setdefault(key, []).append(number)
        for number in np.flatnonzero(np.isin(my_keys, their_keys) & ~found).tolist():
            a = np.unique(side.hashes[side.at(number)])
            for other in buckets[int(my_keys[number])][:20]:
                b = np.unique(of.hashes[of.at(other)])
                shared = len(np.intersect1d(a, b, assume_unique=True))
                found[number] |= shared >= alike * (len(a) + len(b) - shared)
    return found
