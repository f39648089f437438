"""The exact optimum of a packing problem, by mixed-integer programming."""

from __future__ import annotations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

from haversack.pack.coverage import most, shown_share
from haversack.pack.hull import worth
from haversack.pack.state import State


def optimum(part: State, budget: int, *, seconds: float = 20.0) -> float:
    """The most any packet within this budget is worth, each section spending at most what the part spent plus the gap.

    `part` is the part of the chain that the budget pays for. Footer lines are reserved as the part reserves them.
    """
    problem = part.problem
    room = part.room(budget)
    columns: list[float] = []  # the gain of each variable
    rows: list[list[tuple[int, float]]] = []
    limits: list[float] = []
    choices: dict[tuple[int, int], int] = {}
    eligible = [item for item in problem.items if item.eligible]
    opened = [len(columns) + number for number in range(len(problem.sections))]
    columns += [0.0] * len(problem.sections)
    spending: list[list[tuple[int, float]]] = [[(opened[n], problem.opening[n])] for n in range(len(problem.sections))]
    for item in eligible:
        for number, rung in enumerate(item.rungs):
            if problem.unlock(item, rung) > budget:
                continue
            choices[item.rank, number] = len(columns)
            spending[item.section].append((len(columns), float(rung.tokens)))
            rows.append([(len(columns), 1.0), (opened[item.section], -1.0)])
            limits.append(0.0)
            columns.append(0.0)
        rows.append([(choices[item.rank, n], 1.0) for n in range(len(item.rungs)) if (item.rank, n) in choices])
        limits.append(1.0)
    # What a candidate is worth is the most that any chosen rung shows of it.
    shows: dict[int, list[tuple[int, float]]] = {item.rank: [] for item in eligible}
    for (rank, number), variable in choices.items():
        item = problem.items[rank]
        shows[rank].append((variable, worth(item.rungs[number])))
        for other, similarity in problem.near.get(rank, ()):
            if other in shows:
                share = shown_share(item.rungs[number], item, problem.items[other], similarity)
                if share > 0:
                    shows[other].append((variable, share * most(problem.items[other])))
    whole = len(columns)
    for options in shows.values():
        if len(options) == 0:
            continue
        start = len(columns)
        columns += [gain for _, gain in options]
        rows.append([(start + n, 1.0) for n in range(len(options))])
        limits.append(1.0)
        for n, (variable, _) in enumerate(options):
            rows.append([(start + n, 1.0), (variable, -1.0)])
            limits.append(0.0)
    rows.append([entry for section in spending for entry in section])
    limits.append(float(sum(part.spent) + room))
    for number, section in enumerate(spending):
        rows.append(section)
        limits.append(float(min(problem.sections[number].cap, part.spent[number] + room)))
    return _solve(columns, rows, limits, whole, seconds)


def _solve(
    columns: list[float], rows: list[list[tuple[int, float]]], limits: list[float], whole: int, seconds: float
) -> float:
    row = [number for number, entries in enumerate(rows) for _ in entries]
    column = [entry[0] for entries in rows for entry in entries]
    values = [entry[1] for entries in rows for entry in entries]
    matrix = coo_array((values, (row, column)), shape=(len(rows), len(columns))).tocsr()
    integrality = np.zeros(len(columns))
    integrality[:whole] = 1
    result = milp(
        -np.array(columns),
        constraints=LinearConstraint(matrix, ub=np.array(limits)),
        integrality=integrality,
        bounds=Bounds(0, 1),
        options={"time_limit": seconds, "mip_rel_gap": 1e-4},
    )
    # On a time limit the dual bound is at least the optimum: comparing with it can only make the ratio look worse.
    return float(-(result.mip_dual_bound if result.mip_dual_bound is not None else result.fun))


