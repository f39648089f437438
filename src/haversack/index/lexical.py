"""The lexical view: BM25 over units and over whole items, with code-aware terms."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from haversack.index.segment import Array
from haversack.index.snapshot import BM25_B, BM25_K1, Snapshot

# A term in more than this share of all units tells nothing apart; it is left out when rarer ones are there.
COMMON_SHARE = 0.25
ENOUGH_RARE = 4


def _idf(total: int, found: int) -> float:
    return float(np.log1p((total - found + 0.5) / (found + 0.5)))


def bm25(snapshot: Snapshot, weights: Mapping[int, float]) -> Array:
    """A score for every position; `weights` maps a term's hash to what it counts in the query."""
    scores = np.zeros(len(snapshot.alive), dtype=np.float32)
    for units, counts, weight, idf in _found(snapshot, weights):
        frequency = counts.astype(np.float32)
        gain = np.float32(weight * idf * (BM25_K1 + 1))
        scores[units] += gain * frequency / (frequency + snapshot.length_norm[units])
    return scores


def presence(snapshot: Snapshot, weights: Mapping[int, float]) -> Array:
    """Rarity-weighted matches for every position, blind to counts and lengths: for short fields such as names."""
    scores = np.zeros(len(snapshot.alive), dtype=np.float32)
    for units, _, weight, idf in _found(snapshot, weights):
        scores[units] += np.float32(weight * idf)
    return scores


def item_bm25(snapshot: Snapshot, weights: Mapping[int, float]) -> Array:
    """A score for every item: its units' counts added up, so that a file is judged as a whole."""
    total = len(snapshot.items)
    scores = np.zeros(total, dtype=np.float32)
    if not total or not snapshot.count:
        return scores
    lengths = np.bincount(
        snapshot.item_of[snapshot.alive], weights=snapshot.lengths[snapshot.alive], minlength=total
    ).astype(np.float32)
    norm = BM25_K1 * (1 - BM25_B + BM25_B * lengths / max(float(lengths[lengths > 0].mean()), 1.0))
    for units, counts, weight, _ in _found(snapshot, weights):
        owners = snapshot.item_of[units]
        frequency = np.bincount(owners, weights=counts, minlength=total).astype(np.float32)
        idf = _idf(total, int(np.count_nonzero(frequency)))
        scores += np.float32(weight * idf * (BM25_K1 + 1)) * frequency / (frequency + norm)
    return scores


def _found(snapshot: Snapshot, weights: Mapping[int, float]) -> list[tuple[Array, Array, float, float]]:
    """Postings of the terms that exist, in an order that does not depend on how the index came about."""
    hashes = sorted(weights)
    total = snapshot.count
    found = [
        (units, counts, weights[term], _idf(total, len(units)))
        for term, (units, counts) in zip(hashes, snapshot.postings(hashes), strict=True)
        if len(units)
    ]
    rare = [row for row in found if len(row[0]) <= COMMON_SHARE * total]
    return rare if len(rare) >= ENOUGH_RARE else found
