"""Where a task says that something is: in a module (`sphinx.ext.autodoc`), in a part of the project (`pyreverse`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from haversack.index.segment import Array
from haversack.index.snapshot import Snapshot, plain
from haversack.model import Task


def addressed(snapshot: Snapshot, task: Task) -> dict[str, Array]:
    """For every item how closely the task's modules lead to it, and what the words count that its folders are called.

    1 for a module that is one file; a folder counts the less the more is in it.
    """
    modules, folders = (np.zeros(max(len(snapshot.items), 1), dtype=np.float32) for _ in range(2))
    for module in task.modules:
        parts = [part for part in module.split("/") if part]
        items = _of_module(snapshot, parts)
        modules[items] = np.maximum(modules[items], _closeness(snapshot, items))
    for term, weight in task.terms.items():
        for folder in snapshot.folders_by_plain_name.get(term, ()):
            items = snapshot.items_below(folder)
            folders[items] = np.maximum(folders[items], weight * _closeness(snapshot, items))
    return {"module": modules, "folder name": folders}


def _of_module(snapshot: Snapshot, parts: Sequence[str]) -> list[int]:
    """The files a dotted name may mean, by its longest beginning that is one: what follows is a name inside it."""
    for length in range(len(parts), 1, -1):
        found = [*_called(snapshot, parts[:length]), *_below(snapshot, "/".join(parts[:length]))]
        if found:
            return found
    return []


def _called(snapshot: Snapshot, parts: Sequence[str]) -> Iterable[int]:
    tail = "/" + "/".join(parts)
    for item in snapshot.items_by_stem.get(parts[-1], ()):
        folder, _, name = snapshot.items[item].key.rpartition("/")
        if f"/{folder}/{name.partition('.')[0]}".endswith(tail):
            yield item


def _below(snapshot: Snapshot, folder: str) -> Iterable[int]:
    for path in snapshot.folders_by_plain_name.get(plain(folder.rpartition("/")[2]), ()):
        if f"/{path}".endswith(f"/{folder}"):
            yield from snapshot.items_below(path)


def _closeness(snapshot: Snapshot, items: Sequence[int]) -> float:
    """1 for one file, towards 0 for the whole project."""
    return 1.0 - float(np.log(max(len(items), 1)) / np.log(len(snapshot.items) + 2))
