"""Whether anything here is about the task at all: a number that means the same in every project.

Scores of a search are relative to its best find, so that small talk, too, has a best find.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from haversack.index import symbolic
from haversack.index.semantic import similarities
from haversack.model import Task

if TYPE_CHECKING:
    from haversack.index.embed import Embedder
    from haversack.index.snapshot import Snapshot

# Cosine of the nearest unit. Small talk reaches .19 to .40 in projects of 300 to 5,000 files, requests that
# developers write .42 to .95 where the project has what they ask for (15 and 20 of each; bench/hook.py counts them).
NEAR = 0.41


def is_near(snapshot: Snapshot, embedder: Embedder | None, task: Task) -> bool:
    """Whether the task names something of this project, or something here is near to what it says."""
    if task.frames or any(symbolic.paths(snapshot, path) for path in task.paths):
        return True
    if any(symbolic.defined(snapshot, task.identifiers)):
        return True
    if embedder is None:  # then only names tell
        return bool(task.identifiers or task.paths)
    question = embedder.embed(["\n".join(task.lines) or task.text])[0]
    return bool(similarities(snapshot, question).max(initial=0.0) >= NEAR)
