"""Which pieces fit: budgets by weight, no item over a quarter of its source's, what one leaves the others get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from haversack.recall.context.nouns import ContextItem, Piece
from haversack.recall.sizes import ELLIPSIS, Count, clip

MAX_ITEM_FRACTION = 0.25  # seed 004
LEAST_ITEM = 48  # tokens: a quarter of a small budget would show nothing but notes of truncation. A choice.
ROUNDS = 4  # of giving what is left to the others; most is given in the first
DOTS = "..."


class Fitted(Struct, frozen=True):
    """A piece as it will be shown and what that costs."""

    piece: Piece
    content: str
    tokens: int

    def item(self) -> ContextItem:
        """As the seed has it."""
        return ContextItem(self.piece.source, self.content, self.piece.relevance, self.piece.metadata)


class Fitter:
    """Cuts and prices pieces with one counter, each once for each cap."""

    def __init__(self, count: Count) -> None:
        self._count = count
        self._made: dict[tuple[int, int], Fitted | None] = {}

    def capped(self, piece: Piece, cap: int) -> Fitted | None:
        """The piece within the cap, cut and noted where it must be; None when not even its head fits."""
        key = (id(piece), cap)
        if key not in self._made:
            self._made[key] = self._fit(piece, cap)
        return self._made[key]

    def _fit(self, piece: Piece, cap: int) -> Fitted | None:
        whole = piece.content
        if len(whole) <= cap * 8:
            cost = self._count(whole) + 1  # the line that parts it from the next
            if cost <= cap:
                return Fitted(piece, whole, cost)
        note = f"\n\n{piece.note}"
        room = cap - self._count(f"{piece.head}{DOTS}{piece.tail}{note}") - 2
        body = clip(piece.body, room, self._count).removesuffix(ELLIPSIS) if room > 0 else ""
        if not body.strip():
            return None
        content = f"{piece.head}{body}{DOTS}{piece.tail}{note}"
        return Fitted(piece, content, self._count(content) + 1)


def shares(weights: Mapping[str, int], budget: int) -> dict[str, int]:
    """Tokens for each source."""
    total = sum(weights.values())
    return {name: budget * weight // total for name, weight in weights.items()} if total else {}


def choose(
    pieces: Mapping[str, Sequence[Piece]], weights: Mapping[str, int], budget: int, fitter: Fitter
) -> dict[str, list[Fitted]]:
    """What is shown of each source, best first; what sources leave over goes to those that want more, by weight."""
    given = shares(weights, budget)
    chosen: dict[str, list[Fitted]] = {}
    for _ in range(ROUNDS):
        chosen, hungry = {}, {}
        for name, tokens in given.items():
            chosen[name], full = _within(pieces.get(name, ()), tokens, fitter)
            if not full:
                hungry[name] = weights[name]
        left = budget - sum(each.tokens for found in chosen.values() for each in found)
        if not hungry or left < LEAST_ITEM:
            break
        # Who has enough keeps what it spent; the rest is shared by those who have not.
        spent = {name: sum(each.tokens for each in found) for name, found in chosen.items()}
        free = budget - sum(spent[name] for name in given if name not in hungry)
        new = {**spent, **shares(hungry, free)}
        if new == given:
            break
        given = new
    return chosen


def _within(pieces: Sequence[Piece], tokens: int, fitter: Fitter) -> tuple[list[Fitted], bool]:
    """The best that fit, and whether all of them are shown whole."""
    cap = max(int(tokens * MAX_ITEM_FRACTION), min(LEAST_ITEM, tokens))
    found, used, whole = [], 0, True
    for piece in pieces:
        fitted = fitter.capped(piece, cap)
        if fitted is None or used + fitted.tokens > tokens:
            whole = False
            continue
        whole = whole and fitted.content == piece.content
        found.append(fitted)
        used += fitted.tokens
    return found, whole
