"""The exact optimum of a packing problem, by mixed-integer programming."""

from __future__ import annotations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

from haversack.pack.coverage import most, shown_share
from haversack.pack.hull import worth
from haversack.pack.state import State

SECONDS = 20.0  # after that the solver's upper bound is taken: the ratio can only look worse than it is


class Program:
    """Variables between 0 and 1 with their gains, and rows that must not exceed their limits."""

    def __init__(self) -> None:
        self.gains: list[float] = []
        self.whole: list[int] = []
        self.rows: list[list[tuple[int, float]]] = []
        self.limits: list[float] = []

    def variable(self, gain: float, *, whole: bool) -> int:
        """A new variable."""
        self.gains.append(gain)
        self.whole.append(int(whole))
        return len(self.gains) - 1

    def at_most(self, row: list[tuple[int, float]], limit: float) -> None:
        """A new row."""
        self.rows.append(row)
        self.limits.append(limit)

    def solve(self) -> float:
        """The largest gain."""
        numbers = [number for number, row in enumerate(self.rows) for _ in row]
        columns = [column for row in self.rows for column, _ in row]
        values = [value for row in self.rows for _, value in row]
        matrix = coo_array((values, (numbers, columns)), shape=(len(self.rows), len(self.gains))).tocsr()
        result = milp(
            -np.array(self.gains),
            constraints=LinearConstraint(matrix, ub=np.array(self.limits)),
            integrality=np.array(self.whole),
            bounds=Bounds(0, 1),
            options={"time_limit": SECONDS, "mip_rel_gap": 1e-4},
        )
        if result.mip_dual_bound is None:
            raise RuntimeError(f"no optimum: {result.message}")
        return float(-result.mip_dual_bound)


def optimum(part: State, made: State, budget: int) -> float:
    """The most any packet is worth, each section spending what the part spent and, up to its share, the gap.

    `part` is the part of the chain that the budget pays for, `made` the packet to compare with. Pinned items stay as
    the packet shows them: they come first, whatever they are worth.
    """
    problem, room = part.problem, part.room(budget)
    program = Program()
    opened = [program.variable(0.0, whole=True) for _ in problem.sections]
    spending = [[(variable, float(price))] for variable, price in zip(opened, problem.opening, strict=True)]
    shows: dict[int, list[tuple[int, float]]] = {item.rank: [] for item in problem.items if item.eligible}
    shown: dict[int, list[tuple[int, float]]] = {rank: [] for rank in shows}
    for rank in shows:
        item = problem.items[rank]
        own = []
        for rung in [made.at[rank]] if item.pinned else item.rungs:
            variable = program.variable(0.0, whole=True)
            own.append(variable)
            spending[item.section].append((variable, float(rung.tokens)))
            program.at_most([(variable, 1.0), (opened[item.section], -1.0)], 0.0)
            shows[rank].append((variable, worth(rung)))
            for other, similarity in problem.near.get(rank, ()):
                share = shown_share(rung, item, problem.items[other], similarity)
                if other in shown and share > 0:
                    shown[other].append((variable, share))
        program.at_most([(variable, 1.0) for variable in own], 1.0)
        if item.pinned:
            program.at_most([(variable, -1.0) for variable in own], -1.0)
    # What a candidate is worth is what its own rung shows of it, or what the others show together: all of it at most.
    for rank, options in shows.items():
        by_others = program.variable(0.0, whole=True)
        counted = [(program.variable(gain, whole=False), variable) for variable, gain in options]
        program.at_most([*((counts, 1.0) for counts, _ in counted), (by_others, 1.0)], 1.0)
        whole = most(problem.items[rank])
        parts = [(program.variable(share * whole, whole=False), variable, share) for variable, share in shown[rank]]
        program.at_most([*((counts, share) for counts, _, share in parts), (by_others, -1.0)], 0.0)
        for counts, variable in (*counted, *((counts, variable) for counts, variable, _ in parts)):
            program.at_most([(counts, 1.0), (variable, -1.0)], 0.0)
    # The packet may use what the reserve for footer lines leaves, and pinned items may pass a cap: so may the optimum.
    spent = max(sum(part.spent) + room, sum(made.spent))
    program.at_most([entry for row in spending for entry in row], float(spent))
    for number, row in enumerate(spending):
        share = min(problem.sections[number].cap, part.may_spend(number, budget))
        program.at_most(row, float(max(share, made.spent[number])))
    return program.solve()
