"""A candidate's ladder, cleaned: the rungs worth considering, and of those the ones on the upper hull."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from haversack.model import Candidate, Rung


class Item(Struct, frozen=True):
    """A candidate as the packer sees it: `rungs` cheapest first, `steps` the rungs it climbs, in order.

    `rank` is its place among all candidates by score, then id: every tie in packing is broken by it.
    """

    rank: int
    candidate: Candidate
    section: int
    rungs: tuple[Rung, ...]
    steps: tuple[Rung, ...]
    eligible: bool

    @property
    def pinned(self) -> bool:
        return self.candidate.pinned


def worth(rung: Rung) -> float:
    """The rung's value; what is negative or not a number is worth nothing."""
    # A comparison with NaN is false.
    return rung.value if rung.value > 0.0 else 0.0


def undominated(ladder: Sequence[Rung]) -> tuple[Rung, ...]:
    """The rungs that no cheaper or equally cheap rung matches in value, cheapest first; the cheapest always stays."""
    kept: list[Rung] = []
    best = -1.0
    for rung in sorted(ladder, key=_price):
        value = worth(rung)
        if value > best:
            kept.append(rung)
            best = value
    return tuple(kept)


def _price(rung: Rung) -> tuple[int, float]:
    return (rung.tokens, -worth(rung))


def hull(rungs: Sequence[Rung], *, start: int = -1) -> tuple[Rung, ...]:
    """The undominated rungs on the upper hull of value over tokens: each step buys less per token than the one before.

    The hull begins at nothing, or at `rungs[start]`, which is then its first step.
    """
    first = rungs[start] if start >= 0 else None
    tokens = [first.tokens if first else 0]
    values = [worth(first) if first else 0.0]
    kept: list[Rung] = []
    for rung in rungs[start + 1 :]:
        value = worth(rung)
        if value <= values[0]:
            continue
        # The last rung is below the line from the one before it to this one: no price justifies it.
        while kept and (values[-1] - values[-2]) * (rung.tokens - tokens[-1]) <= (value - values[-1]) * (
            tokens[-1] - tokens[-2]
        ):
            tokens.pop()
            values.pop()
            kept.pop()
        tokens.append(rung.tokens)
        values.append(value)
        kept.append(rung)
    return (first, *kept) if first else tuple(kept)
