"""What whoever reads a unit must know about where it stands: said in the receipt when the unit is considered."""

from __future__ import annotations

from collections.abc import Iterable

from haversack.model import Problem, Unit
from haversack.sources.protocol import CAUTION


def cautions(units: Iterable[Unit]) -> tuple[Problem, ...]:
    """Each file or log once, with what its source says about it."""
    warned = [unit for unit in units if CAUTION in unit.meta and unit.citations]
    said = {(unit.citations[0].target, str(unit.meta[CAUTION])) for unit in warned}
    return tuple(Problem(where, what) for where, what in sorted(said))
