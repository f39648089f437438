"""A packet under construction: who is in at which rung, what it costs exactly, what it is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from haversack.model import Level, Rung, Section
from haversack.pack.coverage import WHOLE, Neighbours, most, shown_share
from haversack.pack.hull import Item
from haversack.pack.overhead import Overhead, footer_reserve


class Problem(Struct, frozen=True):
    """Everything that stays the same while packing."""

    items: tuple[Item, ...]
    sections: tuple[Section, ...]
    overhead: Overhead
    near: Neighbours
    item_cap: float | None
    opening: tuple[int, ...]
    footer: tuple[int, ...]
    weight_sum: float
    pools: tuple[tuple[int, ...], ...]
    """For each section those of its pool, itself among them; the first stands for all."""

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
        pools = tuple(
            tuple(n for n, other in enumerate(sections) if n == number or (each.pool and other.pool == each.pool))
            for number, each in enumerate(sections)
        )
        return cls(tuple(items), tuple(sections), overhead, near, item_cap, opening, footer, weight_sum, pools)

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

    __slots__ = ("at", "cost", "footers", "inside", "missing", "problem", "seen", "shares", "spent", "whole_in")

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.at: dict[int, Rung] = {}
        self.seen: dict[int, float] = {}  # what the packet shows of each item, in worth
        self.shares: dict[int, float] = {}  # which share of each item others show, all together
        self.whole_in: dict[int, int] = {}  # which other item shows all of it
        self.spent = [0] * len(problem.sections)
        self.inside = [0] * len(problem.sections)
        self.missing = [0] * len(problem.sections)
        for item in problem.items:
            self.missing[item.section] += 1
        self.cost = problem.overhead.fixed
        self.footers = sum(line for line, missing in zip(problem.footer, self.missing, strict=True) if missing)

    @classmethod
    def of(cls, problem: Problem, rungs: dict[int, Rung]) -> State:
        """The state with these rungs, without those that others show whole."""
        state = cls(problem)
        # The largest first, so that a part of something is not put in to be taken out again.
        for rank in sorted(rungs, key=lambda rank: (-rungs[rank].tokens, rank)):
            item = problem.items[rank]
            if item.pinned or state.shown_by(item) is None:
                state.put(item, rungs[rank])
        return state

    @property
    def value(self) -> float:
        """What the packet is worth."""
        return sum(self.seen.values())

    def shown_by(self, item: Item) -> Item | None:
        """Another item in the packet that shows the whole of this one."""
        shower = self.whole_in.get(item.rank)
        if shower is None:
            return None
        while shower not in self.at:  # what showed it was taken out for something that shows both
            shower = self.whole_in[shower]
        return self.problem.items[shower]

    def shown_by_several(self, item: Item) -> bool:
        """Whether others in the packet show the whole of this one together."""
        return _together(self.shares.get(item.rank, 0.0)) == 1.0

    def may_spend(self, section: int, budget: int) -> int:
        """What a section has spent, and as much of the gap as its pool's share by weight allows."""
        return self.spent[section] + max(0, min(self.room(budget), self._share_left(section, budget)))

    def beyond_share(self, item: Item, budget: int) -> bool:
        """Whether the sections of the item's pool have spent what their weight is of this budget."""
        return self._share_left(item.section, budget) <= 0

    def _share_left(self, section: int, budget: int) -> int:
        members, sections = self.problem.pools[section], self.problem.sections
        weight = sum(sections[number].weight for number in members)
        share = int(budget * weight / self.problem.weight_sum) if self.problem.weight_sum else 0
        return share - sum(self.spent[number] for number in members)

    def price(self, item: Item, rung: Rung) -> int:
        """What it costs to bring the item to this rung: the heading if it opens its section, less what it absorbs."""
        price = self._own_price(item, rung)
        absorbed = self._absorbed(item, rung)
        if absorbed:
            price -= sum(self.at[rank].tokens for rank in absorbed)
            leaving = Counter(self.problem.items[rank].section for rank in absorbed)
            for section, count in leaving.items():
                if section != item.section and self.inside[section] == count:
                    price -= self.problem.opening[section]
        return price

    def block_price(self, item: Item, rung: Rung) -> int:
        """What its block costs more than now, less what it absorbs; headings aside."""
        now = self.at.get(item.rank)
        price = rung.tokens - (now.tokens if now else 0)
        for rank in self._absorbed(item, rung):
            price -= self.at[rank].tokens
        return price

    def section_price(self, item: Item, rung: Rung) -> int:
        """The part of the price that its own section pays."""
        price = self._own_price(item, rung)
        for rank in self._absorbed(item, rung):
            if self.problem.items[rank].section == item.section:
                price -= self.at[rank].tokens
        return price

    def gain(self, item: Item, rung: Rung) -> float:
        """What the packet gains in worth."""
        seen = self.seen.get(item.rank, 0.0)
        gain = rung.value - seen if rung.value > seen else 0.0  # false for what is not a number
        if rung.level is not Level.FULL:  # anything less shows nothing of others
            return gain
        shown = self._shares_of(item, self.at.get(item.rank))
        for rank, share in self._shares_of(item, rung).items():
            other = self.problem.items[rank]
            if other.eligible:
                share += self.shares.get(rank, 0.0) - shown.get(rank, 0.0)
                gain += max(0.0, _together(share) * most(other) - self.seen.get(rank, 0.0))
        return gain

    def put(self, item: Item, rung: Rung) -> int:
        """Bring the item to this rung, and say at what price; items that it shows whole are taken out."""
        before = self.cost
        price = self._own_price(item, rung)
        self.cost += price
        self.spent[item.section] += price
        if item.rank not in self.at:
            self.inside[item.section] += 1
            self.missing[item.section] -= 1
            if not self.missing[item.section]:
                self.footers -= self.problem.footer[item.section]
        absorbed = self._absorbed(item, rung)
        for rank in (item.rank, *absorbed):
            self._add_shares(self.problem.items[rank], self.at.get(rank), -1)
        self._add_shares(item, rung, 1)
        self.at[item.rank] = rung
        self._see(item.rank, rung.value)
        self.whole_in.pop(item.rank, None)
        for rank, share in self._shares_of(item, rung).items():
            other = self.problem.items[rank]
            if other.eligible:
                self._see(rank, _together(self.shares[rank]) * most(other))
                if share == 1.0 and rank not in self.at:
                    self.whole_in[rank] = item.rank
        for rank in absorbed:
            self._take_out(rank)
            self.whole_in[rank] = item.rank
        return self.cost - before

    def join(self, budget: int) -> None:
        """Put what costs no more than its parts that are in, a class or a small file, in their place."""
        for rank in sorted(self.problem.near):
            item = self.problem.items[rank]
            whole = item.rungs[-1]
            parts = self._absorbed(item, whole)
            together = all(self.problem.items[part].section >= item.section for part in parts)
            if parts and together and self.price(item, whole) <= 0 and self.fits(item, whole, budget):
                self.put(item, whole)

    def fits(self, item: Item, rung: Rung, budget: int) -> bool:
        """Whether the packet stays within budget and the section within its cap."""
        section = self.problem.sections[item.section]
        if not item.pinned and self.spent[item.section] + self.section_price(item, rung) > section.cap:
            return False
        if self.problem.item_cap is not None and self.problem.unlock(item, rung) > budget:
            return False
        footers = self.footers
        if item.rank not in self.at and self.missing[item.section] == 1:
            footers -= self.problem.footer[item.section]
        return self.cost + self.price(item, rung) + footer_reserve(footers, budget) <= budget

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

    def written(self, budget: int) -> int:
        """Tokens of the packet with these lines; where a whole one does not fit, one is written short."""
        used = self.cost + self.footer_lines(budget)
        brief = self.problem.overhead.brief
        short = [
            brief.get(section.name, line)
            for section, line, missing in zip(self.problem.sections, self.problem.footer, self.missing, strict=True)
            if missing and used + line > budget
        ]
        return used + next((line for line in short if used + line <= budget), 0)

    def unreserved(self) -> State:
        """A copy that keeps nothing free for these lines."""
        twin = self.copy()
        twin.problem = replace(self.problem, footer=(0,) * len(self.problem.footer))
        twin.footers = 0
        return twin

    def reserving(self, problem: Problem) -> State:
        """The same packet, with the lines as that problem has them."""
        twin = self.copy()
        twin.problem = problem
        twin.footers = sum(line for line, missing in zip(problem.footer, self.missing, strict=True) if missing)
        return twin

    def within(self, budget: int) -> bool:
        """Whether the packet fits as it stands."""
        return self.room(budget) >= 0

    def copy(self) -> State:
        """An independent copy."""
        twin = State.__new__(State)
        twin.problem, twin.cost, twin.footers = self.problem, self.cost, self.footers
        twin.at, twin.seen, twin.shares = dict(self.at), dict(self.seen), dict(self.shares)
        twin.whole_in = dict(self.whole_in)
        twin.spent, twin.inside, twin.missing = list(self.spent), list(self.inside), list(self.missing)
        return twin

    def _own_price(self, item: Item, rung: Rung) -> int:
        now = self.at.get(item.rank)
        if now is not None:
            return rung.tokens - now.tokens
        return rung.tokens + (0 if self.inside[item.section] else self.problem.opening[item.section])

    def _absorbed(self, item: Item, rung: Rung) -> Sequence[int]:
        """Items in the packet that this rung shows whole; who pinned something wants to see it."""
        near = self.problem.near.get(item.rank)
        if near is None or rung.level is not Level.FULL:
            return ()
        found = []
        for rank, similarity in near:
            other = self.problem.items[rank]
            if rank in self.at and not other.pinned and shown_share(rung, item, other, similarity) == 1.0:
                found.append(rank)
        return found

    def _take_out(self, rank: int) -> None:
        # It is not missing now: it is shown elsewhere.
        section = self.problem.items[rank].section
        tokens = self.at.pop(rank).tokens
        self.inside[section] -= 1
        if not self.inside[section]:
            tokens += self.problem.opening[section]
        self.cost -= tokens
        self.spent[section] -= tokens

    def _shares_of(self, item: Item, rung: Rung | None) -> dict[int, float]:
        """The share of each of its neighbours that a rung shows."""
        near = self.problem.near.get(item.rank)
        if near is None or rung is None or rung.level is not Level.FULL:
            return {}
        items = self.problem.items
        return {rank: shown_share(rung, item, items[rank], similarity) for rank, similarity in near}

    def _add_shares(self, item: Item, rung: Rung | None, sign: int) -> None:
        for rank, share in self._shares_of(item, rung).items():
            self.shares[rank] = self.shares.get(rank, 0.0) + sign * share

    def _see(self, rank: int, shown: float) -> None:
        if shown > self.seen.get(rank, 0.0):
            self.seen[rank] = shown


def _together(share: float) -> float:
    """Shares of several, which may overlap and leave rounding behind, as the share that is shown."""
    return 1.0 if share >= WHOLE else share
