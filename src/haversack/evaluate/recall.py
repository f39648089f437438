"""Recall on the project's own recent commits, at several budgets: how often are the lines that had to change there?"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from msgspec import Struct

from haversack.evaluate.measure import Shown, shown
from haversack.evaluate.past import PastTask, past_tasks
from haversack.evaluate.replay import replay
from haversack.model import Problem

if TYPE_CHECKING:
    from haversack.api import Haversack
    from haversack.index.build import Progress

BUDGETS = (2_000, 4_000, 8_000, 16_000)
COMMITS = 50
CLOSE = 1e-9  # three times a third is one


class AtBudget(Struct, frozen=True):
    """Means over all tasks of packets of one size."""

    budget: int
    files: float
    lines: float
    everything: float
    tokens: float


class Judged(Struct, frozen=True):
    """One commit and what packets for its message showed, by budget."""

    commit: str
    title: str
    shown: tuple[Shown, ...]


class Evaluation(Struct, frozen=True):
    """How packets would have served the recent commits."""

    budgets: tuple[AtBudget, ...]
    first: float
    """Mean of 1 over the place of the first changed file in the order of the largest packet."""
    tasks: tuple[Judged, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def is_first(self) -> float:
        """The share of commits of which a changed file is the first of the files."""
        return self._within(1)

    @property
    def among_three(self) -> float:
        """The share of commits of which a changed file is among the first three."""
        return self._within(3)

    def _within(self, places: int) -> float:
        found = [each.shown[-1].first * places >= 1 - CLOSE for each in self.tasks]
        return sum(found) / len(found) if found else 0.0


def evaluate(
    now: Haversack,
    *,
    commits: int = COMMITS,
    budgets: Sequence[int] = BUDGETS,
    progress: Progress | None = None,
) -> Evaluation:
    """Measure on the newest commits that say what they do. Each sees the project as of its parent and nothing later."""
    sizes = sorted(set(budgets))

    def look(then: Haversack, task: PastTask) -> tuple[Shown, ...]:
        return tuple(shown(then.pack(task.text, budget=size), task.lines, then.texts) for size in sizes)

    found, problems = replay(now, past_tasks(now.project, commits), look, progress=progress)
    judged = [Judged(task.commit, task.text.partition("\n")[0], each) for task, each in found]
    return Evaluation(
        tuple(_at(size, [each.shown[number] for each in judged]) for number, size in enumerate(sizes))
        if judged
        else (),
        fmean(each.shown[-1].first for each in judged) if judged else 0.0,
        tuple(judged),
        tuple(problems),
    )


def _at(budget: int, shown_at: Sequence[Shown]) -> AtBudget:
    return AtBudget(
        budget,
        fmean(each.files for each in shown_at),
        fmean(each.lines for each in shown_at),
        fmean(each.everything for each in shown_at),
        fmean(each.tokens for each in shown_at),
    )
