"""What each intent prefers among memories that are about as relevant: seed 003's table."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

from haversack.index.terms import terms
from haversack.model import Task, Unit
from haversack.recall.question import subjects

HALF_AGE_DAYS: Final = 30.0  # what is this much older than the newest counts half as new: a choice
# Kinds that an intent asks for by its nature.
_KINDS: Final[Mapping[str, frozenset[str]]] = {
    "how_to": frozenset({"workflow", "decision", "preference", "value"}),
    "known_issues": frozenset({"error"}),
    "environment": frozenset({"context"}),
    "what_happened": frozenset({"event", "experience"}),
    "code_structure": frozenset({"decision", "context"}),
}


def preference(unit: Unit, task: Task, intent: str, newest: float) -> float:
    """0..1: high confidence, file and symbol match, recency or name match, as the intent has it."""
    own = _MEASURES[intent](unit, task, newest)
    return 0.75 * own + 0.25 * (unit.kind in _KINDS[intent])


def _confident(unit: Unit, _task: Task, _newest: float) -> float:
    for name in ("confidence", "importance"):
        found = unit.meta.get(name)
        if isinstance(found, int | float):
            refuted = 0.5 if unit.meta.get("outcome") == "falsified" else 1.0
            return min(max(float(found), 0.0), 1.0) * refuted
    return 0.5


def _no_matter(_unit: Unit, _task: Task, _newest: float) -> float:
    return 0.5  # what happened is told in the order of time, whatever it was


def _concerned(unit: Unit, task: Task, _newest: float) -> float:
    """Whether the files and symbols asked about are those the memory speaks of; failures first without any."""
    asked = [*task.paths, *task.identifiers, *(frame[0] for frame in task.frames)]
    failed = 0.5 if unit.meta.get("outcome") == "falsified" or unit.kind == "error" else 0.0
    return max(_share(asked, unit), failed)


def _new(unit: Unit, _task: Task, newest: float) -> float:
    if unit.time is None:
        return 0.0
    return math.exp2(-max(newest - unit.time, 0.0) / 86_400 / HALF_AGE_DAYS)


def _named(unit: Unit, task: Task, _newest: float) -> float:
    asked = [*task.identifiers, *task.paths] or list(task.keywords)
    return _share(asked, unit)


def _share(asked: list[str], unit: Unit) -> float:
    if not asked:
        return 0.0
    about = {name.casefold() for name in (*subjects(unit), unit.qualname)}
    said = set(terms(f"{unit.title}\n{unit.text}"))
    hits = 0.0
    for name in asked:
        plain = name.casefold()
        if plain in about or any(path.endswith("/" + plain) or plain.endswith("/" + path) for path in about if path):
            hits += 1.0
        elif (parts := terms(name)) and all(part in said for part in parts):
            hits += 0.7
    return min(hits / len(asked), 1.0)


_MEASURES: Final[Mapping[str, Callable[[Unit, Task, float], float]]] = {
    "how_to": _confident,
    "what_happened": _no_matter,
    "known_issues": _concerned,
    "environment": _new,
    "code_structure": _named,
}
