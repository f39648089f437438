"""Which pieces of code a task is about: a small model over named evidence, its numbers fitted on past changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

import numpy as np

from haversack.index.segment import Array
from haversack.index.snapshot import Snapshot
from haversack.retrieve.evidence import Told
from haversack.retrieve.fusion import best
from haversack.retrieve.learned import FIRST, LAST, Numbers

POOL = 400  # pieces of code that are looked at closely, by their words alone
BY_ONE_VIEW = 100  # more that one view alone puts forward
WHOLE_FILES = 8  # best files all of whose pieces are, and as many that the task names
PIECES_OF_FILE = 200
# Points of the model by which a piece may be worse than the best until its alignment is half of that. The larger this,
# the more a piece's length counts beside its points. On 619 development tasks 8,000 tokens held .729 of the changed
# functions of issues and .764 of those of commits; with 5.5 .716 and .755, with 7 .733 and .761 but fewer lines.
# That was with less evidence; with all of it, on 566 tasks, 6 held .747 and .774, 7 .747 and .767.
HALVED_AFTER = 6.0
DIGITS = 9  # of points that count


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
    evidence = np.stack([columns[name] for name in numbers.bends]).astype(np.float64)
    # Not `@`: BLAS starts threads for it, which go on waiting for more: a tenth of a second of processor time a packet.
    # The last digits may depend on where a piece stands among the others: equals must stay equal.
    layer = np.einsum("ji,jk->ki", evidence, np.asarray(list(numbers.bends.values())))
    bends = np.maximum(layer + np.asarray(numbers.shifts)[:, None], 0.0)
    points: Array = np.round(np.einsum("ki,k->i", bends, np.asarray(numbers.heights)), DIGITS)
    return points


def pool(snapshot: Snapshot, told: Told, allowed: Array, marked: Iterable[int]) -> list[int]:
    """Code worth a closer look: the best by words, by meaning and by name, and all of the files that are best or named.

    `marked` are positions that the task names, of a file its first. Tests say what they test in the task's own words:
    unless they count less, they may be half of it.
    """
    code = snapshot.sources.get("code")
    if code is None:
        return []
    code = code & allowed
    signals, by_role = told.signals, told.shares[snapshot.roles]
    found = dict.fromkeys(best(told.aligned + signals.fused * by_role, POOL, code).tolist())
    owners = ((position, int(snapshot.item_of[position])) for position in marked if code[position])
    files = dict.fromkeys(
        islice((item for first, item in owners if first == snapshot.first_position(item)), WHOLE_FILES)
    )
    best_files = dict.fromkeys(int(snapshot.item_of[position]) for position in found)
    files |= dict.fromkeys(islice(best_files, WHOLE_FILES))
    for signal in (signals.semantic, signals.name):
        found |= dict.fromkeys(best(signal * by_role, BY_ONE_VIEW, code).tolist())
    for item in files:
        first = snapshot.first_position(item)
        found |= dict.fromkeys(range(first, first + min(snapshot.items[item].count, PIECES_OF_FILE)))
    return list(found)
