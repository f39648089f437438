"""What the primary section has no room for competes in the supporting one: it is at least that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from haversack.model import Candidate, Section

FROM, TO = "primary", "supporting"


def spilled(candidates: Sequence[Candidate], sections: Sequence[Section], budget: int) -> list[Candidate]:
    """The same candidates, those past the first section's share, best for a token first, offered in the second.

    Otherwise the weakest piece of supporting context, which has a share of its own, is shown while a piece twice as
    good is left out because its section is full.
    """
    weights = {section.name: section.weight for section in sections}
    if not weights.get(FROM) or TO not in weights:
        return list(candidates)
    room = budget * weights[FROM] / sum(weights.values())
    moved = set()
    for each in sorted((each for each in candidates if each.section == FROM), key=_best_for_a_token):
        room -= each.ladder[0].tokens if each.ladder else 0
        if room < 0 and not each.pinned:
            moved.add(each.id)
    return [replace(each, section=TO) if each.id in moved else each for each in candidates]


def _best_for_a_token(candidate: Candidate) -> tuple[float, str]:
    whole = candidate.ladder[0] if candidate.ladder else None
    return -(whole.value / max(whole.tokens, 1)) if whole else 0.0, candidate.id
