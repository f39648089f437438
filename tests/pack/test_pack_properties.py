"""What holds for every packet, whatever the candidates, sections and budgets."""

from __future__ import annotations

import random
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from pack_cases import Packing, candidates, problems, section, smooth

from haversack.model import Candidate, Selection
from haversack.pack.chain import Builder
from haversack.pack.coverage import neighbours
from haversack.pack.overflow import Strategy
from haversack.pack.overhead import Overhead
from haversack.pack.select import arrange, select
from haversack.pack.state import Problem

BUDGETS = st.integers(0, 3000)
STRATEGIES = st.sampled_from([Strategy.PRIORITIZE, Strategy.SUMMARIZE, Strategy.TRUNCATE])
ITEM_CAPS = st.sampled_from([None, None, 0.25, 0.6])
EXCERPTS = st.sampled_from([None, smooth])
SETTINGS = settings(max_examples=100, deadline=None)


def cost(selection: Selection, overhead: Overhead) -> int:
    """What the packet costs without its footer lines, counted again from scratch."""
    opened = {chosen.candidate.section for chosen in selection.chosen}
    return (
        overhead.fixed + sum(c.rung.tokens for c in selection.chosen) + sum(overhead.opening[name] for name in opened)
    )


def shown(selection: Selection) -> set[str]:
    """What the packet shows: its items, and what is a part of them."""
    parts = {gone.id for gone in selection.omitted if gone.reason.startswith("duplicate of ")}
    return {chosen.candidate.id for chosen in selection.chosen} | parts


@SETTINGS
@given(problems(), BUDGETS, STRATEGIES, ITEM_CAPS, EXCERPTS, st.booleans())
def test_no_packet_is_over_budget(packing: Packing, budget: int, strategy: Strategy, item_cap, excerpt, fill) -> None:
    offered, sections, overhead = packing
    asked = {"strategy": strategy, "item_cap": item_cap, "excerpt": excerpt, "fill": fill}
    made = select(offered, sections, budget, overhead=overhead, **asked)
    bare = cost(made, overhead)
    missing = {gone.section for gone in made.omitted}
    assert bare <= made.tokens <= bare + sum(overhead.omitted[name] for name in missing)
    if made.overflow:
        pinned = {one.id for one in offered if one.pinned}
        assert {chosen.candidate.id for chosen in made.chosen} == pinned
        assert all(chosen.rung.tokens == min(rung.tokens for rung in chosen.candidate.ladder) for chosen in made.chosen)
        assert made.shortfall == made.tokens - budget > 0
    else:
        assert made.tokens <= budget
        assert made.shortfall == 0


@SETTINGS
@given(problems(), BUDGETS, STRATEGIES, EXCERPTS)
def test_caps_hold_and_every_candidate_is_accounted_for(
    packing: Packing, budget: int, strategy: Strategy, excerpt
) -> None:
    offered, sections, overhead = packing
    made = select(offered, sections, budget, overhead=overhead, strategy=strategy, excerpt=excerpt)
    named = [chosen.candidate.id for chosen in made.chosen] + [gone.id for gone in made.omitted]
    assert sorted(named) == sorted(one.id for one in offered)
    for one in sections:
        items = [chosen for chosen in made.chosen if chosen.candidate.section == one.name]
        spent = sum(chosen.rung.tokens for chosen in items) + (overhead.opening[one.name] if items else 0)
        assert made.spent[one.name] == spent
        assert spent <= one.cap or any(chosen.candidate.pinned for chosen in items)
    for gone in made.omitted:
        assert gone.reason in ("budget", "section cap", "below threshold") or gone.reason.startswith("duplicate of ")
        assert gone.enters_at_budget is None or gone.reason == "budget"


@SETTINGS
@given(problems(), BUDGETS, STRATEGIES, ITEM_CAPS, EXCERPTS, st.randoms(use_true_random=False))
def test_the_order_of_candidates_does_not_matter(
    packing: Packing, budget: int, strategy: Strategy, item_cap, excerpt, shuffle: random.Random
) -> None:
    offered, sections, overhead = packing
    asked = {"overhead": overhead, "strategy": strategy, "item_cap": item_cap, "excerpt": excerpt}
    made = select(offered, sections, budget, **asked)
    shuffle.shuffle(offered)
    assert select(offered, sections, budget, **asked) == made


@SETTINGS
@given(problems(), BUDGETS, STRATEGIES, ITEM_CAPS, EXCERPTS)
def test_the_budget_named_for_what_was_left_out_admits_it(
    packing: Packing, budget: int, strategy: Strategy, item_cap, excerpt
) -> None:
    offered, sections, overhead = packing
    asked = {"overhead": overhead, "strategy": strategy, "item_cap": item_cap, "excerpt": excerpt}
    made = select(offered, sections, budget, **asked)
    for gone in made.omitted:
        if gone.enters_at_budget is not None:
            assert gone.enters_at_budget > budget
            larger = select(offered, sections, gone.enters_at_budget, **asked)
            assert gone.id in shown(larger)


@SETTINGS
@given(problems(), BUDGETS, STRATEGIES)
def test_what_the_next_tokens_buy_is_bought_with_them(packing: Packing, budget: int, strategy: Strategy) -> None:
    offered, sections, overhead = packing
    made = select(offered, sections, budget, overhead=overhead, strategy=strategy)
    for purchase in made.next:
        assert budget < purchase.at_budget <= budget + 1000
        larger = select(offered, sections, purchase.at_budget, overhead=overhead, strategy=strategy)
        levels = {chosen.candidate.id: chosen.rung for chosen in larger.chosen}
        ladder = next(one.ladder for one in offered if one.id == purchase.id)
        assert purchase.id in shown(larger)
        if purchase.id in levels:
            assert levels[purchase.id].tokens >= min(rung.tokens for rung in ladder if rung.level is purchase.level)


@SETTINGS
@given(problems(), BUDGETS, BUDGETS, STRATEGIES, ITEM_CAPS)
def test_along_the_chain_more_budget_keeps_everything(
    packing: Packing, one: int, other: int, strategy: Strategy, item_cap
) -> None:
    offered, sections, overhead = packing
    items, _ = arrange(offered, sections, strategy)
    problem = Problem.of(items, sections, overhead, neighbours(items, {}), item_cap)
    chain = Builder(problem, strategy).build(fill=False)
    smaller = chain.part(problem, chain.reach(min(one, other)))
    larger = chain.part(problem, chain.reach(max(one, other)))
    for rank, rung in smaller.at.items():
        assert larger.shown_by(items[rank]) is not None or larger.at[rank].tokens >= rung.tokens


def best_value(candidates: list[Candidate], budget: int) -> float:
    """The exact optimum of a small set, by trying everything."""
    options = [[(0, 0.0), *((rung.tokens, rung.value) for rung in one.ladder)] for one in candidates]
    sums = ((sum(t for t, _ in choice), sum(v for _, v in choice)) for choice in product(*options))
    return max(value for tokens, value in sums if tokens <= budget)


@settings(max_examples=100, deadline=None)
@given(candidates([section()], most=5, overlap=False), st.integers(10, 900))
def test_small_packets_are_worth_nearly_the_optimum(offered: list[Candidate], budget: int) -> None:
    loose = [one for one in offered if not one.pinned]
    made = select(loose, [section()], budget)
    value = sum(chosen.rung.value for chosen in made.chosen)
    assert value >= 0.96 * best_value(loose, budget)
