"""The order in which a growing budget buys: one chain of steps that does not depend on the budget.

A step brings one candidate up to one rung. Pinned candidates come first. Then sections take turns: one below its floor
goes first, then the one whose spending would be the smallest for its weight; sections of a pool have one turn. So at
any length of the chain spending follows floors, weights and caps, and what one section has no use for goes to the
others: `allocate`, step by step. Within a turn the step that gains most per token is next. A packet takes the longest
part of the chain that it can pay for; a larger budget therefore keeps everything this part held.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from haversack.model import Rung
from haversack.pack.allocate import NO_CAP
from haversack.pack.hull import Item
from haversack.pack.overflow import Strategy
from haversack.pack.overhead import smallest_budget
from haversack.pack.state import Problem, State

Waiting: TypeAlias = tuple[int, int, int]  # the budget at which the item cap lets a step in, the item's rank, its step


class Step(NamedTuple):
    """One purchase: the item, its new rung, tokens and worth it adds, and the smallest budget that reaches this far."""

    item: Item
    rung: Rung
    tokens: int
    gain: float
    budget: int

    @property
    def rate(self) -> float:
        """Worth per token."""
        return self.gain / max(1, self.tokens)


class Chain(NamedTuple):
    """All steps, how many of them are mandatory, and the steps that a section's cap forbids."""

    steps: list[Step]
    mandatory: int
    blocked: list[Step]

    def reach(self, budget: int) -> int:
        """How many steps this budget pays for."""
        # Taking a section's last candidate removes its footer line, so budgets may dip along the chain.
        for number in range(len(self.steps) - 1, self.mandatory - 1, -1):
            if self.steps[number].budget <= budget:
                return number + 1
        return self.mandatory

    def lasting(self) -> list[int]:
        """For each step the budget from which on it is paid for: the least of its own and all later ones."""
        return list(accumulate(reversed([step.budget for step in self.steps]), min))[::-1]

    def promises(self, reach: int, budget: int) -> bool:
        """Whether this very budget was promised to the last of so many steps: there nothing is exchanged."""
        return reach > 0 and self.steps[reach - 1].budget == budget

    def part(self, problem: Problem, reach: int) -> State:
        """The packet of the first steps."""
        state = State(problem)
        for step in self.steps[:reach]:
            state.put(step.item, step.rung)
        return state


class Builder:
    """Builds the chain for one problem."""

    def __init__(self, problem: Problem, strategy: Strategy) -> None:
        self.problem = problem
        self.state = State(problem)
        self.steps: list[Step] = []
        self.blocked: list[Step] = []
        self.strategy = strategy
        self.reached = 0  # the budget that the item cap has made the chain wait for

    def build(self, *, fill: bool) -> Chain:
        """The chain over pinned, then eligible, then (to fill) all remaining items."""
        items = self.problem.items
        self._pinned([item for item in items if item.pinned])
        mandatory = sum(item.pinned for item in items)
        self._turns(item for item in items if item.eligible and not item.pinned)
        if fill:
            self._turns(item for item in items if not item.eligible and not item.pinned)
        return Chain(self.steps, mandatory, self.blocked)

    def _pinned(self, pinned: list[Item]) -> None:
        for item in sorted(pinned, key=lambda item: (item.section, item.rank)):
            self._take(item, item.steps[0], self.state.gain(item, item.steps[0]))
        queue = Queue(self.state, self.strategy)
        for item in pinned:
            queue.add(item, 1)
        while queue.refresh():
            self._take_next(queue)

    def _turns(self, items: Iterable[Item]) -> None:
        pools = [members[0] for members in self.problem.pools]
        queues = {pool: Queue(self.state, self.strategy) for pool in pools}
        for item in items:
            queues[pools[item.section]].add(item, 0)
        waiting: list[Waiting] = []
        turns: dict[int, tuple[int, float, int] | None] = {}
        changed = set(pools)
        while True:
            while waiting and waiting[0][0] <= max(self.state.cost, self.reached):
                _, rank, number = heappop(waiting)
                item = self.problem.items[rank]
                queues[pools[item.section]].add(item, number)
                changed.add(pools[item.section])
            for pool in changed:
                turns[pool] = self._turn(pool, queues[pool], waiting)
            changed.clear()
            turn = min((turn for turn in turns.values() if turn is not None), default=None)
            if turn is not None:
                changed = self._take_next(queues[turn[2]])
            elif waiting:
                # Nothing else is left to buy: only a larger budget raises what one item may take.
                self.reached = waiting[0][0]
            else:
                return

    def _take_next(self, queue: Queue) -> set[int]:
        """Take the queue's next step; the pools whose next step may be another now."""
        item, number, gain = queue.pop()
        self._take(item, item.steps[number], gain)
        queue.add(item, number + 1)
        near = (self.problem.items[rank] for rank, _ in self.problem.near.get(item.rank, ()))
        return {self.problem.pools[each.section][0] for each in (item, *near)}

    def _turn(self, pool: int, queue: Queue, waiting: list[Waiting]) -> tuple[int, float, int] | None:
        """How soon it is the pool's turn, the smallest first; None when it has nothing to buy."""
        price = self._affordable(queue, waiting)
        if price is None:
            return None
        members = self.problem.pools[pool]
        spent = sum(self.state.spent[number] for number in members)
        floor = sum(self.problem.sections[number].floor for number in members)
        weight = sum(self.problem.sections[number].weight for number in members)
        if spent < floor:
            return (0, spent / floor, pool)
        if weight > 0:
            return (1, (spent + price) / weight, pool)
        return (2, 0.0, pool)

    def _affordable(self, queue: Queue, waiting: list[Waiting]) -> int | None:
        """The price of the next step, without what a section's cap forbids and what the item cap makes wait."""
        state, problem = self.state, self.problem
        while queue.refresh():
            item, number, gain = queue.head()
            rung = item.steps[number]
            price = state.price(item, rung)
            own = state.section_price(item, rung) if item.rank in problem.near else price
            if state.spent[item.section] + own > problem.sections[item.section].cap:
                self.blocked.append(Step(item, rung, price, gain, NO_CAP))
                queue.pop()
                continue
            if problem.item_cap is not None:
                unlock = problem.unlock(item, rung)
                if unlock > max(state.cost + price, self.reached):
                    heappush(waiting, (unlock, item.rank, number))
                    queue.pop()
                    continue
            return price
        return None

    def _take(self, item: Item, rung: Rung, gain: float) -> None:
        price = self.state.put(item, rung)
        budget = max(smallest_budget(self.state.cost, self.state.footers), self.reached)
        self.steps.append(Step(item, rung, price, gain, budget))


class Queue:
    """The next step of each item of a section, best first. Steps that gain nothing are passed over."""

    def __init__(self, state: State, strategy: Strategy) -> None:
        self.state = state
        self.strategy = strategy
        self.heap: list[tuple[float, float, int, int, float, Item]] = []

    def add(self, item: Item, number: int) -> None:
        """Queue the item's step of that number; of items that share text the best from there on."""
        entry = self._best(item, number)
        if entry is not None:
            heappush(self.heap, entry)

    def refresh(self) -> bool:
        """Bring the best step's gain up to date; whether there is one."""
        while self.heap:
            entry = self.heap[0]
            # Only what shares text with others can change while it waits.
            if entry[2] not in self.state.problem.near:
                return True
            now = self._best(entry[5], entry[3])
            if now == entry:
                return True
            heappop(self.heap)
            if now is not None:
                heappush(self.heap, now)
        return False

    def head(self) -> tuple[Item, int, float]:
        """The item of the best step, the step's number, and its gain, as they were last brought up to date."""
        _, _, _, number, gain, item = self.heap[0]
        return item, number, gain

    def pop(self) -> tuple[Item, int, float]:
        """The same, taken out."""
        _, _, _, number, gain, item = heappop(self.heap)
        return item, number, gain

    def _best(self, item: Item, number: int) -> tuple[float, float, int, int, float, Item] | None:
        if item.rank not in self.state.problem.near:
            return self._entry(item, number) if number < len(item.steps) else None
        # What a step shows of others may make it better than the ones before it, and what others show of it worthless.
        entries = (self._entry(item, later) for later in range(number, len(item.steps)))
        return min((entry for entry in entries if entry is not None), default=None)

    def _entry(self, item: Item, number: int) -> tuple[float, float, int, int, float, Item] | None:
        rung = item.steps[number]
        gain = self.state.gain(item, rung)
        if gain <= 0.0:
            return None
        if self.strategy is Strategy.TRUNCATE:
            return (0.0, 0.0, item.rank, number, gain, item)
        entering_first = 1.0 if number and self.strategy is Strategy.SUMMARIZE else 0.0
        price = self.state.block_price(item, rung)
        return (entering_first, -gain / price if price > 1 else -gain, item.rank, number, gain, item)
