"""Units of other sources than memory for a question: code, documents, decisions, commits, by all views."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from haversack.index.units import UnitReader
from haversack.model import Status, Unit
from haversack.recall.question import question
from haversack.recall.rank import space_of
from haversack.retrieve.fusion import best, fuse

if TYPE_CHECKING:
    from haversack.index.embed import Embedder
    from haversack.index.store import Store

READ_PER_RESULT = 3  # units that are looked at for each that is wanted; ties bring some more


def found_units(
    store: Store,
    embedder: Embedder | None,
    query: str,
    sources: Sequence[str],
    limit: int,
    wanted: Callable[[Unit], bool] = lambda _: True,
) -> list[tuple[Unit, float]]:
    """Units of the sources that hold, with a score in 0..1, best first."""
    snapshot = store.snapshot()
    space = space_of(snapshot, sources)
    if not space.any():
        return []
    vector = embedder.embed([query])[0] if embedder else None
    scores = fuse(snapshot, question(query).task.terms, vector).fused
    positions = best(scores, limit * READ_PER_RESULT, space)[: 2 * limit * READ_PER_RESULT].tolist()
    units = UnitReader(store, snapshot).at(positions)
    found = [
        (unit, min(float(scores[at]), 1.0))
        for at, unit in zip(positions, units, strict=True)
        if unit.status is Status.LIVE and wanted(unit)
    ]
    return sorted(found, key=lambda pair: (-pair[1], pair[0].path or "", pair[0].id))[:limit]
