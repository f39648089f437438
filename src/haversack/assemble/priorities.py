"""What the type of a task does to scores and sections: sources that matter more for it count for more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from haversack.model import Scored, Section
from haversack.retrieve.task.priorities import share_of, weight_of

FACTOR = "source_priority"


def with_priority(scored: Scored, kind: str) -> Scored:
    """The score times what its source counts for that type of task; what the task names itself stays as it is."""
    share = share_of(kind, scored.unit.source)
    if share == 1.0 or scored.explicit:
        return scored
    return replace(scored, score=scored.score * share, factors={**scored.factors, FACTOR: share})


def weighed(
    sections: Sequence[Section], kind: str, bars: Mapping[str, float], homes: Mapping[str, str]
) -> tuple[Section, ...]:
    """The sections, those that belong to one source weighing what it weighs for the type and asking for its bar."""
    return tuple(
        replace(
            section,
            weight=section.weight * weight_of(kind, section.name),
            threshold=min(
                (bar for name, bar in bars.items() if homes.get(name) == section.name), default=section.threshold
            ),
        )
        for section in sections
    )
