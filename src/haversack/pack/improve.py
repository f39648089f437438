"""A bounded improvement: around the point where the chain stops, the packet is solved again exactly.

Candidates far from that point are certain to be in or out; only those near it may be exchanged with profit (the "core"
of a knapsack problem). Their rungs are chosen again by dynamic programming over tokens: first within each section, then
across sections, where a section may spend what it spent plus the gap.
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
# Between two prices of a section less than this part of its core's worth is no difference.
NOTICEABLE = 1 / 500


def improve(
    state: State, part: State, taken: Sequence[Step], later: Sequence[Step], budget: int, *, keep: bool
) -> State:
    """A state worth at least as much within the same budget; `part` is what the chain bought, before the gap."""
    core = _core(state, sorted(later, key=lambda step: -step.rate), CORE)
    core += _core(state, sorted(taken, key=lambda step: step.rate), CORE)
    core = list({item.rank: item for item in core}.values())
    problem = state.problem
    inside = {item.rank for item in core}
    kept = {rank: rung for rank, rung in part.at.items() if rank not in inside}
    if keep:
        kept |= {rank: problem.items[rank].rungs[0] for rank in inside & part.at.keys()}
    rest = State.of(problem, kept)
    best = state
    # Where items of the core show parts of each other, gains do not add up: too much and too little are both tried.
    for credit in (True, False) if inside & problem.near.keys() else (False,):
        found = _solved(rest, part, core, budget, credit)
        if found is not None and found.within(budget) and found.value > best.value:
            best = found
    return best


def _solved(rest: State, part: State, core: list[Item], budget: int, credit: bool) -> State | None:
    """The rest with the best rungs of the core; each section may spend what the part spent in it, and the gap."""
    problem = rest.problem
    wanted = []
    for section in sorted({item.section for item in core}):
        items = [item for item in core if item.section == section]
        options = [_options(rest, item, budget, credit) for item in items]
        opening = 0 if rest.inside[section] else problem.opening[section]
        allowed = min(problem.sections[section].cap, part.spent[section] + part.room(budget)) - rest.spent[section]
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


def _options(rest: State, item: Item, budget: int, credit: bool) -> list[tuple[int, float, Rung]]:
    """The rungs of an item, with what each would gain beside the rest; with credit for what it shows of others."""
    found = []
    now = rest.at.get(item.rank)
    for rung in item.rungs:
        if rest.problem.unlock(item, rung) <= budget:
            gain = rest.gain(item, rung) if credit else worth(rung) - rest.seen.get(item.rank, 0.0)
            if gain > 0.0:
                found.append((rung.tokens - (now.tokens if now else 0), gain, rung))
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
            best[tokens:][better] = with_it[better]
            picks[number, tokens:][better] = pick
    return best, picks


def _share_out(shares: list[_Share], capacity: int) -> list[list[Rung | None]]:
    """For each section the rungs it buys when all share the capacity best."""
    import numpy as np

    best = np.zeros(capacity + 1)
    paid = np.zeros((len(shares), capacity + 1), dtype=np.int64)
    for number, share in enumerate(shares):
        before, best = best, best.copy()
        for price, gain in share.prices():
            with_it = before[: capacity + 1 - price] + gain
            better = with_it > best[price:]
            best[price:][better] = with_it[better]
            paid[number, price:][better] = price
    left = int(np.argmax(best))
    bought: list[list[Rung | None]] = []
    for number in range(len(shares) - 1, -1, -1):
        price = int(paid[number, left])
        bought.append(shares[number].rungs(price))
        left -= price
    return bought[::-1]
