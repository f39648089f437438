"""Weights of the ranking fitted to this project's older commits, kept only if they serve its newer ones better."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from haversack.evaluate.fitting import Example, fit
from haversack.evaluate.measure import shown
from haversack.evaluate.past import PastTask, past_tasks, split
from haversack.evaluate.replay import replay
from haversack.index.units import UnitReader
from haversack.model import Problem
from haversack.retrieve.candidates import Gatherer
from haversack.retrieve.learned import LAST
from haversack.retrieve.ranking import bent
from haversack.retrieve.understand import understand

if TYPE_CHECKING:
    from haversack.api import Haversack
    from haversack.index.build import Progress

COMMITS = 120
NEWER = 1 / 3  # of the commits that judge; the older ones teach
FEWEST = 15  # commits to learn from; with fewer the weights would be those of chance
# Commits that it takes in all, the newer ones included.
NEEDED = next(number for number in count(FEWEST) if number - round(number * NEWER) >= FEWEST)
BUDGET = 8_000
LEAST_GAIN = 0.005  # mean of file and line recall; less is noise


class Tuning(Struct, frozen=True):
    """What came of it: recall on the newer commits with the weights in use before and with the new ones.

    Recall is the mean of the shares of changed files and changed lines in packets of `BUDGET` tokens; None where there
    was too little to measure. `found` are the commits that could be used at all.
    """

    kept: bool
    before: float | None
    after: float | None
    learned_from: int
    judged_on: int
    weights: Mapping[str, float]
    problems: tuple[Problem, ...] = ()
    found: int = 0

    @property
    def enough(self) -> bool:
        """Whether there were commits enough to try."""
        return self.before is not None


def tune(now: Haversack, *, commits: int = COMMITS, progress: Progress | None = None) -> Tuning:
    """Fit on the older commits, judge on the newer ones. The caller keeps the weights when `kept` is true."""
    past = past_tasks(now.project, commits)
    older, newer = split(past, NEWER)
    if len(older) < FEWEST:
        return Tuning(False, None, None, 0, 0, {}, found=len(past))
    taught, problems = replay(now, older, _example, progress=progress)
    names = list(LAST.weights)
    start = np.asarray([LAST.weights[name] for name in names])
    examples = [each for _, each in taught if each.changed.any()]
    if len(examples) < FEWEST:
        return Tuning(False, None, None, len(examples), 0, {}, tuple(problems), len(past))
    found = fit(examples, start)
    weights = {name: round(float(weight), 4) for name, weight in zip(names, found, strict=True)}
    current = dict(now.learned)

    def both(then: Haversack, task: PastTask) -> tuple[float, float]:
        return _served(then, task, current), _served(then, task, weights)

    judged, more = replay(now, newer, both, progress=progress)
    if not judged:
        return Tuning(False, None, None, len(examples), 0, {}, (*problems, *more), len(past))
    before, after = (fmean(pair[which] for _, pair in judged) for which in (0, 1))
    kept = after >= before + LEAST_GAIN
    return Tuning(kept, before, after, len(examples), len(judged), weights, (*problems, *more), len(past))


def _served(then: Haversack, task: PastTask, weights: Mapping[str, float]) -> float:
    then.learned = weights
    told = shown(then.pack(task.text, budget=BUDGET), task.lines, then.texts)
    return (told.files + told.lines) / 2


def _example(then: Haversack, task: PastTask) -> Example:
    then.refresh()
    snapshot = then.store.snapshot()
    gatherer = Gatherer(then.store, then.embedder)
    positions, columns = gatherer.evidence(understand(task.text), UnitReader(then.store, snapshot))
    changed = np.zeros(len(positions))
    for path, lines in task.lines.items():
        item = snapshot.positions_by_key.get(path)
        inside = [n for n, p in enumerate(positions) if item is not None and int(snapshot.item_of[p]) == item]
        for line in lines:
            # The innermost piece holds the line.
            holding = [n for n in inside if snapshot.starts[positions[n]] <= line <= snapshot.ends[positions[n]]]
            if holding:
                changed[max(holding, key=lambda n: int(snapshot.starts[positions[n]]))] = 1.0
    return Example(
        np.stack([columns[name] for name in LAST.weights], axis=1),
        changed,
        snapshot.item_of[np.asarray(positions, dtype=np.int64)],
        bent(columns, LAST),
    )
