"""Which of the chosen pieces a session already has, and what is noted of those it gets."""

from __future__ import annotations

from collections.abc import Sequence

from haversack.index.ledger import Given, History, digest_of
from haversack.model import Chosen, Level, Omitted, Rung
from haversack.render.frame import Block

GIVEN = "given earlier"
RANK = {level: number for number, level in enumerate(reversed(Level))}
WHOLE = (Level.FULL, Level.LIGHT)
NAMED_SHARE = 0.8  # of what others must score: what a prompt names in passing is not what it is about. A choice.


def unseen(
    chosen: Sequence[Chosen], history: History, *, least: float = 0.0
) -> tuple[tuple[Chosen, ...], tuple[Given, ...]]:
    """What the session does not have yet or has of another content, and the entries of what it has.

    Once it has something, a new piece, or one that it shows, must score `least`; what the task names may score a little
    less.
    """
    new: list[Chosen] = []
    known: list[Given] = []
    for each in chosen:
        before = history.items.get(each.candidate.id)
        if before is not None and _covers(before, each):
            known.append(before)
        elif not history.items or each.candidate.pinned or _is_enough(each, least):
            new.append(each)
    return tuple(new), tuple(known)


def _is_enough(chosen: Chosen, least: float) -> bool:
    """Whether it, or what it shows beside itself, scores what is asked."""
    scored = (each.scored for each in (chosen.candidate, *chosen.shows))
    return any(each.score >= least * (NAMED_SHARE if each.explicit else 1) for each in scored)


def _covers(before: Given, now: Chosen) -> bool:
    """Whether what was given says all that would be given now."""
    same = before.content == digest_of(now.candidate.scored.unit.text)
    return same and RANK[_level(now.rung)] <= RANK[before.level]


def _level(rung: Rung) -> Level:
    """How much a rung says: a whole text that was cut says as much as a detailed one."""
    return Level.DETAILED if rung.truncated and rung.level in WHOLE else rung.level


def left_to_history(known: Sequence[Given], chosen: Sequence[Chosen], new: Sequence[Chosen]) -> list[Omitted]:
    """The account of what was not repeated, and of what is too little to be added, for the receipt."""
    names = {each.unit: each.number for each in known}
    shown = {each.candidate.id for each in new}
    return [
        Omitted.of(unit, _reason(names.get(unit.id)), score=each.candidate.scored.score, section=each.candidate.section)
        for each in chosen
        if (unit := each.candidate.scored.unit).id not in shown
    ]


def _reason(number: int | None) -> str:
    if number is None:
        return "below what is added to a session"
    return f"{GIVEN} as [{number}]" if number else f"{GIVEN}, at the session's start"


def deliveries(blocks: Sequence[Block], first: int | None) -> tuple[Given, ...]:
    """What the session's ledger is to note of a packet: items, and under the same handle what they show beside.

    Handles count from `first`, None: without handles.
    """
    shown = [block.chosen for block in blocks if block.chosen is not None]
    return tuple(
        Given(one.id, _level(each.rung), digest_of(one.scored.unit.text), 0 if first is None else first + place)
        for place, each in enumerate(shown)
        for one in (each.candidate, *each.shows)
    )
