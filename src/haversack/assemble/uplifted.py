"""What earlier outcomes say about an item, as one more factor of its score."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from haversack.model import Scored

BETA = 0.2  # seed 003: what uplift counts beside similarity


def with_uplift(scored: Scored, uplift: Mapping[str, float]) -> Scored:
    """The score moved by what carrying the item did for the reward; the receipt shows it as `uplift`."""
    record = scored.unit.meta.get("record")
    moved = BETA * (uplift.get(scored.unit.id) or uplift.get(str(record), 0.0))
    if not moved:
        return scored
    number = min(max(scored.score + moved, 0.0), 1.0)
    return replace(scored, score=number, factors={**scored.factors, "uplift": round(moved, 4)})
