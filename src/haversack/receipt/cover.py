"""The fewest items that together cover everything that any of them covers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

MOST_STEPS: Final = 2_000  # of the search for a smaller set; past that the best found so far is the answer


def fewest(covered: Sequence[frozenset[int]]) -> tuple[tuple[int, ...], tuple[int | None, ...]]:
    """From the items that cover each requirement: the fewest that cover all, and for each requirement one of them.

    Ties go to items of lower number. A requirement that nothing covers has None.
    """
    different = sorted({each for each in covered if each}, key=lambda each: (len(each), sorted(each)))
    # What covers a requirement that few items cover covers those that more items cover, too.
    hard = [each for number, each in enumerate(different) if not any(other < each for other in different[:number])]
    chosen = _smallest(hard)
    return tuple(sorted(chosen)), tuple(min(each & chosen, default=None) for each in covered)


def _smallest(wanted: Sequence[frozenset[int]]) -> frozenset[int]:
    """The smallest set that meets every one of `wanted`: greedy first, then branch and bound."""
    best = _greedy(wanted)
    steps = 0

    def search(rest: Sequence[frozenset[int]], taken: frozenset[int]) -> None:
        nonlocal best, steps
        steps += 1
        if not rest:
            best = taken if len(taken) < len(best) else best
            return
        if steps > MOST_STEPS or len(taken) + _disjoint(rest) >= len(best):
            return
        fewest: frozenset[int] = min(rest, key=len)
        for item in sorted(fewest):
            search([each for each in rest if item not in each], taken | {item})

    search(wanted, frozenset())
    return best


def _greedy(wanted: Sequence[frozenset[int]]) -> frozenset[int]:
    rest, taken = list(wanted), set[int]()
    while rest:
        items = sorted({item for each in rest for item in each})
        most = max(items, key=lambda item: (sum(item in each for each in rest), -item))
        taken.add(most)
        rest = [each for each in rest if most not in each]
    return frozenset(taken)


def _disjoint(rest: Sequence[frozenset[int]]) -> int:
    """At least as many items are needed: requirements that share no item each need one of their own."""
    seen: set[int] = set()
    number = 0
    for each in rest:
        if seen.isdisjoint(each):
            number += 1
            seen |= each
    return number
