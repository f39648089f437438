"""What each intent prefers among memories that are about as relevant: seed 003's table."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from haversack.index.terms import terms
from haversack.model import Task, Unit
from haversack.recall.question import subjects

BY_NATURE: Final = 0.5  # of the preference; the rest is the measure of the intent. A choice.
# Kinds that an intent asks for by its nature.
_KINDS: Final[Mapping[str, frozenset[str]]] = {
    "how_to": frozenset({"workflow", "decision", "preference", "value"}),
    "known_issues": frozenset({"error"}),
    "environment": frozenset({"context"}),
    "what_happened": frozenset({"event", "experience"}),
    "code_structure": frozenset({"decision", "context"}),
}


def preference(unit: Unit, task: Task, intent: str, times: Sequence[float]) -> float:
    """0..1: high confidence, file and symbol match, recency or name match, as the intent has it."""
    failed = intent == "known_issues" and unit.meta.get("outcome") == "falsified"
    by_nature = failed or unit.kind in _KINDS[intent]
    return (1 - BY_NATURE) * _MEASURES[intent](unit, task, times) + BY_NATURE * by_nature


def _confident(unit: Unit, _task: Task, _times: Sequence[float]) -> float:
    for name in ("confidence", "importance"):
        found = unit.meta.get(name)
        if isinstance(found, int | float):
            refuted = 0.5 if unit.meta.get("outcome") == "falsified" else 1.0
            return min(max(float(found), 0.0), 1.0) * refuted
    return 0.5


def _no_matter(_unit: Unit, _task: Task, _times: Sequence[float]) -> float:
    return 0.5  # what happened is told in the order of time, whatever it was


def _concerned(unit: Unit, task: Task, _times: Sequence[float]) -> float:
    """Whether the files and symbols asked about are those the memory speaks of."""
    return _share([*task.paths, *task.identifiers, *(frame[0] for frame in task.frames)], unit)


def _new(unit: Unit, _task: Task, times: Sequence[float]) -> float:
    """The share of what is relevant that is no newer: days or years apart, the newest is the newest."""
    if unit.time is None or not times:
        return 0.0
    return bisect_right(times, unit.time) / len(times)


def _named(unit: Unit, task: Task, _times: Sequence[float]) -> float:
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


_MEASURES: Final[Mapping[str, Callable[[Unit, Task, Sequence[float]], float]]] = {
    "how_to": _confident,
    "what_happened": _no_matter,
    "known_issues": _concerned,
    "environment": _new,
    "code_structure": _named,
}
