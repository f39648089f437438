"""How close an entry is to a task through what both name: an edge of the graph each, one step away."""

from __future__ import annotations

from dataclasses import replace

from haversack.model import Features, Task, Unit


def with_mentions(unit: Unit, features: Features, task: Task) -> Features:
    """The features with the number of things that the entry and the task both name, and the depth that follows."""
    named = frozenset((*task.paths, *task.identifiers, *task.modules))
    shared = sum(_names(ref, named) for ref in unit.refs) if named else 0
    if not shared:
        return features
    depth = 1 if features.depth is None else min(features.depth, 1)
    return replace(features, mentions=features.mentions + shared, depth=depth)


def _names(ref: str, named: frozenset[str]) -> bool:
    """Whether the task names it, too, as it stands or by the end of its path."""
    return ref in named or any(f"/{ref}".endswith(f"/{path}") for path in named if "." in path)
