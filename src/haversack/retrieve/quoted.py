"""Code that holds what a task quotes: the message of an error, a line that was printed."""

from __future__ import annotations

from functools import partial, reduce

import numpy as np

from haversack.index.records import KINDS
from haversack.index.segment import Array
from haversack.index.snapshot import Snapshot
from haversack.index.terms import term_hash, terms
from haversack.model import Task

FEWEST_TERMS = 3  # fewer are a name or a phrase that stands in many places
MOST_TERMS = 16  # of one quotation
MOST_QUOTES = 12
MOST_HOLDERS = 3  # what more pieces hold points at none of them


def holders(snapshot: Snapshot, task: Task) -> list[int]:
    """Positions of code, not of whole files, that has every word of a quotation; of one that many have, none."""
    code = snapshot.sources.get("code")
    if code is None:
        return []
    pieces = code & snapshot.alive & (snapshot.kinds != KINDS.index("file"))
    found: dict[int, None] = {}
    for quote in task.quoted[:MOST_QUOTES]:
        words = list(dict.fromkeys(terms(quote)))[:MOST_TERMS]
        if len(words) >= FEWEST_TERMS:
            here = _having_all(snapshot, words)
            here = here[pieces[here]]
            found |= dict.fromkeys(here.tolist() if len(here) <= MOST_HOLDERS else ())
    return list(found)


def _having_all(snapshot: Snapshot, words: list[str]) -> Array:
    """Positions that have all these words."""
    postings = [units for units, _ in snapshot.postings([term_hash(word) for word in words])]
    # A term has each position once; said so, numpy need not look, for which it would load a tenth of itself anew.
    common: Array = reduce(partial(np.intersect1d, assume_unique=True), sorted(postings, key=len))
    return common
