"""A packet under construction: who is in at which rung, what it costs exactly, what it is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from haversack.model import Rung, Section
from haversack.pack.coverage import Neighbours, most, shown_share
from haversack.pack.hull import Item
from haversack.pack.overhead import Overhead, footer_reserve


@dataclass(frozen=True, slots=True)
class Problem:
    """Everything that stays the same while packing."""

    items: tuple[Item, ...]
    sections: tuple[Section, ...]
    overhead: Overhead
    near: Neighbours
    item_cap: float | None
    opening: tuple[int, ...]
    footer: tuple[int, ...]
    weight_sum: float

    @classmethod
    def of(
        cls,
        items: Sequence[Item],
        sections: Sequence[Section],
        overhead: Overhead,
        near: Neighbours,
        item_cap: float | None,
    ) -> Problem:
        """The problem with the overhead laid out by section."""
        opening = tuple(overhead.opening.get(section.name, 0) for section in sections)
        footer = tuple(overhead.omitted.get(section.name, 0) for section in sections)
        used = {item.section for item in items}
        weight_sum = sum(section.weight for number, section in enumerate(sections) if number in used)
        return cls(tuple(items), tuple(sections), overhead, near, item_cap, opening, footer, weight_sum)

    def unlock(self, item: Item, rung: Rung) -> int:
        """The budget from which the item cap allows this rung: a part of its section's share by weight."""
        weight = self.sections[item.section].weight
        if self.item_cap is None or item.pinned or weight <= 0:
            return 0
        return ceil(rung.tokens * self.weight_sum / (weight * self.item_cap))

    def limit(self, item: Item, budget: int) -> int:
        """The most tokens the item cap allows one item of that section."""
        weight = self.sections[item.section].weight
        if self.item_cap is None or item.pinned or weight <= 0:
            return budget
        return int(budget * weight * self.item_cap / self.weight_sum)


class State:
    """Items in, at their rungs. `cost` is exact: frame, headings, blocks; footer lines are counted apart."""

    __slots__ = ("at", "cost", "footers", "inside", "missing", "problem", "seen", "seen_in", "spent")

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.at: dict[int, Rung] = {}
        self.seen: dict[int, float] = {}  # the most of each item that anything in the packet shows
        self.seen_in: dict[int, int] = {}  # and which item shows it
        self.spent = [0] * len(problem.sections)
        self.inside = [0] * len(problem.sections)
        self.missing = [0] * len(problem.sections)
        for item in problem.items:
            self.missing[item.section] += 1
        self.cost = problem.overhead.fixed
        self.footers = sum(line for line, missing in zip(problem.footer, self.missing, strict=True) if missing)

    @classmethod
    def of(cls, problem: Problem, rungs: dict[int, Rung]) -> State:
        """The state with these rungs."""
        state = cls(problem)
        for rank in sorted(rungs):
            state.put(problem.items[rank], rungs[rank])
        return state

    @property
    def value(self) -> float:
        """What the packet is worth."""
        return sum(self.seen.values())

    def price(self, item: Item, rung: Rung) -> int:
        """What it costs to bring the item to this rung, the heading of its section included if it is the first."""
        now = self.at.get(item.rank)
        if now is not None:
            return rung.tokens - now.tokens
        return rung.tokens + (0 if self.inside[item.section] else self.problem.opening[item.section])

    def gain(self, item: Item, rung: Rung) -> float:
        """What the packet gains in worth."""
        seen = self.seen.get(item.rank, 0.0)
        gain = rung.value - seen if rung.value > seen else 0.0  # false for what is not a number
        for rank, similarity in self.problem.near.get(item.rank, ()):
            other = self.problem.items[rank]
            if other.eligible:
                shown = shown_share(rung, item, other, similarity) * most(other)
                gain += max(0.0, shown - self.seen.get(rank, 0.0))
        return gain

    def put(self, item: Item, rung: Rung) -> None:
        """Bring the item to this rung."""
        price = self.price(item, rung)
        self.cost += price
        self.spent[item.section] += price
        if item.rank not in self.at:
            self.inside[item.section] += 1
            self.missing[item.section] -= 1
            if not self.missing[item.section]:
                self.footers -= self.problem.footer[item.section]
        self.at[item.rank] = rung
        self._see(item.rank, rung.value, item.rank)
        for rank, similarity in self.problem.near.get(item.rank, ()):
            other = self.problem.items[rank]
            if other.eligible:
                self._see(rank, shown_share(rung, item, other, similarity) * most(other), item.rank)

    def fits(self, item: Item, rung: Rung, budget: int) -> bool:
        """Whether the packet stays within budget and the section within its cap."""
        price = self.price(item, rung)
        section = self.problem.sections[item.section]
        if not item.pinned and self.spent[item.section] + price > section.cap:
            return False
        if self.problem.item_cap is not None and self.problem.unlock(item, rung) > budget:
            return False
        footers = self.footers
        if item.rank not in self.at and self.missing[item.section] == 1:
            footers -= self.problem.footer[item.section]
        return self.cost + price + footer_reserve(footers, budget) <= budget

    def room(self, budget: int) -> int:
        """Tokens left for items."""
        return budget - self.cost - footer_reserve(self.footers, budget)

    def footer_lines(self, budget: int) -> int:
        """Tokens of the lines about what was left out that fit, in order of the sections."""
        tokens = 0
        for line, missing in zip(self.problem.footer, self.missing, strict=True):
            if missing and self.cost + tokens + line <= budget:
                tokens += line
        return tokens

    def within(self, budget: int) -> bool:
        """Whether the packet fits as it stands."""
        return self.room(budget) >= 0

    def copy(self) -> State:
        """An independent copy."""
        twin = State.__new__(State)
        twin.problem, twin.cost, twin.footers = self.problem, self.cost, self.footers
        twin.at, twin.seen, twin.seen_in = dict(self.at), dict(self.seen), dict(self.seen_in)
        twin.spent, twin.inside, twin.missing = list(self.spent), list(self.inside), list(self.missing)
        return twin

    def _see(self, rank: int, shown: float, by: int) -> None:
        if shown > self.seen.get(rank, 0.0):
            self.seen[rank] = shown
            self.seen_in[rank] = by
