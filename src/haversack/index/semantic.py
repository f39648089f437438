"""The semantic view: how near each unit's vector is to the query's."""

from __future__ import annotations

import numpy as np

from haversack.index.embed import SCALE
from haversack.index.segment import Array
from haversack.index.snapshot import COARSE, Snapshot

REFINED = 2_000  # best of the first pass that are compared in full
BLOCK = 4_096  # rows turned into floats at a time: stays in the cache


def similarities(snapshot: Snapshot, query: Array, *, among: Array | None = None) -> Array:
    """Cosine in -1..1 for every position, or those in the mask `among`: exact for the nearest, rougher for the rest."""
    out = np.zeros(len(snapshot.alive), dtype=np.float32)
    if not query.any() or not len(out):
        return out
    if not snapshot.coarse_vectors.shape[1]:  # an index without vectors
        return out
    coarse = query[:COARSE]
    for start in range(0, len(out), BLOCK):
        part = snapshot.coarse_vectors[start : start + BLOCK].astype(np.float32)
        # Not `@`: BLAS would start threads for a product this small, and wait for them on a busy machine.
        out[start : start + BLOCK] = np.einsum("ij,j->i", part, coarse)
    out /= np.float32(SCALE)
    wanted = snapshot.alive if among is None else among & snapshot.alive
    out[~wanted] = 0.0
    best = _highest(out, REFINED)
    out *= np.float32(0.5)  # the rest must not outrank what was compared in full
    # With threads the last digit would be another from one time to the next, and with it the order of equals.
    out[best] = np.einsum("ij,j->i", vectors(snapshot, best), query)
    out[~wanted] = 0.0
    return out


def vectors(snapshot: Snapshot, positions: Array) -> Array:
    """The whole vector of each position, a row each."""
    found = np.zeros((len(positions), snapshot.segments[0].vectors.shape[1]), dtype=np.float32)
    owner = np.searchsorted(snapshot.bases, positions, side="right") - 1
    for number, segment in enumerate(snapshot.segments):
        mine = owner == number
        if mine.any():
            found[mine] = segment.vectors[positions[mine] - int(snapshot.bases[number])]
    found /= np.float32(SCALE)
    return found


def _highest(scores: Array, count: int) -> Array:
    """Positions of the highest scores, all that tie with the last of them: copies of one text stay together."""
    if len(scores) <= count:
        return np.arange(len(scores))
    last = np.partition(scores, len(scores) - count)[len(scores) - count]
    return np.flatnonzero((scores >= last) & (scores > 0))
