"""The order in which a growing budget buys: one chain of steps that does not depend on the budget.

A step brings one candidate up to one rung. Pinned candidates come first. Then sections take turns: one below its floor
goes first, then the one whose spending would be the smallest for its weight. So at any length of the chain spending
follows floors, weights and caps, and what one section has no use for goes to the others: `allocate`, step by step.
Within a section the step that gains most per token is next. A packet takes the longest part of the chain that it can
pay for; a larger budget therefore keeps everything this part held.
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
            self._take(item, item.steps[0])
        queue = Queue(self.state, self.strategy)
        for item in pinned:
            queue.add(item, 1)
        while queue.refresh():
            self._take_next(queue)

    def _turns(self, items: Iterable[Item]) -> None:
        queues = [Queue(self.state, self.strategy) for _ in self.problem.sections]
        for item in items:
            queues[item.section].add(item, 0)
        waiting: list[Waiting] = []
        turns: list[tuple[int, float, int] | None] = [None] * len(queues)
        changed = set(range(len(queues)))
        while True:
            while waiting and waiting[0][0] <= max(self.state.cost, self.reached):
                _, rank, number = heappop(waiting)
                item = self.problem.items[rank]
                queues[item.section].add(item, number)
                changed.add(item.section)
            for section in changed:
                turns[section] = self._turn(section, queues[section], waiting)
            changed.clear()
            turn = min((turn for turn in turns if turn is not None), default=None)
            if turn is not None:
                changed = self._take_next(queues[turn[2]])
            elif waiting:
                # Nothing else is left to buy: only a larger budget raises what one item may take.
                self.reached = waiting[0][0]
            else:
                return

    def _take_next(self, queue: Queue) -> set[int]:
        """Take the queue's next step; the sections whose next step may be another now."""
        item, rung = queue.head()
        self._take(item, rung)
        queue.advance()
        changed = {item.section}
        changed.update(self.problem.items[rank].section for rank, _ in self.problem.near.get(item.rank, ()))
        return changed

    def _turn(self, number: int, queue: Queue, waiting: list[Waiting]) -> tuple[int, float, int] | None:
        """How soon it is the section's turn, the smallest first; None when it has nothing to buy."""
        price = self._affordable(number, queue, waiting)
        if price is None:
            return None
        section, spent = self.problem.sections[number], self.state.spent[number]
        if spent < section.floor:
            return (0, spent / section.floor, number)
        if section.weight > 0:
            return (1, (spent + price) / section.weight, number)
        return (2, 0.0, number)

    def _affordable(self, number: int, queue: Queue, waiting: list[Waiting]) -> int | None:
        """The price of the section's next step, without what its cap forbids and what the item cap makes wait."""
        while queue.refresh():
            item, rung = queue.head()
            price = self.state.price(item, rung)
            own = self.state.section_price(item, rung) if item.rank in self.problem.near else price
            if self.state.spent[number] + own > self.problem.sections[number].cap:
                self.blocked.append(Step(item, rung, price, self.state.gain(item, rung), NO_CAP))
                queue.drop()
                continue
            unlock = self.problem.unlock(item, rung)
            if unlock > max(self.state.cost + price, self.reached):
                heappush(waiting, (unlock, item.rank, queue.drop()))
                continue
            return price
        return None

    def _take(self, item: Item, rung: Rung) -> None:
        state = self.state
        price, gain = state.price(item, rung), state.gain(item, rung)
        state.put(item, rung)
        budget = max(smallest_budget(state.cost, state.footers), self.reached)
        self.steps.append(Step(item, rung, price, gain, budget))


class Queue:
    """The next step of each item of a section, best first. Steps that gain nothing are passed over."""

    def __init__(self, state: State, strategy: Strategy) -> None:
        self.state = state
        self.strategy = strategy
        self.heap: list[tuple[float, float, int, int, Item]] = []

    def add(self, item: Item, number: int) -> None:
        """Queue the item's step of that number; of items that share text the best from there on."""
        if item.rank not in self.state.problem.near:
            if number < len(item.steps) and (gain := self.state.gain(item, item.steps[number])) > 0.0:
                heappush(self.heap, self._entry(item, number, gain))
            return
        # What a step shows of others may make it better than the ones before it, and what others show of it worthless.
        entries = [
            self._entry(item, later, gain)
            for later in range(number, len(item.steps))
            if (gain := self.state.gain(item, item.steps[later])) > 0.0
        ]
        if entries:
            heappush(self.heap, min(entries))

    def refresh(self) -> bool:
        """Bring the best step's gain up to date; whether there is one."""
        while self.heap:
            entry = self.heap[0]
            number, item = entry[3:]
            # Only items that share text with others can lose worth while they wait.
            if item.rank not in self.state.problem.near:
                return True
            if entry == self._entry(item, number, self.state.gain(item, item.steps[number])):
                return True
            heappop(self.heap)
            self.add(item, number)
        return False

    def head(self) -> tuple[Item, Rung]:
        """The best step, as it was last brought up to date."""
        number, item = self.heap[0][3:]
        return item, item.steps[number]

    def drop(self) -> int:
        """Take the best step out, and give its number."""
        return heappop(self.heap)[3]

    def advance(self) -> None:
        """Go on to the following step of the item whose step was just taken."""
        _, _, _, number, item = heappop(self.heap)
        self.add(item, number + 1)

    def _entry(self, item: Item, number: int, gain: float) -> tuple[float, float, int, int, Item]:
        if self.strategy is Strategy.TRUNCATE:
            return (0.0, float(item.rank), item.rank, number, item)
        tokens = self.state.block_price(item, item.steps[number])
        entering_first = float(number > 0) if self.strategy is Strategy.SUMMARIZE else 0.0
        return (entering_first, -gain / max(1, tokens), item.rank, number, item)
