"""The lexical view: BM25 over units and over whole items, with code-aware terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from msgspec import Struct

from haversack.index.segment import Array
from haversack.index.short_forms import kin
from haversack.index.snapshot import BM25_K1, Snapshot
from haversack.index.terms import forms, term_hash

# A term in more than this share of all units tells nothing apart; it is left out when rarer ones are there.
COMMON_SHARE = 0.25
ENOUGH_RARE = 4
# Whole files vary in length for good reasons, so length counts less: .6 against .75 raised file recall at 10 from .853
# to .867 on the development commits and left the issues as they were.
ITEM_B = 0.6
# Another inflection of a word, or what is cut short of it, beside the word as the task writes it. Counted as one term
# with it; on the development tasks that beats stems in the index (.564 to .544 average precision on issues) and forms
# as terms of their own. With short forms 8,000 tokens hold .804 instead of .797 of the functions that 269 development
# commits changed and .779 instead of .776 of those of 196 issues; what endings make (validate, validator) adds nothing.
FORM_SHARE = 0.2


class Asked(Struct, frozen=True):
    """One term of a query: the hashes that stand for it, what each counts, and the weight of the whole."""

    hashes: tuple[int, ...]
    shares: tuple[float, ...]
    weight: float


def ask(terms: Mapping[str, float], field: str = "") -> list[Asked]:
    """Readable terms with weights as a query on one field, in an order that does not depend on where they came from."""
    asked = []
    for term in sorted(terms):
        others = dict.fromkeys((*forms(term), *kin(term)))
        hashes = (term_hash(term, field), *(term_hash(form, field) for form in others))
        asked.append(Asked(hashes, (1.0, *(FORM_SHARE for _ in others)), terms[term]))
    return asked


def bm25(snapshot: Snapshot, query: Sequence[Asked]) -> Array:
    """A score for every position."""
    scores = np.zeros(len(snapshot.alive), dtype=np.float32)
    for units, frequency, weight, idf in _found(snapshot, query):
        scores[units] += (
            np.float32(weight * idf * (BM25_K1 + 1)) * frequency / (frequency + snapshot.length_norm[units])
        )
    return scores


def presence(snapshot: Snapshot, query: Sequence[Asked]) -> Array:
    """Rarity-weighted matches for every position, blind to counts and lengths: for short fields such as names."""
    scores = np.zeros(len(snapshot.alive), dtype=np.float32)
    for units, frequency, weight, idf in _found(snapshot, query):
        scores[units] += np.float32(weight * idf) * np.minimum(frequency, 1.0)
    return scores


def item_bm25(snapshot: Snapshot, query: Sequence[Asked]) -> Array:
    """A score for every item: its units' counts added up, so that a file is judged as a whole."""
    return weigh(snapshot, query).item


class Weighed(Struct, frozen=True):
    """What a query's words say of every position and of every item, gathered in one walk over their postings.

    `coverage` is the rarity-weighted share of the query that is there at all, `rarest` the weight of the rarest of its
    words that is: a unit that holds the one unusual word of a task is told apart from one that holds many usual ones.
    """

    body: Array
    coverage: Array
    rarest: Array
    item: Array
    item_coverage: Array
    item_rarest: Array


def weigh(snapshot: Snapshot, query: Sequence[Asked]) -> Weighed:
    """BM25, coverage and the rarest word, for positions and for items."""
    total = len(snapshot.items)
    body, coverage, rarest = (np.zeros(len(snapshot.alive), dtype=np.float32) for _ in range(3))
    item, item_coverage, item_rarest = (np.zeros(total, dtype=np.float32) for _ in range(3))
    if total and snapshot.count:
        lengths = snapshot.item_lengths
        mean = float(lengths.sum(dtype=np.float64)) / max(int(np.count_nonzero(lengths)), 1)
        norm = BM25_K1 * (1 - ITEM_B + ITEM_B * lengths / max(mean, 1.0))
        for units, counts, weight, idf in _found(snapshot, query):
            told = np.float32(weight * idf)
            body[units] += told * np.float32(BM25_K1 + 1) * counts / (counts + snapshot.length_norm[units])
            there = told * np.minimum(counts, 1.0)
            coverage[units] += there
            rarest[units] = np.maximum(rarest[units], there)
            frequency = np.bincount(snapshot.item_of[units], weights=counts, minlength=total).astype(np.float32)
            told = np.float32(weight * _idf(total, int(np.count_nonzero(frequency))))
            item += told * np.float32(BM25_K1 + 1) * frequency / (frequency + norm)
            there = told * np.minimum(frequency, 1.0)
            item_coverage += there
            np.maximum(item_rarest, there, out=item_rarest)
    return Weighed(body, coverage, rarest, item, item_coverage, item_rarest)


def rarity(total: float, found: Array) -> Array:
    """What words count that stand in so many of a total: the fewer, the more."""
    return np.log1p((total - found + 0.5) / (found + 0.5))


def _idf(total: int, found: int) -> float:
    return float(rarity(total, np.asarray(found)))


def _found(snapshot: Snapshot, query: Sequence[Asked]) -> list[tuple[Array, Array, float, float]]:
    """Positions, counts, weight and rarity of the terms that exist."""
    total = snapshot.count
    there = _there(snapshot, query)
    found = [
        (units, frequency, asked.weight, _idf(total, len(units)))
        for asked, (units, frequency) in zip(there, grouped(snapshot, there), strict=True)
        if len(units)
    ]
    rare = [row for row in found if len(row[0]) <= COMMON_SHARE * total]
    return rare if len(rare) >= ENOUGH_RARE else found


def _there(snapshot: Snapshot, query: Sequence[Asked]) -> list[Asked]:
    """The terms that some unit has, in the forms that are there: most phrases of a task are names of nothing."""
    held = iter(snapshot.holds([each for asked in query for each in asked.hashes]))
    kept = []
    for asked in query:
        forms = [pair for pair in zip(asked.hashes, asked.shares, strict=True) if next(held)]
        if forms:
            hashes, shares = zip(*forms, strict=True)
            kept.append(Asked(hashes, shares, asked.weight))
    return kept


def grouped(snapshot: Snapshot, query: Sequence[Asked]) -> Iterator[tuple[Array, Array]]:
    """For each term the positions that hold any of its forms, and the counts with each form's share."""
    postings = snapshot.postings([each for asked in query for each in asked.hashes])
    sums = np.zeros(len(snapshot.alive), dtype=np.float32)
    for asked in query:
        parts = [
            (units, counts * np.float32(share))
            for share, (units, counts) in zip(asked.shares, postings, strict=False)
            if len(units)
        ]
        if len(parts) == 1:
            yield parts[0]
            continue
        fresh = []
        for units, counts in parts:
            fresh.append(units[sums[units] == 0.0])
            sums[units] += counts
        together = np.concatenate(fresh) if fresh else np.zeros(0, dtype=np.int64)
        yield together, sums[together]
        sums[together] = 0.0
