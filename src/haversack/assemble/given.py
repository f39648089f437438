"""Which of the chosen pieces a session already has, and what is noted of those it gets."""

from __future__ import annotations

from collections.abc import Sequence

from haversack.index.ledger import Given, History, digest_of
from haversack.model import Chosen, Level, Omitted
from haversack.render.frame import Block

GIVEN = "given earlier"
RANK = {level: number for number, level in enumerate(reversed(Level))}
WHOLE = (Level.FULL, Level.LIGHT)


def unseen(chosen: Sequence[Chosen], history: History) -> tuple[tuple[Chosen, ...], tuple[Given, ...]]:
    """What the session does not have yet or has of another content, and the entries of what it has."""
    new: list[Chosen] = []
    known: list[Given] = []
    for each in chosen:
        before = history.items.get(each.candidate.id)
        if before is None or not _covers(before, each):
            new.append(each)
        else:
            known.append(before)
    return tuple(new), tuple(known)


def _covers(before: Given, now: Chosen) -> bool:
    """Whether what was given says all that would be given now."""
    same = before.content == digest_of(now.candidate.scored.unit.text)
    return same and RANK[now.rung.level] <= RANK[before.level]


def left_to_history(known: Sequence[Given], chosen: Sequence[Chosen]) -> list[Omitted]:
    """The account of what was not repeated, for the receipt."""
    names = {each.unit: each.number for each in known}
    return [
        Omitted(
            unit.id,
            unit.title,
            f"{GIVEN} as [{number}]" if (number := names[unit.id]) else f"{GIVEN}, at the session's start",
            None,
            each.candidate.section,
            each.candidate.scored.score,
            unit.path,
        )
        for each in chosen
        if (unit := each.candidate.scored.unit).id in names
    ]


def deliveries(blocks: Sequence[Block], first: int | None) -> tuple[Given, ...]:
    """What the session's ledger is to note of a packet; handles count from `first`, None: without handles."""
    shown = [block.chosen for block in blocks if block.chosen is not None]
    return tuple(
        Given(
            each.candidate.id,
            Level.DETAILED if each.rung.truncated and each.rung.level in WHOLE else each.rung.level,
            digest_of(each.candidate.scored.unit.text),
            0 if first is None else first + place,
        )
        for place, each in enumerate(shown)
    )
