"""What carrying an item did for the outcome: reward with it against comparable packets without it, shrunk to zero.

An item counts as carried by a packet when it was used there, or when nobody said what was used. One that was carried
and left unused says nothing: the packet is then neither for nor against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct

from haversack.index.terms import stem, terms

if TYPE_CHECKING:
    from haversack.memory.nouns import Reward

PRIOR: Final = 5.0  # packets: with as many on each side an effect counts half
COMPARABLE: Final = 0.15  # of 1: how alike two tasks must be, by shared words, for their rewards to be compared
MOST_PACKETS: Final = 2_000  # newest that are looked at


class Effect(Struct, frozen=True):
    """The estimate for one item: `uplift` in -1..1 after shrinking, and the packets it rests on."""

    uplift: float
    difference: float
    carried: int
    compared: int


def effects(rewards: Sequence[Reward]) -> dict[str, Effect]:
    """For every item that some packets carried and comparable ones did not: what it did."""
    rewards = rewards[-MOST_PACKETS:]
    if len(rewards) < 2:
        return {}
    values = np.asarray([each.reward for each in rewards])
    alike = _likeness([each.task for each in rewards])
    holders: dict[str, list[int]] = {}
    present: dict[str, set[int]] = {}
    for number, each in enumerate(rewards):
        for item in dict.fromkeys(each.used or each.carried):
            holders.setdefault(item, []).append(number)
        for item in {*each.carried, *each.used}:
            present.setdefault(item, set()).add(number)
    found = {}
    for item, carried in sorted(holders.items()):
        without = np.ones(len(rewards), dtype=bool)
        without[list(present[item])] = False
        effect = _effect(values, alike[carried] * without, carried)
        if effect is not None:
            found[item] = effect
    return found


def _effect(values: np.ndarray, weights: np.ndarray, carried: Sequence[int]) -> Effect | None:
    """`weights`: for each packet that carried the item how much each other one is its like."""
    sums = weights.sum(axis=1)
    matched = sums > 0
    if not matched.any():
        return None
    expected = (weights[matched] @ values) / sums[matched]
    with_it = values[np.asarray(carried)[matched]]
    difference = float((with_it - expected).mean())
    compared = int((weights[matched] > 0).any(axis=0).sum())
    fewer = min(int(matched.sum()), compared)
    return Effect(round(difference * fewer / (fewer + PRIOR), 4), round(difference, 4), int(matched.sum()), compared)


def _likeness(tasks: Sequence[str]) -> np.ndarray:
    """How alike each two tasks are: shared words by rarity, 0 below the threshold; those without words are alike."""
    words = [sorted({stem(term) for term in terms(task[:5_000])}) for task in tasks]
    number = {word: at for at, word in enumerate(sorted({word for each in words for word in each}))}
    table = np.zeros((len(tasks), max(len(number), 1)), dtype=np.float32)
    for row, each in enumerate(words):
        table[row, [number[word] for word in each]] = 1.0
    rarity = np.log1p(len(tasks) / np.maximum(table.sum(axis=0), 1.0))
    table *= rarity
    norms = np.linalg.norm(table, axis=1)
    wordless = norms == 0
    table /= np.maximum(norms, 1e-9)[:, None]
    alike = np.einsum("ij,kj->ik", table, table) if len(tasks) < 64 else table @ table.T
    alike[np.ix_(wordless, wordless)] = 1.0
    alike[alike < COMPARABLE] = 0.0
    np.fill_diagonal(alike, 0.0)
    return alike
