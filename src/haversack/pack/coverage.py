"""What showing one candidate already shows of another: overlapping lines of the same file, or similar text.

The worth of a packet is the sum over all candidates of what the packet shows of them: its own rung shows a candidate's
value, the rungs of others show shared parts of it, and those add up. So a method adds nothing once its whole class is
there, and a class adds nothing once all its methods are; when it comes in whole it takes their place. Such a coverage
function is submodular, so adding to a larger packet never gains more than adding to a smaller one, but for what is in
at a lower level: once others show more of it than that does, they gain again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from haversack.model import Level, Rung, Span
from haversack.pack.hull import Item, worth

# Who shows this share of a candidate shows it whole: a decorator or a closing line may be missing. A choice.
WHOLE = 0.98

Neighbours = dict[int, list[tuple[int, float]]]


def neighbours(items: Sequence[Item], similarity: Mapping[str, Mapping[str, float]]) -> Neighbours:
    """Items that share text, in both directions, and the share of the other that one shows in full."""
    found: dict[int, dict[int, float]] = {}
    rank = {item.candidate.id: item.rank for item in items}
    for one in sorted(similarity.keys() & rank.keys()):
        for other, share in sorted(similarity[one].items()):
            if other in rank and other != one:
                found.setdefault(rank[one], {})[rank[other]] = min(1.0, max(0.0, share))
                found.setdefault(rank[other], {}).setdefault(rank[one], 0.0)
    for one_rank, other_rank in _overlapping(items):
        for shower, shown in ((one_rank, other_rank), (other_rank, one_rank)):
            shares = found.setdefault(shower, {})
            lines = _common(items[shower].candidate.scored.unit.span, items[shown].candidate.scored.unit.span)
            shares[shown] = max(lines, shares.get(shown, 0.0))
    return {one: [(other, _rounded(share)) for other, share in sorted(others.items())] for one, others in found.items()}


def shown_share(rung: Rung, shower: Item, other: Item, share: float) -> float:
    """The share of the other item that this rung already shows; levels below full speak about lines, or elide them."""
    if rung.level is not Level.FULL:
        return 0.0
    one, two = shower.candidate.scored.unit, other.candidate.scored.unit
    if rung.span is None or rung.span == one.span:
        return share
    if one.path == two.path and two.span is not None:
        return _rounded(_common(rung.span, two.span))
    return share * _common(rung.span, one.span)  # similar text, of which only a part is shown


def most(item: Item) -> float:
    """The most an item can be worth."""
    return worth(item.rungs[-1])


def _common(one: Span | None, other: Span | None) -> float:
    """The share of the other's lines that are in the first."""
    if one is None or other is None:
        return 0.0
    return one.common(other) / max(1, len(other))


def _rounded(share: float) -> float:
    return 1.0 if share >= WHOLE else share


def _overlapping(items: Sequence[Item]) -> list[tuple[int, int]]:
    """Pairs of items whose units share lines of a file."""
    by_path: dict[str, list[tuple[Span, int]]] = {}
    for item in items:
        unit = item.candidate.scored.unit
        if unit.path is not None and unit.span is not None:
            by_path.setdefault(unit.path, []).append((unit.span, item.rank))
    pairs = []
    for spans in by_path.values():
        spans.sort()
        # Most files' candidates stand apart; then one pass over neighbours is enough.
        if all(one.end < other.start for (one, _), (other, _) in pairwise(spans)):
            continue
        for place, (one, one_rank) in enumerate(spans):
            for other, other_rank in spans[place + 1 :]:
                if other.start > one.end:
                    break
                pairs.append((one_rank, other_rank))
    return pairs
