"""What the first line of a task says on its own, and the part of the project that it begins with (`fix(parser): …`)."""

from __future__ import annotations

from typing import Final

import numpy as np

from haversack.index.lexical import ask, presence, weigh
from haversack.index.prepare import PATH
from haversack.index.segment import Array
from haversack.index.snapshot import Snapshot
from haversack.index.terms import keywords, path_terms, terms
from haversack.model import Task
from haversack.patterns import lazily
from haversack.retrieve.fusion import best_of_items, nearness, scaled

LONGEST: Final = 300  # characters of a line that is looked at
_SCOPE: Final = lazily(r"\s{0,9}(?:\w{1,30}\(([^)\n]{2,60})\)!?:|\[([^\]\n]{2,40})\]|([\w./-]{2,40}):)")


def title_of(task: Task) -> str:
    """The first of the lines that say most: the title, where there is one."""
    return (task.lines[0] if task.lines else task.text)[:LONGEST]


def titled(snapshot: Snapshot, task: Task, near: Array, here: Array) -> dict[str, Array]:
    """What the title's words, meaning (`near`) and scope say of these positions and of their files."""
    owners = snapshot.item_of[here]
    title = title_of(task)
    words = weigh(snapshot, ask(dict.fromkeys(terms(title), 1.0)))
    return {
        "title coverage": scaled(words.coverage[here]),
        "file title coverage": scaled((words.item_coverage * snapshot.in_files)[owners]),
        "title meaning": nearness(near[here]),
        "file title meaning": nearness(best_of_items(snapshot, near)[owners]),
        "scope": _within(snapshot, scope_of(title))[owners],
    }


def scope_of(title: str) -> str:
    """The part of the project a title names before it says what is done there; empty when it names none."""
    found = _SCOPE.match(title)
    return next((each for each in found.groups() if each), "") if found else ""


def _within(snapshot: Snapshot, scope: str) -> Array:
    """For every item how much of the scope its path holds."""
    if not scope:
        return np.zeros(max(len(snapshot.items), 1), dtype=np.float32)
    words = dict.fromkeys((*path_terms(scope), *keywords(scope)), 1.0)
    return scaled(best_of_items(snapshot, presence(snapshot, ask(words, PATH))))
