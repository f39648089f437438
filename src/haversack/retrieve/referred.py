"""Commits that a task refers to, by hash or by an issue's number: what they changed is near what it asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from haversack.index import symbolic
from haversack.index.relational import LARGE_COMMIT
from haversack.index.segment import Array
from haversack.index.snapshot import Snapshot
from haversack.index.terms import term_hash
from haversack.index.units import UnitReader
from haversack.model import Task, Unit
from haversack.patterns import lazily

# `#622`, `GH-622`, `issues/622`, `ABC-622`: how people and trackers say which issue they mean. One digit counts a list.
_ISSUE: Final = lazily(r"(?:(?<![\w&])#|\b[A-Z][A-Z0-9]{1,9}-|\bgh-|/(?:issues|pulls?|merge_requests)/)(\d{2,7})\b")
_HASH: Final = lazily(r"\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b")
MOST_REFERENCES: Final = 8  # of a task; a changelog refers to hundreds and means none
MOST_COMMITS: Final = 60  # that a number stands in; one that stands in more is no issue's


def referred(snapshot: Snapshot, reader: UnitReader, task: Task) -> Array:
    """For every item how much it was part of the commits that the task refers to; 1 for the only file of one."""
    found = np.zeros(max(len(snapshot.items), 1), dtype=np.float32)
    numbers, hashes = (list(dict.fromkeys(pattern.findall(task.text))) for pattern in (_ISSUE, _HASH))
    if 0 < len(numbers) + len(hashes) <= MOST_REFERENCES:
        commits = {unit.id: unit for unit in (*_about(snapshot, reader, numbers), *_called(snapshot, reader, hashes))}
        for _, commit in sorted(commits.items()):
            files = commit.meta.get("files")
            if isinstance(files, tuple) and 0 < len(files) <= LARGE_COMMIT:  # a merge names none
                items = [snapshot.positions_by_key[path] for path in files if path in snapshot.positions_by_key]
                found[items] += len(files) ** -0.5
    return np.minimum(found, np.float32(1.0))


def _about(snapshot: Snapshot, reader: UnitReader, numbers: Sequence[str]) -> Iterator[Unit]:
    """Commits whose message, not their diff, says one of the numbers as one says an issue's."""
    commits = snapshot.sources.get("commits")
    if commits is None:
        return
    for number, (units, _) in zip(numbers, snapshot.postings([term_hash(each) for each in numbers]), strict=True):
        saying = units[commits[units]].tolist()
        for unit in reader.at(saying) if len(saying) <= MOST_COMMITS else ():
            if number in _ISSUE.findall(f"{unit.title}\n{unit.text.partition('diff --git')[0]}"):
                yield unit


def _called(snapshot: Snapshot, reader: UnitReader, hashes: Sequence[str]) -> list[Unit]:
    """Commits by the beginnings of their hashes, where one commit alone begins so."""
    found = [symbolic.commit(snapshot, each) for each in hashes]
    named = [snapshot.first_position(of_it[0]) for of_it in found if len(of_it) == 1]
    return reader.at([position for position in named if position >= 0])
