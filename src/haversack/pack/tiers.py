"""Seed 000's way to spend a budget: shelves in order of importance, entries whole while they fit, then their titles."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

FULL_SHARE = 0.8  # seed 000: whole entries to about 80 % of an allowance, titles for the rest


class Note(Struct, frozen=True):
    """One entry and what it costs whole and as a title, in tokens."""

    id: str
    full: int
    brief: int


class Shelf(Struct, frozen=True):
    """Entries of one kind, best first. `share` caps it at that part of the budget; None lets it share what is left.

    `frame` is what its heading costs, `also` the line above the titles.
    """

    name: str
    notes: tuple[Note, ...]
    share: float | None
    frame: int = 0
    also: int = 0

    @property
    def whole(self) -> int:
        """What it costs to show everything."""
        return self.frame + sum(note.full for note in self.notes) if self.notes else 0


class Taken(Struct, frozen=True):
    """Which entries of a shelf are shown whole and which as titles, in their order, and what that costs."""

    full: tuple[str, ...] = ()
    brief: tuple[str, ...] = ()
    tokens: int = 0


def stock(shelves: Sequence[Shelf], budget: int, fixed: int) -> dict[str, Taken]:
    """What is taken from each shelf when `fixed` tokens of the budget are spent already. Everything, when it fits."""
    room = max(0, budget - fixed)
    if sum(shelf.whole for shelf in shelves) <= room:
        return {shelf.name: take(shelf, room) for shelf in shelves}
    taken: dict[str, Taken] = {}
    left = room
    for shelf in shelves:
        if shelf.share is not None:
            # The seed caps at a share of the budget. Here it is a share of what the first tier leaves, which is never
            # more, so that long rules do not starve the shelves that come last.
            taken[shelf.name] = take(shelf, min(left, int(shelf.share * room)))
            left -= taken[shelf.name].tokens
    sharing = [shelf for shelf in shelves if shelf.share is None]
    wanted = sum(shelf.whole for shelf in sharing)
    if wanted:
        rest = left
        for shelf in sharing:
            taken[shelf.name] = take(shelf, rest * shelf.whole // wanted)
            left -= taken[shelf.name].tokens
    # What one could not use another can: those that share first, then the capped ones in their order.
    for shelf in (*sharing, *(shelf for shelf in shelves if shelf.share is not None)):
        had = taken.get(shelf.name, Taken())
        more = take(shelf, had.tokens + left)
        if more.tokens > had.tokens:
            taken[shelf.name] = more
            left -= more.tokens - had.tokens
    return {shelf.name: taken.get(shelf.name, Taken()) for shelf in shelves}


def take(shelf: Shelf, allowance: int) -> Taken:
    """The best entries whole, the others as titles as far as they fit, and what room is left used for more."""
    if shelf.whole <= allowance:
        return Taken(tuple(note.id for note in shelf.notes), (), shelf.whole)
    used = shelf.frame
    full: dict[str, None] = {}
    brief: dict[str, None] = {}
    for note in shelf.notes:
        if used + note.full <= FULL_SHARE * allowance:
            full[note.id] = None
            used += note.full
    for note in shelf.notes:
        cost = note.brief + (0 if brief else shelf.also)
        if note.id not in full and note.brief < note.full and used + cost <= allowance:
            brief[note.id] = None
            used += cost
    for note in shelf.notes:
        back = (note.brief + (shelf.also if len(brief) == 1 else 0)) if note.id in brief else 0
        if note.id not in full and used - back + note.full <= allowance:
            brief.pop(note.id, None)
            full[note.id] = None
            used += note.full - back
    if not full and not brief:
        return Taken()
    return Taken(
        tuple(note.id for note in shelf.notes if note.id in full),
        tuple(note.id for note in shelf.notes if note.id in brief),
        used,
    )
