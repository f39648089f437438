"""Modules whose functions differ in little, and what the ranking is told of each of them."""

from __future__ import annotations

from haversack import Haversack
from haversack.index.units import UnitReader
from haversack.retrieve.candidates import Gatherer
from haversack.retrieve.own_past import Ranges
from haversack.retrieve.understand import understand


def functions(**bodies: str) -> str:
    """A module of functions with a body each."""
    return "\n\n".join(f"def {name}():\n    {body}\n" for name, body in bodies.items())


def columns(project: Haversack, task: str, since: tuple[Ranges, ...] = ()) -> dict[str, dict[str, float]]:
    """For each piece, by its name, what speaks for it."""
    reader = UnitReader(project.store, project.store.snapshot())
    positions, told = Gatherer(project.store, project.embedder).evidence(understand(task), reader, since=since)
    return {
        each.name: {name: float(column[row]) for name, column in told.items()}
        for row, each in enumerate(reader.at(positions))
    }
