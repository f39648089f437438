"""Whether anything here is about the task at all: a number that means the same in every project.

Scores of a search are relative to its best find, so that small talk, too, has a best find.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from haversack.index import symbolic
from haversack.index.semantic import similarities
from haversack.model import Task

if TYPE_CHECKING:
    from haversack.index.embed import Embedder
    from haversack.index.snapshot import Snapshot

# How near the nearest units must be on average, as a cosine: one alone may be near by chance, above all to a few words.
# Fitted on five projects of 23 to 606 files, 50 prompts of small talk and their own later commits as requests;
# `python bench/nearness.py` counts on others how often it is wrong.
NEAR = 0.55
LESS_PER_KEYWORD, MOST_KEYWORDS = 0.05, 5
NEAREST = 5
OF_EACH = 10
"""In a small project fewer count: one of so many units."""


def is_near(snapshot: Snapshot, embedder: Embedder | None, task: Task) -> bool:
    """Whether the task names something of this project, or several things here are near to what it says."""
    if task.frames or any(symbolic.paths(snapshot, path) for path in task.paths):
        return True
    if any(symbolic.defined(snapshot, task.identifiers)):
        return True
    if embedder is None:  # then only names tell
        return bool(task.identifiers or task.paths)
    found = similarities(snapshot, embedder.embed(["\n".join(task.lines) or task.text])[0])
    many = min(NEAREST, max(1, snapshot.count // OF_EACH), len(found))
    if not many:
        return False
    nearest = np.partition(found, -many)[-many:].mean()
    return bool(nearest >= NEAR - LESS_PER_KEYWORD * min(len(task.keywords), MOST_KEYWORDS))
