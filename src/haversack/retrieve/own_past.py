"""What the past of each piece itself says: which commits changed its very lines, how lately, and in which words.

A file's past tells one file from another; within a file it is the same for all. Which of its functions a task means is
told by what was changed before, and together with what.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from haversack.index.segment import Array
from haversack.index.snapshot import Snapshot
from haversack.index.units import UnitReader
from haversack.retrieve.company import YEAR, Mentions
from haversack.retrieve.fusion import Signals, scaled
from haversack.retrieve.history import SIMILAR_COMMITS
from haversack.sources.commits.history import NAME
from haversack.sources.commits.memo import MAX_LINES, checksum, decode

LARGE: Final = 20  # files of a commit, past which it says nothing about each of its pieces
MANY: Final = 30  # pieces of a commit, past which it says nothing about which belong together
HALVED_AFTER: Final = 1.0  # points by which a piece may be worse than the best until its company counts half
FEW: Final = 3.0  # changes that are too few to tell with what a piece changes
WORST: Final = 20.0  # points behind the best that are not told apart
NEVER: Final = 1e9
DIGITS: Final = 9  # the last ones of a sum depend on the order in which a project was read

Ranges = Mapping[str, Sequence[tuple[int, int]]]
"""Lines that one commit changed, by path: first and last of each run."""


class Touches:
    """The lines of today's files that past commits changed, for one state of the index.

    It is kept as long as that state, so it must not hold on to it: the snapshot is given to every question.
    """

    def __init__(self, snapshot: Snapshot, reader: UnitReader) -> None:
        self._of_items: dict[int, Array] = {}
        self._pairs: dict[int, Array] = {}
        committed = [np.zeros(0, dtype=np.uint32)]
        keys: list[str] = []
        ages: list[int] = []
        sizes: list[int] = []
        for each in map(decode, reader.memos(NAME)):
            ranges = np.frombuffer(each.ranges, dtype=np.int32).reshape(-1, 3) + np.asarray([len(keys), 0, 0])
            ends = np.cumsum(each.counts, dtype=np.int64).tolist()
            for path, start, end in zip(each.files, [0, *ends], ends, strict=False):
                item = snapshot.positions_by_key.get(path)
                if item is not None:
                    self._of_items[item] = ranges[start:end]
            committed.append(np.frombuffer(each.committed, dtype=np.uint32))
            keys += each.commits
            sizes += each.sizes
            ages += range(len(each.commits))
        self._committed = np.sort(np.concatenate(committed))
        items = [snapshot.positions_by_key.get(key, -1) for key in keys]
        self.positions = np.asarray([snapshot.first_position(n) if n >= 0 else -1 for n in items], dtype=np.int64)
        """Where each commit stands in the index, -1 for one that is not there."""
        self.ages = np.asarray(ages, dtype=np.int64)
        """How many commits of its history are newer."""
        self.small = np.asarray(sizes, dtype=np.int64) <= LARGE
        times = np.asarray([snapshot.items[n].time or 0.0 if n >= 0 else 0.0 for n in items])
        self.fresh = 0.5 ** ((times.max(initial=0.0) - times) / YEAR)

    def uncommitted(self, snapshot: Snapshot, items: Iterable[int]) -> Ranges:
        """Those of the items that no commit has, where any is known: they were written after all of them."""
        if not len(self._committed):
            return {}
        keys = [snapshot.items[item].key for item in items]
        sums = np.asarray([checksum(key) for key in keys], dtype=np.uint32)
        known = self._committed[np.searchsorted(self._committed[:-1], sums)] == sums
        return {key: ((1, MAX_LINES),) for key, there in zip(keys, known.tolist(), strict=True) if not there}

    def pairs(self, snapshot: Snapshot, items: Iterable[int]) -> Array:
        """The positions of these items' pieces and the numbers of the commits that changed them, one pair a row."""
        found = []
        for item in items:
            if item in self._of_items:
                if item not in self._pairs:
                    self._pairs[item] = innermost(snapshot, item, self._of_items[item])
                found.append(self._pairs[item])
        return np.concatenate([np.zeros((0, 2), dtype=np.int64), *found])


_known: WeakKeyDictionary[Snapshot, Touches] = WeakKeyDictionary()


def touches_of(snapshot: Snapshot, reader: UnitReader) -> Touches:
    """The same for every task while the index does not change."""
    found = _known.get(snapshot)
    if found is None:
        found = _known[snapshot] = Touches(snapshot, reader)
    return found


def innermost(snapshot: Snapshot, item: int, ranges: Array) -> Array:
    """For ranges of a file's lines (commit, first, last): the innermost piece of each line and the commit, once."""
    first, count = snapshot.first_position(item), snapshot.items[item].count
    none = np.zeros((0, 2), dtype=np.int64)
    if first < 0:
        return none
    starts, ends = (lines[first : first + count].astype(np.int64) for lines in (snapshot.starts, snapshot.ends))
    owner = np.full(min(int(ends.max(initial=0)), MAX_LINES) + 1, -1, dtype=np.int64)
    for piece in np.lexsort((starts, starts - ends)).tolist():  # the largest first, so that the innermost keeps a line
        owner[max(int(starts[piece]), 0) : int(ends[piece]) + 1] = piece
    commits, begins, last = ranges.T.astype(np.int64)
    last = np.minimum(last, len(owner) - 1)
    lengths = np.maximum(last - begins + 1, 0)
    lines = np.repeat(begins - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
    pieces, of = owner[lines], np.repeat(commits, lengths)
    many = int(commits.max(initial=0)) + 1
    codes = np.unique((pieces * many + of)[pieces >= 0])
    return np.stack([first + codes // many, codes % many], axis=1) if len(codes) else none


class OwnPast:
    """The commits that changed some pieces, as the pairs of both.

    `since` are changes after the newest in the index, newest first: for examples whose index ends before their task.
    """

    def __init__(self, snapshot: Snapshot, touches: Touches, here: Array, since: Sequence[Ranges] = ()) -> None:
        files, self._file_of = np.unique(snapshot.item_of[here], return_inverse=True)
        if new := touches.uncommitted(snapshot, files.tolist()):
            since = (new, *since)
        later = len(since)
        self._ages = np.append(np.arange(later), touches.ages + later)
        self._fresh = np.append(np.ones(later), touches.fresh)
        self._positions = np.append(np.full(later, -1), touches.positions)
        small = np.append([changed is new or len(changed) <= LARGE for changed in since], touches.small).astype(bool)
        known = touches.pairs(snapshot, files.tolist()) + np.asarray([0, later])
        pairs = np.concatenate([known, _pairs_since(snapshot, files.tolist(), since)])
        place = np.full(len(snapshot.alive), -1, dtype=np.int64)
        place[here] = np.arange(len(here))
        pieces, commits = place[pairs[:, 0]], pairs[:, 1]
        self._count = len(here)
        self._sizes = np.bincount(commits[pieces >= 0], minlength=len(self._ages))
        kept = (pieces >= 0) & small[commits]
        self._pieces, self._commits = pieces[kept], commits[kept]
        self.changes = np.bincount(self._pieces, minlength=self._count)
        """How often each piece was changed."""

    def columns(self, signals: Signals) -> dict[str, Array]:
        """For each piece how often and how lately it was changed, also within its file, and how that was described."""
        fresh = self._sums(self._fresh[self._commits])
        body, near = self._said(signals.body), self._said(signals.near)
        last = np.full(self._count, NEVER)
        np.minimum.at(last, self._pieces, self._ages[self._commits])
        ever = last < NEVER
        most = np.zeros(self._file_of.max(initial=-1) + 1)
        np.maximum.at(most, self._file_of, fresh)
        return {
            "own changes": np.log1p(fresh),
            "own changes ever": np.log1p(self.changes),
            "own changes in file": fresh / np.maximum(most[self._file_of], 1e-6),
            "own recent": np.where(ever, 1 / np.log2(2 + last), 0.0),
            "own recent in file": np.where(ever, _ranks_in_files(last, self._file_of), 0.0),
            "own history": self._similar(body),
            "own history meaning": self._similar(near),
            "own history best": scaled(self._largest(body)),
            "own history nearest": self._largest(near),
        }

    def together(self, behind: Array) -> Array:
        """For each piece how many of its changes also changed the best ones, 1 for the best of them.

        `behind` are the points by which each is worse than the best.
        """
        shares = 0.5 ** (np.minimum(behind, WORST) / HALVED_AFTER)
        shares /= shares.sum()
        own, size = shares[self._pieces], self._sizes[self._commits]
        sums = np.bincount(self._commits, weights=own, minlength=len(self._ages))[self._commits]
        shared = np.where(size <= MANY, (sums - own) / np.maximum(size - 1, 1), 0.0)
        return scaled(self._sums(shared) / np.sqrt(self.changes + FEW))

    def mentioned(self, mentions: Mentions) -> Array:
        """For each word and piece how many of its changes were described with the word."""
        return mentions.counts(self._pieces, self._positions[self._commits], self._count)

    def _sums(self, worth: Array) -> Array:
        return np.round(np.bincount(self._pieces, weights=worth, minlength=self._count), DIGITS)

    def _said(self, scores: Array) -> Array:
        """What each commit's own words score; nothing where it is not in the index."""
        return np.where(self._positions >= 0, scores[self._positions], np.float32(0.0))

    def _largest(self, scores: Array) -> Array:
        found = np.zeros(self._count, dtype=np.float32)
        np.maximum.at(found, self._pieces, scores[self._commits])
        return found

    def _similar(self, scores: Array) -> Array:
        """How much each piece was part of the past changes that score highest, 0..1."""
        nearest = np.argsort(-scores, kind="stable")[:SIMILAR_COMMITS]
        worth = np.zeros(len(scores))
        worth[nearest] = scaled(scores[nearest])
        return scaled(self._sums((worth / np.sqrt(np.maximum(self._sizes, 1)))[self._commits]))


def _ranks_in_files(last: Array, files: Array) -> Array:
    """1 for what was changed last in its file, falling with the logarithm of the rank; equals get the same."""
    order = np.lexsort((last, files))
    numbers = np.arange(len(order))
    file_begins = np.append(True, np.diff(files[order]) != 0)[: len(order)]
    begins = file_begins | np.append(True, np.diff(last[order]) != 0)[: len(order)]
    first_of = [np.maximum.accumulate(np.where(each, numbers, 0)) for each in (begins, file_begins)]
    ranks = np.empty(len(order))
    ranks[order] = 1 / np.log2(2 + first_of[0] - first_of[1])
    return ranks


def _pairs_since(snapshot: Snapshot, items: Sequence[int], since: Sequence[Ranges]) -> Array:
    found = [np.zeros((0, 2), dtype=np.int64)]
    for item in items if since else ():
        key = snapshot.items[item].key
        ranges = [(age, *span) for age, files in enumerate(since) for span in files.get(key, ())]
        if ranges:
            found.append(innermost(snapshot, item, np.asarray(ranges)))
    return np.concatenate(found)
