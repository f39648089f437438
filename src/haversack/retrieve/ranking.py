"""Which pieces of code a task is about: a linear model over named evidence, its weights fitted on past changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from haversack.index.segment import Array
from haversack.index.snapshot import Snapshot
from haversack.index.units import UnitReader
from haversack.model import Task
from haversack.retrieve.evidence import evidence
from haversack.retrieve.fusion import Signals, best
from haversack.retrieve.learned import WEIGHTS

POOL = 400  # pieces of code that are looked at closely, by their words alone
WHOLE_FILES = 8  # best files all of whose pieces are
PIECES_OF_FILE = 200
# Points of the model by which a piece may be worse than the best for its alignment to fall to 1/e of it.
TEMPERATURE = 4.0


@dataclass(frozen=True, slots=True)
class Ranked:
    """Positions of code, what the model gives each, relative to the best: 1 for that, falling towards 0."""

    positions: tuple[int, ...]
    alignment: Array

    def as_mapping(self) -> dict[int, float]:
        """Alignment by position."""
        return dict(zip(self.positions, self.alignment.tolist(), strict=True))


def rank_code(
    snapshot: Snapshot,
    reader: UnitReader,
    task: Task,
    signals: Signals,
    *,
    history: Array,
    shares: Array,
    aligned: Array,
    weights: Mapping[str, float] = WEIGHTS,
) -> Ranked:
    """The pieces of code that may matter and how much each does. `aligned` is what the words alone say."""
    positions = pool(snapshot, signals, aligned)
    if not positions:
        return Ranked((), np.zeros(0, dtype=np.float32))
    columns = evidence(snapshot, reader, task, signals, history, shares, positions)
    points = weigh(columns, weights)
    return Ranked(tuple(positions), np.exp((points - points.max()) / np.float32(TEMPERATURE)))


def weigh(columns: Mapping[str, Array], weights: Mapping[str, float]) -> Array:
    """The model's points: the weighted sum of the columns."""
    points = np.zeros(len(next(iter(columns.values()))), dtype=np.float64)
    for name, column in columns.items():
        points += weights.get(name, 0.0) * column
    return points


def pool(snapshot: Snapshot, signals: Signals, aligned: Array) -> Sequence[int]:
    """Code worth a closer look: the best by words, by meaning and by name, and everything in the best files."""
    code = snapshot.sources.get("code")
    if code is None:
        return []
    found = dict.fromkeys(best(aligned + signals.fused, POOL, code).tolist())
    found |= dict.fromkeys(best(signals.semantic, POOL // 4, code).tolist())
    found |= dict.fromkeys(best(signals.name, POOL // 4, code).tolist())
    files: dict[int, None] = {}
    for position in found:
        files[int(snapshot.item_of[position])] = None
        if len(files) == WHOLE_FILES:
            break
    for item in files:
        first = snapshot.first_position(item)
        found |= dict.fromkeys(range(first, first + min(snapshot.items[item].count, PIECES_OF_FILE)))
    return list(found)
