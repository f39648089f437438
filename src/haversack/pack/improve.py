"""A bounded improvement: around the point where the chain stops, the packet is solved again exactly.

Candidates far from that point are certain to be in or out; only those near it may be exchanged with profit (the "core"
of a knapsack problem). Their rungs are chosen again by dynamic programming over tokens: first within each section, then
across sections, where a section may spend what it spent and, up to its share, the gap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from haversack.model import Rung
from haversack.pack.chain import Step
from haversack.pack.hull import Item, worth
from haversack.pack.state import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Table = NDArray[np.float64]

# Candidates on either side of the break, and tokens they may share. They bound the work to a few milliseconds; larger
# cores did not raise the worst ratio to the optimum (bench/packing.py).
CORE = 24
CORE_TOKENS = 5_000
# Tables longer than this take tens of milliseconds; so large a gap is filled by smaller steps well enough.
LONGEST_TABLE = 16_000
# So many items that show others whole are tried; each costs a solution.
WHOLES = 3
# Between two prices of a section less than this part of its core's worth is no difference.
NOTICEABLE = 1 / 500


def improve(
    state: State, part: State, taken: Sequence[Step], later: Sequence[Step], budget: int, *, keep: bool, enough: float
) -> State:
    """A state worth at least as much within the same budget, the first that is worth `enough`.

    `part` is what the chain bought, before the gap; with `keep` none of it is dropped.
    """
    core = _core(state, sorted(later, key=lambda step: -step.rate), CORE)
    core += _core(state, sorted(taken, key=lambda step: step.rate), CORE)
    core = list({item.rank: item for item in core}.values())
    # What shares lines with others is worth more or less with them, so sums over it are wrong. Once it stays as it is,
    # once it is exchanged like the rest, each time with one more item in full that shows others; the best counts.
    near = part.problem.near
    settled = [item for item in core if item.rank not in near or item.rank not in part.at]
    best = state
    for chosen in [settled] if len(settled) == len(core) else [settled, core]:
        for start in _starts(part, chosen, budget, keep):
            found = _solved(start, part, chosen, budget)
            if found is not None and found.within(budget) and found.value > best.value:
                best = found
            if best.value >= enough:
                return best
    return best


def _starts(part: State, core: list[Item], budget: int, keep: bool) -> list[State]:
    """What stays beside the core: the rest of the part, a little of all of it to keep; and that with one item more."""
    problem = part.problem
    inside = {item.rank for item in core}
    kept = {rank: rung for rank, rung in part.at.items() if rank not in inside}
    if keep:
        kept |= {rank: problem.items[rank].rungs[0] for rank in inside & part.at.keys()}
    rest = State.of(problem, kept)
    return [rest, *_with_a_whole(rest, part, core, budget)]


def _with_a_whole(rest: State, part: State, core: list[Item], budget: int) -> list[State]:
    """The rest with one item of the core in full that shows others: gains do not add up there, so each is tried."""
    found = []
    for item in core:
        top = item.rungs[-1]
        gain = rest.gain(item, top) if item.rank in rest.problem.near else 0.0
        if gain > worth(top) and rest.fits(item, top, budget):
            found.append((-gain / max(1, rest.price(item, top)), item.rank))
    starts = []
    for _, rank in sorted(found)[:WHOLES]:
        start = rest.copy()
        item = rest.problem.items[rank]
        start.put(item, item.rungs[-1])
        if start.spent[item.section] <= part.may_spend(item.section, budget):
            starts.append(start)
    return starts


def _solved(rest: State, part: State, core: list[Item], budget: int) -> State | None:
    """The rest with the best rungs of the core; each section may spend what the part spent in it, and its gap."""
    problem = rest.problem
    wanted = []
    for section in sorted({item.section for item in core}):
        items = [item for item in core if item.section == section]
        options = [_options(rest, item, budget) for item in items]
        opening = 0 if rest.inside[section] else problem.opening[section]
        allowed = min(problem.sections[section].cap, part.may_spend(section, budget)) - rest.spent[section]
        usable = opening + sum(max((tokens for tokens, _, _ in each), default=0) for each in options)
        wanted.append((items, options, max(0, min(allowed, usable, rest.room(budget))), opening))
    capacity = min(rest.room(budget), sum(tokens for _, _, tokens, _ in wanted))
    if capacity > LONGEST_TABLE:
        return None
    shares = [_Share(*share) for share in wanted]
    rungs = dict(rest.at)
    for share, bought in zip(shares, _share_out(shares, capacity), strict=True):
        rungs |= {item.rank: rung for item, rung in zip(share.items, bought, strict=True) if rung is not None}
    return State.of(problem, rungs)


class _Share:
    """The core of one section: the best worth for every number of tokens, and the rungs that reach it."""

    def __init__(
        self, items: list[Item], options: list[list[tuple[int, float, Rung]]], most: int, opening: int
    ) -> None:
        self.items = items
        self.options = options
        self.opening = opening
        self.worth, self.picks = _solve(options, max(0, most - opening))

    def prices(self) -> list[tuple[int, float]]:
        """What more tokens buy: the prices at which the worth rises noticeably, the section's heading included."""
        import numpy as np

        steps = np.floor(self.worth / (NOTICEABLE * self.worth[-1] or 1.0))
        rises = np.flatnonzero(np.diff(steps)) + 1
        return [(int(tokens) + self.opening, float(self.worth[tokens])) for tokens in rises]

    def rungs(self, price: int) -> list[Rung | None]:
        """The rungs bought for that price."""
        left = price - self.opening
        chosen: list[Rung | None] = []
        for number in range(len(self.items) - 1, -1, -1):
            pick = int(self.picks[number, left]) if left > 0 else 0
            rung = self.options[number][pick - 1][2] if pick else None
            left -= self.options[number][pick - 1][0] if rung else 0
            chosen.append(rung)
        return chosen[::-1]


def _core(state: State, steps: Iterable[Step], size: int) -> list[Item]:
    """The first items of these steps that may be exchanged; not so many that their tokens are out of bounds."""
    core: dict[int, Item] = {}
    tokens = 0
    for step in steps:
        now = state.at.get(step.item.rank)
        if step.item.pinned or step.item.rank in core:
            continue
        tokens += now.tokens if now else 0
        if len(core) == size or tokens > CORE_TOKENS:
            break
        core[step.item.rank] = step.item
    return list(core.values())


def _options(rest: State, item: Item, budget: int) -> list[tuple[int, float, Rung]]:
    """The rungs of an item, with what each would gain beside the rest."""
    found = []
    now = rest.at.get(item.rank)
    for rung in item.rungs:
        if rest.problem.unlock(item, rung) <= budget:
            gain = rest.gain(item, rung)
            tokens = rung.tokens - (now.tokens if now else 0)
            if gain > 0.0 and tokens >= 0:
                found.append((tokens, gain, rung))
    return found


def _solve(options: list[list[tuple[int, float, Rung]]], capacity: int) -> tuple[Table, NDArray[np.int8]]:
    """The largest sum of gains for every number of tokens, and for each item which option makes it."""
    import numpy as np

    best = np.zeros(capacity + 1)
    picks = np.zeros((len(options), capacity + 1), dtype=np.int8)
    for number, rungs in enumerate(options):
        before, best = best, best.copy()
        for pick, (tokens, gain, _) in enumerate(rungs, start=1):
            if tokens > capacity:
                continue
            with_it = before[: capacity + 1 - tokens] + gain
            better = with_it > best[tokens:]
            np.copyto(best[tokens:], with_it, where=better)
            np.copyto(picks[number, tokens:], pick, where=better)
    return best, picks


def _share_out(shares: list[_Share], capacity: int) -> list[list[Rung | None]]:
    """For each section the rungs it buys when all share the capacity best."""
    import numpy as np

    best = np.zeros(capacity + 1)
    paid = np.zeros((len(shares), capacity + 1), dtype=np.int64)
    for number, share in enumerate(shares):
        prices = share.prices()
        rises = (np.flatnonzero(np.diff(best)) + 1).tolist()
        # Either side may be gone through price by price, with the same result: the one that has fewer is faster.
        joined = _by_rises if len(rises) < len(prices) else _by_prices
        best = joined(best, prices, rises, paid[number])
    left = int(np.argmax(best))
    bought: list[list[Rung | None]] = []
    for number in range(len(shares) - 1, -1, -1):
        price = int(paid[number, left])
        bought.append(shares[number].rungs(price))
        left -= price
    return bought[::-1]


def _by_prices(before: Table, prices: list[tuple[int, float]], _: list[int], paid: NDArray[np.int64]) -> Table:
    """The best worth when a section joins those before it; `paid` becomes what it spends, the least of equals."""
    import numpy as np

    best = before.copy()
    for price, gain in prices:
        with_it = before[: len(before) - price] + gain
        better = with_it > best[price:]
        np.copyto(best[price:], with_it, where=better)
        np.copyto(paid[price:], price, where=better)
    return best


def _by_rises(before: Table, prices: list[tuple[int, float]], rises: list[int], paid: NDArray[np.int64]) -> Table:
    """The same, going through the few amounts at which what came before is worth more."""
    import numpy as np

    bought = np.zeros(len(before), dtype=np.int64)
    bought[[price for price, _ in prices]] = 1
    bought = np.cumsum(bought)
    gains = np.asarray([0.0, *(gain for _, gain in prices)])[bought]
    spent = np.asarray([0, *(price for price, _ in prices)])[bought]
    best = gains.copy()
    paid[:] = spent
    for amount in rises:
        rest = len(before) - amount
        with_it = before[amount] + gains[:rest]
        cheaper = (with_it == best[amount:]) & (spent[:rest] < paid[amount:])
        better = (with_it > best[amount:]) | cheaper
        np.copyto(best[amount:], with_it, where=better)
        np.copyto(paid[amount:], spent[:rest], where=better)
    return best
