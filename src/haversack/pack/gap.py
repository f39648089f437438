"""The last gap: what the chain's next step is too large for is filled by smaller steps and by excerpts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Protocol

from haversack.model import Candidate, Level, Rung
from haversack.pack.allocate import NO_CAP
from haversack.pack.chain import Step
from haversack.pack.hull import Item, worth
from haversack.pack.state import State


class Excerpt(Protocol):
    """Cuts a candidate to so many tokens, or shows more of it than the rung it has now."""

    def __call__(self, candidate: Candidate, tokens: int, now: Rung | None = None) -> Rung | None: ...


# An excerpt reads and counts text, so the number tried is bounded; the first that fits is nearly always taken.
TRIES = 16
# Below the first an excerpt would be hardly more than a heading, below the second not a line longer. Choices.
SMALLEST_EXCERPT = 24
SMALLEST_GAP = 8


def fill(state: State, later: Sequence[Step], budget: int) -> None:
    """Take later steps that still fit, in order of the chain; a step too large is tried at its cheaper rungs.

    First within the sections' shares: where the chain stops early, at something large, the small things of a section
    that is meant to have a twentieth would fill the packet.
    """
    room = state.room(budget)
    for within_share in (True, False):
        for step in later:
            if room <= 0:
                return
            if within_share and state.beyond_share(step.item, budget):
                continue
            rung = _largest_that_fits(state, step, room, budget)
            if rung is not None:
                state.put(step.item, rung)
                room = state.room(budget)


def excerpts(state: State, later: Sequence[Step], budget: int, excerpt: Excerpt) -> None:
    """Spend what is left on parts of the next item, then of items that are not in yet, then of others."""
    items = list({step.item.rank: step.item for step in later}.values())
    for item in islice(sorted(items, key=lambda item: item is not items[0] and item.rank in state.at), TRIES):
        if state.room(budget) < SMALLEST_GAP:
            return
        rung = cut(state, item, budget, excerpt)
        if rung is not None:
            state.put(item, rung)


def extensions(state: State, budget: int, excerpt: Excerpt) -> None:
    """Spend what is too little for anything of its own on more lines of what is cut or elided, the best first."""
    open_ended = [rank for rank, rung in sorted(state.at.items()) if rung.truncated or rung.level is Level.DETAILED]
    for rank in open_ended[:TRIES]:
        if state.room(budget) < SMALLEST_GAP:
            return
        item, now = state.problem.items[rank], state.at[rank]
        rung = cut(state, item, budget, excerpt, None if now.truncated else now)
        if rung is not None:
            state.put(item, rung)


def cut(state: State, item: Item, budget: int, excerpt: Excerpt, onto: Rung | None = None) -> Rung | None:
    """An excerpt of the item, or more of the rung it has, that fits and gains something; or None."""
    now = state.at.get(item.rank)
    opening = 0 if state.inside[item.section] else state.problem.opening[item.section]
    section = state.problem.sections[item.section]
    room = state.room(budget)
    if not item.pinned:
        room = min(room, section.cap - state.spent[item.section])
    limit = min((now.tokens if now else -opening) + room, state.problem.limit(item, budget))
    if limit < SMALLEST_EXCERPT:
        return None
    made = excerpt(item.candidate, limit, onto) if onto else excerpt(item.candidate, limit)
    if made is None or made.tokens > limit or (now is not None and made.tokens <= now.tokens):
        return None
    # The first lines of something may tell less of it than its summary, even where they show something of others.
    rung = max((made, *(step for step in item.steps if step.tokens <= limit)), key=worth)
    if now is not None and rung.value <= now.value:
        return None
    return rung if state.gain(item, rung) > 0.0 and state.fits(item, rung, budget) else None


def _largest_that_fits(state: State, step: Step, room: int, budget: int) -> Rung | None:
    item = step.item
    now = state.at.get(item.rank)
    held = now.tokens if now else -1
    # Taking out others, or the last line about what is missing, may make more room than there is.
    largest = room + max(0, held) if item.rank not in state.problem.near and state.missing[item.section] > 1 else NO_CAP
    if item.rungs[0].tokens > largest:
        return None
    for rung in reversed(item.rungs):
        if now is not None and rung.value <= now.value:  # an excerpt may be larger than a rung that says more
            return None
        if rung.tokens <= min(largest, step.rung.tokens) and state.fits(item, rung, budget):
            return rung if state.gain(item, rung) > 0.0 else None
    return None
