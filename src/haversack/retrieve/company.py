"""What the past of some files says: how often each was changed, in whose company, and in which words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from haversack.index.prepare import TOUCHES
from haversack.index.relational import LARGE_COMMIT
from haversack.index.segment import Array
from haversack.index.snapshot import Snapshot
from haversack.index.terms import term_hash
from haversack.retrieve.fusion import Signals, scaled

YEAR: Final = 365 * 86_400.0
FEW: Final = 5.0  # changes that are too few to tell with whom a file changes


class Mentions:
    """Which commits, by their positions, say each of some words."""

    def __init__(self, saying: Sequence[Array]) -> None:
        self._words = len(saying)
        self._word_of = np.repeat(np.arange(len(saying)), np.asarray([*map(len, saying)], dtype=np.int64))
        self._commits = np.concatenate([*saying, np.zeros(0, dtype=np.int64)])

    def counts(self, changed: Array, by: Array, size: int) -> Array:
        """For each word and each of `size` things how many commits changed it and say the word.

        `changed` are the numbers of things, `by` the positions of the commits that changed them.
        """
        order = np.argsort(by, kind="stable")
        first, last = (np.searchsorted(by[order], self._commits, side=side) for side in ("left", "right"))
        lengths = last - first
        pairs = np.repeat(first - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
        codes = np.repeat(self._word_of, lengths) * size + changed[order[pairs]]
        found: Array = np.bincount(codes, minlength=self._words * size).reshape(self._words, size)
        return found


class Past:
    """The commits that touched some files, as the pairs of both."""

    def __init__(self, snapshot: Snapshot, files: Array) -> None:
        hashes = [term_hash(snapshot.items[number].key, TOUCHES) for number in files.tolist()]
        touching = [units for units, _ in snapshot.postings(hashes)]
        self._pairs = np.concatenate([*touching, np.zeros(0, dtype=np.int64)]).astype(np.int64)
        commits, self._commit_of = np.unique(self._pairs, return_inverse=True)
        self._file_of = np.repeat(np.arange(len(files)), np.asarray([*map(len, touching)], dtype=np.int64))
        self._files, self._commits = len(files), len(commits)
        times = np.nan_to_num(snapshot.times[snapshot.item_of[commits]])
        self._fresh = 0.5 ** ((times.max(initial=0.0) - times) / YEAR)
        self.changes = np.bincount(self._file_of, minlength=self._files)
        """How often each file was changed."""

    def columns(self, signals: Signals) -> dict[str, Array]:
        """For each file how often it was changed, lately and ever, and the best description of such a change."""
        fresh = np.bincount(self._file_of, weights=self._fresh[self._commit_of], minlength=self._files)
        return {
            "changes": np.log1p(fresh),
            "changes ever": np.log1p(self.changes),
            "history best": scaled(self._largest(signals.body)),
            "history nearest": self._largest(signals.near),
        }

    def together(self, shares: Array) -> Array:
        """For each file how many of its changes also changed what has a large share, 1 for the best of them.

        A sweeping change tells nothing.
        """
        worth = shares[self._file_of]
        size = np.bincount(self._commit_of, minlength=self._commits)[self._commit_of]
        sums = np.bincount(self._commit_of, weights=worth, minlength=self._commits)
        shared = np.where(size <= LARGE_COMMIT, (sums[self._commit_of] - worth) / np.maximum(size - 1, 1), 0.0)
        total = np.bincount(self._file_of, weights=shared, minlength=self._files)
        return scaled(total / np.sqrt(self.changes + FEW))

    def mentioned(self, mentions: Mentions) -> Array:
        """For each word and file how many of its changes were described with the word."""
        return mentions.counts(self._file_of, self._pairs, self._files)

    def _largest(self, scores: Array) -> Array:
        """For each file the largest score of a commit that touched it."""
        found = np.zeros(self._files, dtype=np.float32)
        np.maximum.at(found, self._file_of, scores[self._pairs])
        return found
