"""What speaks for each memory: signals over the whole index, made for statements and for turns of a conversation.

A turn answers the one before it and is explained by the one after, so words and meaning of neighbours count: on the
development conversations that alone raised recall at 1,000 tokens from .68 to .76 (BM25 over stems).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from haversack.index.prepare import USES
from haversack.index.segment import Array
from haversack.index.semantic import similarities
from haversack.index.snapshot import BM25_B, BM25_K1, Snapshot
from haversack.index.terms import term_hash
from haversack.recall.dates import nearness
from haversack.recall.question import Question, names, speaker_hash

# What a word in a neighbouring turn counts, by distance; the weaker stand first so that the stronger overwrite them.
WINDOW = ((2, 0.5), (-2, 0.5), (1, 0.8), (-1, 0.8))


class Evidence(Struct, frozen=True):
    """One number in 0..1 per position and signal.

    `coverage` is the share of the question's words, by rarity, in a turn and around it; `match` BM25 of the turn
    itself; `thread` BM25 of the session; `near` the likeness of meaning, `before` that of the turn before; `speaker`
    whether the person asked about spoke; `day` whether it was then; `named` whether it speaks of a file or symbol that
    the question names.
    """

    coverage: Array
    match: Array
    thread: Array
    near: Array
    before: Array
    speaker: Array
    day: Array
    named: Array


def evidence(snapshot: Snapshot, space: Array, asked: Question, vector: Array | None) -> Evidence:
    """The signals for every position in `space` (a mask); zero elsewhere."""
    total = len(snapshot.alive)
    threaded = _threaded(snapshot, space)
    coverage, match, thread = _words(snapshot, space, threaded, asked)
    near = np.zeros(total, dtype=np.float32)
    if vector is not None:
        near = np.maximum(similarities(snapshot, vector, among=space), 0.0)
        near[~space] = 0.0
    before = np.zeros(total, dtype=np.float32)
    if total > 1:
        follows = (snapshot.item_of[1:] == snapshot.item_of[:-1]) & threaded[1:]
        before[1:][follows] = near[:-1][follows]
    return Evidence(
        coverage=coverage,
        match=match,
        thread=thread,
        near=near,
        before=before,
        speaker=_spoken(snapshot, space, asked.speakers),
        day=_dated(snapshot, space, asked),
        named=_named(snapshot, space, asked),
    )


def speakers_named(snapshot: Snapshot, space: Array, text: str) -> tuple[str, ...]:
    """The people whose words are remembered and whom the text names."""
    candidates = names(text)
    found = snapshot.postings([speaker_hash(name) for name in candidates])
    return tuple(name for name, (units, _) in zip(candidates, found, strict=True) if len(units) and space[units].any())


def _threaded(snapshot: Snapshot, space: Array) -> Array:
    """Which positions are turns, words that somebody said: their neighbours in the item were said before and after."""
    threaded = np.zeros(len(space), dtype=bool)
    for units, _ in snapshot.postings([speaker_hash("")]):
        threaded[units] = True
    return threaded & space


def _words(snapshot: Snapshot, space: Array, threaded: Array, asked: Question) -> tuple[Array, Array, Array]:
    size = len(space)
    coverage, match, around = (np.zeros(size, dtype=np.float32) for _ in range(3))
    by_item = np.zeros(max(len(snapshot.items), 1), dtype=np.float32)
    known = int(space.sum())
    if not known or not asked.words:
        return coverage, match, around
    owners = snapshot.owners
    lengths = snapshot.lengths[space]
    mean = max(float(lengths.mean()), 1.0)
    item_lengths = np.bincount(owners[space], weights=lengths, minlength=len(by_item))
    occupied = item_lengths > 0
    item_norm = BM25_K1 * (1 - BM25_B + BM25_B * item_lengths / max(float(item_lengths[occupied].mean()), 1.0))
    weight = 0.0
    postings = snapshot.postings([each for word in asked.words for each in word.hashes])
    for word in asked.words:
        units, counts = _together([next(postings) for _ in word.hashes], space, around)
        rarity = _rarity(known, len(units))
        weight += rarity
        if not len(units):
            continue
        norm = BM25_K1 * (1 - BM25_B + np.float32(BM25_B / mean) * snapshot.lengths[units])
        match[units] += np.float32(rarity * (BM25_K1 + 1)) * counts / (counts + norm)
        frequency = np.bincount(owners[units], weights=counts, minlength=len(by_item))
        held = np.flatnonzero(frequency)
        idf = _rarity(int(occupied.sum()), len(held))
        by_item[held] += idf * (BM25_K1 + 1) * frequency[held] / (frequency[held] + item_norm[held])
        touched = _spread(around, units, snapshot.item_of, threaded)
        coverage[touched] += np.float32(rarity) * around[touched]
        around[touched] = 0.0
    match = _scaled(match)
    thread = np.where(threaded, _scaled(by_item)[owners], match)
    thread[~space] = 0.0
    coverage[~space] = 0.0
    return coverage / np.float32(weight), match, thread


def _spread(around: Array, units: Array, item_of: Array, threaded: Array) -> Array:
    """Write into `around` what a word at `units` counts there and at their neighbours; the positions written."""
    touched = [units]
    turns = units[threaded[units]]
    for step, share in WINDOW if len(turns) else ():
        near = turns + step
        inside = (near >= 0) & (near < len(item_of))
        near, origin = near[inside], turns[inside]
        near = near[item_of[near] == item_of[origin]]
        around[near] = share
        touched.append(near)
    around[units] = 1.0
    return np.concatenate(touched)


def _together(parts: Sequence[tuple[Array, Array]], space: Array, sums: Array) -> tuple[Array, Array]:
    """Positions in space that hold any spelling of a word, each once, and how often. `sums` is zero and stays so."""
    fresh = []
    for units, counts in parts:
        if len(units):
            keep = space[units]
            units, counts = units[keep], counts[keep]
            fresh.append(units[sums[units] == 0.0])
            sums[units] += counts
    if not fresh:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
    together = fresh[0] if len(fresh) == 1 else np.concatenate(fresh)
    found = sums[together]
    sums[together] = 0.0
    return together, found


def _rarity(total: int, found: int) -> float:
    return float(np.log1p((total - found + 0.5) / (found + 0.5)))


def _scaled(scores: Array) -> Array:
    largest = float(scores.max()) if len(scores) else 0.0
    return scores / np.float32(largest) if largest > 0 else scores


def _spoken(snapshot: Snapshot, space: Array, speakers: Sequence[str]) -> Array:
    """1 where the one person asked about spoke; a question about several says nothing about who answers."""
    scores = np.zeros(len(space), dtype=np.float32)
    if len(speakers) == 1:
        for units, _ in snapshot.postings([speaker_hash(name) for name in speakers]):
            scores[units] = 1.0
        scores[~space] = 0.0
    return scores


def _dated(snapshot: Snapshot, space: Array, asked: Question) -> Array:
    if not asked.days:
        return np.zeros(len(space), dtype=np.float32)
    fits = np.asarray([nearness(asked.days, item.time) for item in snapshot.items] or [0.0], dtype=np.float32)
    return np.where(space, fits[snapshot.owners], np.float32(0.0))


def _named(snapshot: Snapshot, space: Array, asked: Question) -> Array:
    scores = np.zeros(len(space), dtype=np.float32)
    task = asked.task
    for units, _ in snapshot.postings([term_hash(name, USES) for name in (*task.paths, *task.identifiers)]):
        scores[units] = 1.0
    scores[~space] = 0.0
    return scores
