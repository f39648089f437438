"""For a task about something broken: the frames of the trace in the logs that it most likely speaks of."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

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


def with_logged_frames(
    task: Task, snapshot: Snapshot, reader: UnitReader, scores: Array, allowed: Array
) -> tuple[Task, int | None]:
    """The task with the frames of the newest trace that matches it, and where that stands; as it is without one."""
    logs = snapshot.sources.get("logs")
    if task.frames or not asks(task, "logs") or logs is None or not bool((logs & allowed).any()):
        return task, None
    near = [p for p in best(scores, LOOKED_AT, logs & allowed).tolist() if scores[p] > 0]
    units = zip(near, reader.at(near), strict=True)
    traces = [(p, unit) for p, unit in units if unit.kind in WITH_FRAMES and unit.meta.get("frames")]
    if not traces:
        return task, None
    floor = ALIKE * max(float(scores[p]) for p, _ in traces)
    matching = (pair for pair in traces if scores[pair[0]] >= floor)
    position, newest = max(matching, key=lambda pair: (pair[1].time or 0.0, pair[1].id))
    return replace(task, frames=frames_of(newest)), position


def frames_of(unit: Unit) -> tuple[tuple[str, int, str], ...]:
    """A unit's frames as a task has them, the failing one first."""
    said = unit.meta.get("frames")
    found = []
    for place in said if isinstance(said, tuple) else ():
        path, line, name = place.rsplit(":", 2)
        found.append((path, int(line) if line.isdecimal() else 0, name))
    return tuple(found)
