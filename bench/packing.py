"""Packing in figures: `python bench/packing.py [--quick] [--sets FILE] [--trials N]`.

Over random candidate sets, levels, sections and budgets: packets over budget (must be none) and how much of the budget
is used. Against the exact optimum: what the packet is worth, on recorded sets (JSON lines, see `sets.py`) or generated
ones. Then how often a larger budget drops a unit, and how long packing takes. Writes the section "Packing"; `--quick`
does a little of each and writes nothing.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from pathlib import Path

import report
import sets
from optimum import optimum

from haversack.model import Scored, Selection, Unit
from haversack.pack.chain import Builder
from haversack.pack.coverage import neighbours
from haversack.pack.dedupe import dedupe
from haversack.pack.overflow import Strategy
from haversack.pack.select import arrange, select
from haversack.pack.state import Problem, State

SMALL = 1000  # below this a single line of text is a per cent or more of the budget


def pack(one: sets.Set, *, cut: bool, budget: int | None = None) -> Selection:
    """The packet of a set, with excerpts or without."""
    return select(
        one.candidates,
        one.sections,
        one.budget if budget is None else budget,
        overhead=one.overhead,
        excerpt=sets.excerpt if cut else None,
    )


def left_to_add(one: sets.Set, made: Selection) -> bool:
    """Whether the budget cut a candidate above the threshold, not counting those that share lines with others."""
    items, _ = arrange(one.candidates, one.sections)
    repeating = {items[rank].candidate.id for rank in neighbours(items, {})}
    return any(gone.reason == "budget" and gone.id not in repeating for gone in made.omitted)


def budgets(trials: int) -> list[str]:
    """Over budget, and utilisation where candidates above the threshold are left."""
    chance = random.Random(1)
    over = exceeded = whole = 0
    used: dict[bool, list[tuple[float, int]]] = {True: [], False: []}
    for _ in range(trials):
        one = sets.generated(chance)
        made = pack(one, cut=True)
        exceeded += made.overflow
        over += made.tokens > made.budget and not made.overflow
        if not made.overflow and left_to_add(one, made):
            used[one.budget < SMALL].append((made.tokens / made.budget, made.budget - made.tokens))
        else:
            whole += 1
    lines = [
        f"{trials:,} random sets: **{over} packets over budget** ({exceeded} more whose frame and pinned part alone "
        f"exceed it, reported as such); {whole:,} had nothing left to add.",
        "",
        "| candidates left to add, budget | packets | mean used | worst | at least 97 % | largest gap below 97 % |",
        "|---|---|---|---|---|---|",
    ]
    for small, name in ((False, f"{SMALL:,} tokens and more"), (True, f"below {SMALL:,} tokens")):
        shares = [share for share, _ in used[small]] or [1.0]
        enough = sum(share >= 0.97 for share in shares) / len(shares)
        gap = max((tokens for share, tokens in used[small] if share < 0.97), default=0)
        row = f"| {name} | {len(used[small]):,} | {statistics.mean(shares):.1%} | {min(shares):.1%} | {enough:.2%} |"
        lines.append(f"{row} {gap} tokens |")
    return lines


def against_optimum(given: list[sets.Set], origin: str) -> list[str]:
    """Value reached over the exact optimum of the same problem, without excerpts: those the optimum does not know."""
    ratios = []
    for one in given:
        items, _ = arrange(one.candidates, one.sections)
        problem = Problem.of(items, one.sections, one.overhead, neighbours(items, {}), None)
        chain = Builder(problem, Strategy.PRIORITIZE).build(fill=False)
        part = chain.part(problem, chain.reach(one.budget))
        if not part.within(one.budget):
            continue
        rank = {item.candidate.id: item.rank for item in items}
        packet = pack(one, cut=False)
        made = State.of(problem, {rank[chosen.candidate.id]: chosen.rung for chosen in packet.chosen})
        best = optimum(part, made, one.budget)
        if best > 0:
            ratios.append(made.value / best)
    ratios.sort()
    return [
        f"Value against the exact optimum (HiGHS, same limits) on {len(ratios)} {origin} sets: mean "
        f"**{statistics.mean(ratios):.2%}**, worst **{ratios[0]:.2%}**, 5th percentile {ratios[len(ratios) // 20]:.2%}."
    ]


def growing(trials: int) -> list[str]:
    """What a budget that grows by 5 to 50 % drops."""
    chance = random.Random(2)
    pairs = dropping = units = lost = 0
    for _ in range(trials):
        one = sets.generated(chance, budget=chance.randrange(800, 6000))
        budget, before = one.budget, set[str]()
        for _ in range(6):
            made = pack(one, cut=True, budget=budget)
            now = {chosen.candidate.id for chosen in made.chosen}
            shown = now | {gone.id for gone in made.omitted if gone.reason.startswith("duplicate of ")}
            pairs += bool(before)
            dropping += bool(before - shown)
            units += len(before)
            lost += len(before - shown)
            before, budget = now, int(budget * chance.uniform(1.05, 1.5))
    return [
        f"A larger budget drops {lost / max(1, units):.2%} of the units of the smaller packet "
        f"({dropping / max(1, pairs):.1%} of {pairs:,} pairs drop one at all)."
    ]


def timing(trials: int) -> list[str]:
    """Milliseconds for 500 candidates with four levels each."""
    chance = random.Random(3)
    wall, busy = [], []
    for _ in range(trials):
        one = sets.generated(chance, candidates=500, budget=chance.choice([2000, 4000, 8000, 16_000, 32_000]))
        clock, processor = time.perf_counter(), time.process_time()
        pack(one, cut=True)
        wall.append(1000 * (time.perf_counter() - clock))
        busy.append(1000 * (time.process_time() - processor))
    p50, p95 = statistics.median(wall), sorted(wall)[int(len(wall) * 0.95)]
    return [
        f"Packing 500 candidates with up to four levels: p50 **{p50:.1f} ms**, p95 {p95:.1f} ms "
        f"(processor time p50 {statistics.median(busy):.1f} ms; {trials} runs)."
    ]


def deduplicating(runs: int) -> list[str]:
    """Milliseconds to de-duplicate 500 functions of this Python's library, 20 of them altered copies."""
    chance = random.Random(5)
    texts = chance.sample(sets.functions(), 480)
    texts += [text.replace("self", "this", 1) + "\n# a copy" for text in sorted(texts, key=len)[-20:]]
    given = [
        Scored(Unit(f"u{number}", "code", "function", f"f{number}", text), chance.random(), {})
        for number, text in enumerate(texts)
    ]
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        found = dedupe(given)
        taken.append(1000 * (time.perf_counter() - start))
    return [
        f"De-duplicating 500 functions, 20 of them altered copies: {len(found.dropped)} dropped, p50 "
        f"**{statistics.median(taken):.1f} ms**."
    ]


def main() -> int:
    """Measure, print, write; exit code 1 when a packet is over budget."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a little of each, nothing written")
    parser.add_argument("--sets", type=Path, help="recorded candidate sets, one JSON object a line")
    parser.add_argument("--trials", type=int, default=10_000, help="random sets for budget and utilisation")
    asked = parser.parse_args()
    trials, exact, runs = (100, 8, 3) if asked.quick else (asked.trials, 200, 100)
    if asked.sets:
        with asked.sets.open(encoding="utf-8") as lines:
            given, origin = sets.recorded(lines), "recorded"
    else:
        chance = random.Random(4)
        given, origin = [sets.generated(chance) for _ in range(exact)], "generated"
    used = budgets(trials)
    body = [
        *used,
        "",
        *against_optimum(given, origin),
        "",
        *growing(max(5, runs)),
        "",
        *timing(runs),
        "",
        *deduplicating(runs),
    ]
    print(report.machine(), report.today())
    print("\n".join(body))
    if not asked.quick:
        command = "`python bench/packing.py --sets FILE`" if asked.sets else "`python bench/packing.py`"
        report.write("Packing", "\n".join([command, "", *body]))
    return 0 if "**0 packets over budget**" in used[0] else 1


if __name__ == "__main__":
    sys.exit(main())
