"""Which pieces of code a task is about: a small model over named evidence, its numbers fitted on past changes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import islice

import numpy as np

from haversack.index.segment import Array
from haversack.index.snapshot import Snapshot
from haversack.model import Task
from haversack.retrieve.evidence import Told
from haversack.retrieve.fusion import best
from haversack.retrieve.learned import FIRST, LAST, Numbers
from haversack.retrieve.named import named_files

POOL = 400  # pieces of code that are looked at closely, by their words alone
BY_ONE_VIEW = 100  # more that one view alone puts forward
WHOLE_FILES = 8  # best files all of whose pieces are, and as many that the task names
PIECES_OF_FILE = 200
# What the best piece of a file that the task names by its path gets at least. Of 126 paths in made-up tasks 13 had no
# line in a packet of 4,000 tokens, tests and benchmarks most of all, now all have. On 92 development tasks that name
# a path it changes nothing that can be told from chance.
NAMED_FILE = 0.85
# Points of the model by which a piece may be worse than the best until its alignment is half of that. The larger this,
# the more a piece's length counts beside its points. On 619 development tasks 8,000 tokens held .729 of the changed
# functions of issues and .764 of those of commits; with 5.5 .716 and .755, with 7 .733 and .761 but fewer lines.
# That was with less evidence; with all of it, on 566 tasks, 6 held .747 and .774, 7 .747 and .767.
HALVED_AFTER = 6.0
DIGITS = 9  # of points that count
AT_ONCE = 32  # pieces that go through the bends together


def alignments(columns: Mapping[str, Array], weights: Mapping[str, float]) -> Array:
    """What the last ranking gives each piece, relative to the best: 1 for that, falling towards 0."""
    points = weigh(columns, weights) + bent(columns, LAST)
    relative: Array = 0.5 ** ((points.max() - points) / HALVED_AFTER) if len(points) else points
    return relative


def first_points(columns: Mapping[str, Array]) -> Array:
    """What the first ranking gives each piece: by it the best are found, to which others are related."""
    return weigh(columns, FIRST.weights) + bent(columns, FIRST)


def weigh(columns: Mapping[str, Array], weights: Mapping[str, float]) -> Array:
    """The straight part of a ranking's points: the weighted sum of the columns."""
    points = np.zeros(len(next(iter(columns.values()))), dtype=np.float64)
    for name, column in columns.items():
        points += weights.get(name, 0.0) * column
    return points


def bent(columns: Mapping[str, Array], numbers: Numbers) -> Array:
    """The other part: what several pieces of evidence say together. It ships and is not tuned."""
    evidence = np.stack([columns[name] for name in numbers.bends], axis=1, dtype=np.float64)
    shares, shifts, heights = _matrices(numbers)
    # Few at a time: for more, BLAS starts threads that go on waiting, a tenth of a second of processor time a packet.
    parts = (evidence[at : at + AT_ONCE] @ shares for at in range(0, len(evidence), AT_ONCE))
    points = [np.maximum(part + shifts, 0.0) @ heights for part in parts]
    # The last digits may depend on where a piece stands among the others: equals must stay equal.
    return np.round(np.concatenate(points), DIGITS) if points else np.zeros(0)


@lru_cache(maxsize=4)
def _matrices(numbers: Numbers) -> tuple[Array, Array, Array]:
    return np.asarray([*numbers.bends.values()]), np.asarray(numbers.shifts), np.asarray(numbers.heights)


def lifted(snapshot: Snapshot, ranked: Mapping[int, float], task: Task) -> dict[int, float]:
    """The same alignments, those of a file that the task names by its path raised where none of them is near the best.

    Who names a file wants it looked at, whatever else speaks against it.
    """
    files = set(_named_files(snapshot, task))
    pieces = {p: int(snapshot.item_of[p]) for p in ranked}
    pieces = {p: item for p, item in pieces.items() if item in files and not _is_map(snapshot, p, item)}
    best_of: dict[int, float] = {}
    for position, item in pieces.items():
        best_of[item] = max(best_of.get(item, 0.0), ranked[position])
    raised = {p: ranked[p] * max(1.0, NAMED_FILE / best_of[item]) for p, item in pieces.items() if best_of[item]}
    return {**ranked, **raised}


def _named_files(snapshot: Snapshot, task: Task) -> list[int]:
    """Files that the task names by their path, as many as are looked at closely."""
    return [item for item in named_files(snapshot, task) if snapshot.first_position(item) >= 0][:WHOLE_FILES]


def _is_map(snapshot: Snapshot, position: int, item: int) -> bool:
    """Whether it stands for a file whose parts are pieces themselves."""
    return snapshot.items[item].count > 1 and position == snapshot.first_position(item)


def pool(snapshot: Snapshot, told: Told, task: Task, allowed: Array) -> list[int]:
    """Code worth a closer look: the best by words, by meaning and by name, and all of the files that are best or named.

    Tests say what they test in the task's own words: unless they count less, they may be half of it.
    """
    code = snapshot.sources.get("code")
    if code is None:
        return []
    code = code & allowed
    signals, by_role = told.signals, told.shares[snapshot.roles]
    found = dict.fromkeys(best(told.aligned + signals.fused * by_role, POOL, code).tolist())
    files = dict.fromkeys(item for item in _named_files(snapshot, task) if code[snapshot.first_position(item)])
    best_files = dict.fromkeys(int(snapshot.item_of[position]) for position in found)
    files |= dict.fromkeys(islice(best_files, WHOLE_FILES))
    for signal in (signals.semantic, signals.name):
        found |= dict.fromkeys(best(signal * by_role, BY_ONE_VIEW, code).tolist())
    for item in files:
        first = snapshot.first_position(item)
        found |= dict.fromkeys(range(first, first + min(snapshot.items[item].count, PIECES_OF_FILE)))
    return list(found)
