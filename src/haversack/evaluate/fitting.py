"""Weights that give what was changed a large share of what could have been: softmaxes over pieces and over files."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from haversack.index.segment import Array

STEPS = 300
STEP = 0.05
FORGET, FORGET_SQUARE = 0.9, 0.999  # Adam's usual two
RIDGE = 3e-3  # on weights of standardised columns, around those it starts from


class Example(Struct, frozen=True):
    """One task: a row of evidence per piece, which pieces were changed, the number of the file each stands in.

    `given` are points of each piece that the weights do not change.
    """

    columns: Array
    changed: Array
    file: Array
    given: Array


def fit(examples: Sequence[Example], start: Array, *, ridge: float = RIDGE) -> Array:
    """Weights for the columns, found by descent from `start` and held near it."""
    stacked = _Stacked(examples)
    begin = start * stacked.spread
    weights = begin.copy()
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        slope = stacked.slope(weights) + 2 * ridge * (weights - begin)
        mean = FORGET * mean + (1 - FORGET) * slope
        square = FORGET_SQUARE * square + (1 - FORGET_SQUARE) * slope**2
        moved = (mean / (1 - FORGET**step)) / (np.sqrt(square / (1 - FORGET_SQUARE**step)) + 1e-8)
        weights -= STEP * moved
    found: Array = weights / stacked.spread
    return found


class _Stacked:
    """All examples side by side, columns standardised."""

    def __init__(self, examples: Sequence[Example]) -> None:
        usable = [each for each in examples if each.changed.any()]
        self.count = len(usable)
        raw = np.concatenate([each.columns for each in usable]).astype(np.float64)
        self.spread = raw.std(axis=0)
        self.spread[self.spread < 1e-6] = 1.0
        self.columns = (raw - raw.mean(axis=0)) / self.spread
        self.given = np.concatenate([each.given for each in usable])
        sizes = [len(each.changed) for each in usable]
        self.starts = np.cumsum([0, *sizes])[:-1]
        self.task = np.repeat(np.arange(self.count), sizes)
        self.goal = np.concatenate([each.changed / each.changed.sum() for each in usable])
        files, goals, tasks = [], [], []
        before = 0
        for number, each in enumerate(usable):
            _, inverse = np.unique(each.file, return_inverse=True)
            changed = np.zeros(int(inverse.max()) + 1)
            changed[inverse[each.changed > 0]] = 1.0
            files.append(inverse + before)
            goals.append(changed / changed.sum())
            tasks.append(np.full(len(changed), number))
            before += len(changed)
        self.file, self.file_goal, self.file_task = (np.concatenate(parts) for parts in (files, goals, tasks))

    def slope(self, weights: Array) -> Array:
        """How the loss grows with each weight."""
        points = self.given + self.columns @ weights
        exps = np.exp(points - np.maximum.reduceat(points, self.starts)[self.task])
        sums = np.add.reduceat(exps, self.starts)
        file_sums = np.bincount(self.file, weights=exps, minlength=len(self.file_task))
        by_file = file_sums / sums[self.file_task] - self.file_goal
        errors = exps / sums[self.task] - self.goal + by_file[self.file] * exps / file_sums[self.file]
        gradient: Array = errors @ self.columns / self.count
        return gradient
