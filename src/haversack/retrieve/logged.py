"""For a task about something broken: the frames of the trace in the logs that it most likely speaks of."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from haversack.index.segment import Array
from haversack.index.snapshot import Snapshot
from haversack.index.units import UnitReader
from haversack.model import Task, Unit
from haversack.retrieve.fusion import best
from haversack.retrieve.task.priorities import asks

LOOKED_AT: Final = 12  # pieces of logs that share most words with the task
# A trace that shares at least so much of what the best one shares is about the same; of those the newest counts.
ALIKE: Final = 0.5
WITH_FRAMES: Final = ("trace", "failure")


def with_logged_frames(task: Task, snapshot: Snapshot, reader: UnitReader, scores: Array, allowed: Array) -> Task:
    """The task, and after its own frames those of the newest trace that matches it; as it is when there is none."""
    logs = snapshot.sources.get("logs")
    if task.frames or not asks(task, "logs") or logs is None or not bool((logs & allowed).any()):
        return task
    near = [p for p in best(scores, LOOKED_AT, logs & allowed).tolist() if scores[p] > 0]
    units = [(float(scores[p]), unit) for p, unit in zip(near, reader.at(near), strict=True)]
    traces = [(score, unit) for score, unit in units if unit.kind in WITH_FRAMES and unit.meta.get("frames")]
    if not traces:
        return task
    floor = ALIKE * max(score for score, _ in traces)
    newest = max((unit for score, unit in traces if score >= floor), key=lambda unit: (unit.time or 0.0, unit.id))
    return replace(task, frames=frames_of(newest))


def frames_of(unit: Unit) -> tuple[tuple[str, int, str], ...]:
    """A unit's frames as a task has them, the failing one first."""
    said = unit.meta.get("frames")
    found = []
    for place in said if isinstance(said, tuple) else ():
        path, line, name = place.rsplit(":", 2)
        found.append((path, int(line) if line.isdecimal() else 0, name))
    return tuple(found)
