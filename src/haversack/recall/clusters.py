"""Which of many vectors belong together: groups around those that have most others near them, in numpy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from haversack.index.segment import Array

DEVIATIONS = 3.0  # how far above the usual similarity two must be to belong together: 1 pair of 700 by chance
LEAST_ALIKE, MOST_ALIKE = 0.30, 0.60  # whatever the deviation says: few vectors have no usual similarity
# How long the common part can be that is background. Longer, texts are alike by more than their subject: rows of
# length 1 whose cosines are 0.8 throughout then make one group, at 0.7 they do not. A choice.
MOST_COMMON = 0.6
SAMPLE = 500  # vectors from which the usual similarity is measured
BLOCK = 1_024  # rows multiplied at a time


def without_common_part(rows: Array) -> Array:
    """Rows of length 1 that tell what sets each apart: all speak of software, which says nothing.

    Where nearly all rows say the same, that is no longer background, so most of it stays.
    """
    common = rows.mean(axis=0)
    apart = rows - common * (MOST_COMMON / max(float(np.linalg.norm(common)), MOST_COMMON))
    lengths = np.linalg.norm(apart, axis=1, keepdims=True)
    unit: Array = np.divide(apart, lengths, out=np.zeros_like(apart), where=lengths > 0)
    return unit


def enough_alike(rows: Array) -> float:
    """The similarity from which two of these belong together."""
    some = rows[:: max(1, len(rows) // SAMPLE)]
    upper = (some @ some.T)[np.triu_indices(len(some), 1)]
    return float(np.clip(DEVIATIONS * upper.std(), LEAST_ALIKE, MOST_ALIKE))


def groups(rows: Array, alike: float, smallest: int) -> Iterator[Array]:
    """Groups of at least `smallest` row numbers, the largest neighbourhoods first, each around its first member.

    The order of the rows decides nothing but ties, so the same vectors are always grouped in the same way.
    """
    near = np.concatenate([(rows[at : at + BLOCK] @ rows.T >= alike).sum(axis=1) for at in range(0, len(rows), BLOCK)])
    free = np.ones(len(rows), dtype=bool)
    for founder in np.lexsort((np.arange(len(rows)), -near)).tolist():
        if near[founder] < smallest:
            return
        if not free[founder]:
            continue
        members = np.flatnonzero(free & (rows @ rows[founder] >= alike))
        if len(members) >= smallest:
            free[members] = False
            yield np.concatenate([[founder], members[members != founder]])


def centres(rows: Array, members: Sequence[Array], weights: Array) -> Array:
    """The middle of each group, of length 1; what counts more draws it nearer."""
    sums = np.stack([weights[each] @ rows[each] for each in members])
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    unit: Array = np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0)
    return unit
