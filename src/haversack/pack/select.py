"""Which candidates, at which level, for this many tokens.

**The problem.** Choose at most one rung of each candidate so that the packet (frame, section headings, blocks, footer
lines) costs no more than the budget and is worth as much as possible. Worth is the sum of the rungs' values, where what
another chosen rung already shows counts once (`coverage`). Sections bring floors, weights and caps. With one section,
and nothing covered, this is the multiple-choice knapsack problem.

**The method.** (1) Rungs that no price justifies are dropped: each ladder becomes its upper hull. (2) All steps up the
hulls form one chain that does not depend on the budget (`chain`). (3) The packet takes the longest part of the chain it
can pay for; what costs no more than those of its parts that are in takes their place. (4) The gap that remains goes to
an excerpt of the next item and to smaller later steps (`gap`). (5) Where more than `TOLERANCE` may still be missing,
the packet is solved again exactly around the break (`improve`), and that answer is kept if it is worth more than
`TOLERANCE` over the chain's.

**The guarantee.** A part of the chain is optimal for exactly what each section spends in it: it is the greedy solution
of the linear relaxation, which has no fraction there. For a budget between two parts, each section allowed what it
spent and, up to its share, the gap, the optimum is at most worth(part) + gap x (worth per token of the best next step),
so the packet misses less than the worth of one step. With coverage the worth is monotone submodular, and steps by worth
per token, or the best single one, are within (1 - 1/e) / 2 of the optimum. `bench/packing.py` prints what is reached in
practice.

**More budget.** Everything bought along the chain stays when the budget grows, at the same or a higher level, or shown
whole by something larger. Only what filled the last gap, or what step 5 exchanged, may give way. `enters_at_budget` is
the budget at which the chain reaches a candidate; there nothing is exchanged, so packing with exactly that budget shows
it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from haversack.model import Candidate, Chosen, Level, Omitted, Purchase, Rung, Section, Selection
from haversack.pack import gap
from haversack.pack.chain import Builder, Chain, Step
from haversack.pack.coverage import most, neighbours
from haversack.pack.hull import Item, hull, undominated
from haversack.pack.improve import improve
from haversack.pack.overflow import Strategy, refuse
from haversack.pack.overhead import Overhead
from haversack.pack.state import Problem, State

# How much worth may be given up so that a larger packet keeps what a smaller one had. Measured with bench/packing.py:
# at .01 a larger packet drops half as many units again, at .03 the worst packets come close to 95 % of the optimum.
TOLERANCE = 0.02
# How far past the budget `Selection.next` looks, in tokens.
LOOK_AHEAD = 1_000

# Rounds of spending what is left; a second is needed only where a larger item took the place of its parts.
ROUNDS = 3

NO_OVERHEAD = Overhead()


def select(
    candidates: Sequence[Candidate],
    sections: Sequence[Section],
    budget: int,
    *,
    overhead: Overhead = NO_OVERHEAD,
    strategy: Strategy = Strategy.PRIORITIZE,
    fill: bool = False,
    similarity: Mapping[str, Mapping[str, float]] | None = None,
    item_cap: float | None = None,
    excerpt: gap.Excerpt | None = None,
    exchange: bool = True,
) -> Selection:
    """The packet's items and what was left out; over budget only where the frame and the pinned candidates alone are.

    `fill` also takes candidates below their section's threshold. `similarity[a][b]` is the share of b that a shows.
    `item_cap` bounds one item to a part of its section's share. `excerpt(candidate, tokens)` cuts a candidate to size.
    Without `exchange` everything is there that smaller budgets were promised.
    """
    items, excluded = arrange(candidates, sections, strategy)
    problem = Problem.of(items, sections, overhead, neighbours(items, similarity or {}), item_cap)
    chain = Builder(problem, strategy).build(fill=fill)
    if strategy is Strategy.ERROR:
        _check(chain, budget)
    reach = chain.reach(budget)
    state = chain.part(problem, reach)
    overflow = state.cost > budget
    state.join(budget)
    if state.room(budget) > 0:
        free = exchange and strategy is Strategy.PRIORITIZE and not chain.promises(reach, budget)
        state = _finish(state, chain, reach, budget, strategy, excerpt, exchange=free)
    if not overflow:
        state = _top_up(state, chain, budget, strategy, excerpt)
    return _selection(state, chain, reach, budget, overflow, excluded)


def next_tokens_buy(selection: Selection, tokens: int = LOOK_AHEAD) -> tuple[Purchase, ...]:
    """What so many tokens more would have bought; `select` looks no further than 1,000."""
    return tuple(purchase for purchase in selection.next if purchase.at_budget <= selection.budget + tokens)


def arrange(
    candidates: Sequence[Candidate], sections: Sequence[Section], strategy: Strategy = Strategy.PRIORITIZE
) -> tuple[list[Item], list[Omitted]]:
    """The candidates as items in order of score, whatever order they came in, and those that cannot compete."""
    places = {section.name: number for number, section in enumerate(sections)}
    items: list[Item] = []
    excluded: list[Omitted] = []
    seen: set[str] = set()
    for candidate in sorted(candidates, key=lambda one: (-one.scored.score, one.id, one.section)):
        place = places.get(candidate.section)
        if candidate.id in seen:
            excluded.append(_omitted(candidate, f"duplicate of {candidate.id}", None))
        elif place is None or not candidate.ladder:
            excluded.append(_omitted(candidate, "excluded", None))
        else:
            seen.add(candidate.id)
            rungs = undominated(candidate.ladder)
            scored = candidate.scored
            eligible = candidate.pinned or scored.explicit or scored.score >= sections[place].threshold
            items.append(Item(len(items), candidate, place, rungs, _steps(candidate, rungs, strategy), eligible))
    return items, excluded


def _steps(candidate: Candidate, rungs: tuple[Rung, ...], strategy: Strategy) -> tuple[Rung, ...]:
    if candidate.pinned:
        return hull(rungs, start=0)
    if strategy in (Strategy.TRUNCATE, Strategy.ERROR):
        return rungs[-1:]
    if strategy is Strategy.SUMMARIZE:
        # A stub says that something exists; a summary says what it is.
        return hull(rungs, start=next((n for n, rung in enumerate(rungs) if rung.level is Level.SUMMARY), 0))
    return hull(rungs)


def _finish(
    part: State,
    chain: Chain,
    reach: int,
    budget: int,
    strategy: Strategy,
    excerpt: gap.Excerpt | None,
    *,
    exchange: bool,
) -> State:
    """The part of the chain with its last gap filled."""
    later = [*chain.steps[reach:], *chain.blocked]
    later += _passed_over(part, later)
    best = part.copy()
    if excerpt is not None:
        # The next item first: it is the one a larger budget shows whole.
        gap.excerpts(best, later[:1], budget, excerpt)
    if strategy is not Strategy.TRUNCATE:
        gap.fill(best, later, budget)
    if exchange and later:
        better = _improved(best, part, chain.steps[:reach], later, budget)
        if better is not best:
            best, later = better, [*chain.steps, *chain.blocked]
    _spend(best, later, budget, strategy, excerpt)
    return best


def _spend(state: State, steps: Sequence[Step], budget: int, strategy: Strategy, excerpt: gap.Excerpt | None) -> None:
    """Spend what is left on steps that fit and on excerpts, again where one of them took the place of others."""
    for _ in range(ROUNDS):
        cost = state.cost
        if strategy is not Strategy.TRUNCATE:
            gap.fill(state, steps, budget)
        if excerpt is not None:
            gap.excerpts(state, steps, budget, excerpt)
        if state.cost == cost or state.room(budget) < gap.SMALLEST_EXCERPT:
            break
    if excerpt is not None:
        gap.extensions(state, budget, excerpt)


def _top_up(state: State, chain: Chain, budget: int, strategy: Strategy, excerpt: gap.Excerpt | None) -> State:
    """The same packet with more in it, where the reserve for footer lines is larger than the lines that fit."""
    lines = state.footer_lines(budget)
    if budget - state.cost - lines - state.room(budget) < gap.SMALLEST_GAP:
        return state
    fuller = state.unreserved()
    _spend(fuller, [*chain.steps, *chain.blocked], budget - lines, strategy, excerpt)
    return fuller.reserving(state.problem)


def _passed_over(part: State, later: Sequence[Step]) -> list[Step]:
    """Steps the chain has no use for because a later one shows the same: at this budget they may still be worth it."""
    listed = {step.item.rank for step in later}
    found = []
    for rank in sorted(part.problem.near.keys() - listed):
        item = part.problem.items[rank]
        top = item.steps[-1] if item.steps else item.rungs[-1]
        gain = part.gain(item, top)
        if item.eligible and gain > 0.0:
            found.append(Step(item, top, part.price(item, top), gain, 0))
    return found


def _improved(best: State, part: State, taken: Sequence[Step], later: Sequence[Step], budget: int) -> State:
    """The packet solved again around the break, if that is worth leaving the chain for."""
    # The bound is strict where nothing is covered; elsewhere it is a good guess, so it is trusted less.
    enough = _bound(part, later, budget) / (1 + (TOLERANCE / 4 if part.problem.near else TOLERANCE))
    filled = part.copy()
    gap.fill(filled, later, budget)
    # First without dropping anyone the chain holds; only for a second gain as large may someone be dropped.
    for keep in (True, False):
        if best.value >= enough:
            break
        other = improve(filled, part, taken, later, budget, keep=keep, enough=enough)
        if other.value > best.value * (1 + TOLERANCE):
            best = other
    return best


def _bound(part: State, later: Sequence[Step], budget: int) -> float:
    """The gap spent at the rate of the best next steps, fractions allowed: no packet is worth more."""
    rates: dict[int, float] = {}
    for step in later:
        rates[step.item.section] = max(step.rate, rates.get(step.item.section, 0.0))
    bound, room = part.value, part.room(budget)
    for section, rate in sorted(rates.items(), key=lambda one: -one[1]):
        most_of_it = min(part.problem.sections[section].cap, part.may_spend(section, budget))
        spend = max(0, min(room, most_of_it - part.spent[section]))
        bound += spend * rate
        room -= spend
    return bound


def _check(chain: Chain, budget: int) -> None:
    """Raise unless every step fits."""
    if chain.blocked or (chain.steps and chain.steps[-1].budget > budget):
        # Where even the pinned part does not fit, all of it is in question.
        reach = chain.reach(budget)
        fits = reach == 0 or chain.steps[reach - 1].budget <= budget
        raise refuse(budget, chain.steps[reach if fits else 0 :], chain.blocked)


def _selection(
    state: State, chain: Chain, reach: int, budget: int, overflow: bool, excluded: list[Omitted]
) -> Selection:
    problem = state.problem
    chosen = sorted(state.at, key=lambda rank: (problem.items[rank].section, not problem.items[rank].pinned, rank))
    shown: dict[int, list[Candidate]] = {}
    for rank in sorted(problem.near.keys() - state.at.keys()):
        shower = state.shown_by(problem.items[rank])
        if shower is not None:
            shown.setdefault(shower.rank, []).append(problem.items[rank].candidate)
    return Selection(
        chosen=tuple(
            Chosen(problem.items[rank].candidate, state.at[rank], tuple(shown.get(rank, ()))) for rank in chosen
        ),
        omitted=(*_left_out(state, chain, reach), *excluded),
        tokens=state.written(budget),
        spent={section.name: spent for section, spent in zip(problem.sections, state.spent, strict=True)},
        overflow=overflow,
        budget=budget,
        next=_next(state, chain, reach, budget),
        promised=_promised(state, chain, reach, budget),
    )


def _promised(state: State, chain: Chain, reach: int, budget: int) -> frozenset[str]:
    """What the packet shows, by itself or inside something else, of what was promised to this very budget."""
    if not chain.promises(reach, budget):
        return frozenset()
    items = (step.item for step in chain.steps[:reach])
    return frozenset(item.candidate.id for item in items if item.rank in state.at or state.shown_by(item))


def _left_out(state: State, chain: Chain, reach: int) -> list[Omitted]:
    """Every item that is not in the packet, with the reason and the budget at which the chain holds it."""
    # What the chain holds already and was exchanged for something better comes back with the next step; where there is
    # none, it was exchanged under its section's cap.
    enters: dict[int, int] = {}
    lasting = chain.lasting()
    blocked = {step.item.rank for step in chain.blocked}
    for number, step in enumerate(chain.steps):
        if reach < len(lasting):
            enters.setdefault(step.item.rank, lasting[max(number, reach)])
        else:
            blocked.add(step.item.rank)
    found = []
    for item in state.problem.items:
        if item.rank in state.at:
            continue
        shower = state.shown_by(item)
        if shower is not None and item.eligible:
            found.append(_omitted(item.candidate, f"duplicate of {shower.candidate.id}", None))
        elif item.eligible and state.shown_by_several(item):
            found.append(_omitted(item.candidate, "duplicate of several others", None))
        elif item.rank in enters:
            found.append(_omitted(item.candidate, "budget", enters[item.rank]))
        elif item.rank in blocked:
            found.append(_omitted(item.candidate, "section cap", None))
        elif item.eligible and most(item) > 0.0:
            # A larger budget shows it as a part of something else.
            found.append(_omitted(item.candidate, "budget", None))
        else:
            found.append(_omitted(item.candidate, "below threshold", None))
    return found


def _omitted(candidate: Candidate, reason: str, enters: int | None) -> Omitted:
    scored = candidate.scored
    return Omitted.of(scored.unit, reason, score=scored.score, section=candidate.section, enters_at_budget=enters)


def _next(state: State, chain: Chain, reach: int, budget: int) -> tuple[Purchase, ...]:
    found = []
    for step, at_budget in zip(chain.steps[reach:], chain.lasting()[reach:], strict=True):
        now = state.at.get(step.item.rank)
        if at_budget <= budget + LOOK_AHEAD and (now is None or now.tokens < step.rung.tokens):
            unit = step.item.candidate.scored.unit
            found.append(Purchase(unit.id, unit.title, step.rung.level, at_budget))
    return tuple(found)
