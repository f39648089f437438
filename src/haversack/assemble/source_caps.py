"""No source takes more of a packet than its `max_tokens`, whatever sections its pieces stand in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from haversack.errors import BudgetError
from haversack.model import Candidate, Omitted, Rung, Selection
from haversack.pack.gap import Excerpt

Choose: TypeAlias = Callable[[Sequence[Candidate], Excerpt], Selection]
ChooseWithin: TypeAlias = Callable[[Sequence[Candidate], int], Selection]

REASON = "source cap"


def select_capped(
    candidates: Sequence[Candidate],
    caps: Mapping[str, int],
    *,
    choose: Choose,
    choose_within: ChooseWithin,
    excerpt: Excerpt,
) -> Selection:
    """What `choose` selects, with every source within its cap; only what is pinned may exceed it.

    A source that would take too much is packed alone into its cap first (`choose_within`, which counts items only).
    What has no place there is out, and the rest may not be larger than there: whatever the packet takes of it fits.
    """
    offered = list(candidates)
    most: dict[str, int] = {}
    out: list[Omitted] = []
    capped: set[str] = set()

    def cut(candidate: Candidate, tokens: int, now: Rung | None = None) -> Rung | None:
        return excerpt(candidate, min(tokens, most.get(candidate.id, tokens)), now)

    while True:
        selection = choose(offered, cut)
        over = sorted(_over(selection, caps) - capped)
        if not over:
            return replace(selection, omitted=(*selection.omitted, *out))
        # One at a time: what leaves the room of one source may be what another needs.
        source = over[0]
        capped.add(source)
        alone = _alone(source, offered, caps[source], choose_within)
        shown = {each.candidate.id: each.rung for each in alone.chosen}
        most |= {key: rung.tokens for key, rung in shown.items()}
        out += [_out(each) for each in alone.omitted]
        offered = [
            _at_most(each, shown[each.id]) if each.scored.unit.source == source else each
            for each in offered
            if each.scored.unit.source != source or each.id in shown
        ]


def _over(selection: Selection, caps: Mapping[str, int]) -> set[str]:
    spent: Counter[str] = Counter()
    for each in selection.chosen:
        spent[each.candidate.scored.unit.source] += each.rung.tokens
    return {source for source, tokens in spent.items() if tokens > caps.get(source, tokens)}


def _alone(source: str, offered: Sequence[Candidate], cap: int, choose_within: ChooseWithin) -> Selection:
    try:
        return choose_within([each for each in offered if each.scored.unit.source == source], cap)
    except BudgetError as error:
        name = f"sources.{source}.max_tokens"
        raise BudgetError(
            f"{error.message} ({name})", hint=f"raise {name}, or choose another overflow strategy than error"
        ) from error


def _at_most(candidate: Candidate, shown: Rung) -> Candidate:
    """The candidate without the levels that are larger than the one shown."""
    smaller = tuple(rung for rung in candidate.ladder if rung.tokens <= shown.tokens and rung != shown)
    return replace(candidate, ladder=(shown, *smaller))


def _out(omitted: Omitted) -> Omitted:
    return replace(omitted, reason=REASON, enters_at_budget=None) if omitted.reason == "budget" else omitted
