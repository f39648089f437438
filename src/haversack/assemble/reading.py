"""Which candidates are read and priced: those that promise most for a token, until there is enough to choose from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from heapq import nsmallest
from typing import TYPE_CHECKING

from msgspec.structs import replace

from haversack.assemble.ladders import has_parts, promise
from haversack.model import Omitted, Scored, Unit

if TYPE_CHECKING:
    from haversack.assemble.texts import Texts
    from haversack.index.snapshot import Snapshot

# Candidates are read and priced until they would fill the budget one and a half times; at least the first number,
# at most what the budget holds of pieces of the second size. On the development tasks more changed nothing.
FEWEST_CANDIDATES = 40
TOKENS_PER_CANDIDATE = 60
# The best pieces of code are read however long they are: a long one promises little for a token, but parts of it may be
# shown. With these packets of 8,000 tokens hold .75 instead of .68 of the changed functions of 49 development commits.
BEST_OF_CODE = 20
BEST_OF_SOURCE = 4  # as many that score as supporting context does are read of each source, however much code there is
TIMES_FILLED = 1.5
CHARS_PER_TOKEN = 4  # near enough to know when to stop
# Source files that compete as a map of themselves. Maps are dear to draw and seldom taken: none of 55 packets of 8,000
# tokens took one of its six, and those of 16,000 spent one token in a hundred on them.
MOST_MAPS = 2
ITS_PARTS = "its parts compete instead"
# What an item costs before it is read: near enough to know what to read first.
TOKENS_PER_LINE = 10
FRAME_TOKENS = 16
SHORT_TOKENS = 80  # a map of a file, a commit, a message


def read(
    scored: Sequence[Scored], pinned: Mapping[str, Unit], texts: Texts, snapshot: Snapshot, budget: int, good: float
) -> tuple[list[Scored], list[Omitted]]:
    """Candidates with their text as it is on disk now, best first, and those that no budget of this size could hold."""
    texted: list[Scored] = []
    omitted: list[Omitted] = []
    maps = 0
    filled = 0.0
    taken: Counter[str] = Counter()
    pieces = (each for each in scored if each.unit.source == "code" and not is_map(each.unit))
    wanted = {each.unit.id for each in nsmallest(BEST_OF_CODE, pieces, key=best_first)} | pinned.keys()
    for each in sorted(scored, key=_most_promising):
        asked, source = each.explicit or each.unit.id in wanted, each.unit.source
        drawn = is_map(each.unit) and not asked
        maps += drawn
        if drawn and maps > MOST_MAPS:
            omitted.append(left_out(each, ITS_PARTS))
        elif _enough(len(texted), filled, budget) and not (
            asked or (each.score >= good and taken[source] < BEST_OF_SOURCE)
        ):
            omitted.append(left_out(each, "too far down the list"))
        else:
            taken[source] += 1
            unit = texts.fill(each.unit, snapshot)
            texted.append(replace(each, unit=unit))
            # A map is short.
            filled += 0 if is_map(unit) else len(unit.text) / CHARS_PER_TOKEN
    return sorted(texted, key=best_first), omitted


def is_map(unit: Unit) -> bool:
    """Whether it is a file of code whose parts compete for themselves: it is read as a map of them."""
    return unit.kind == "file" and has_parts(unit)


def best_first(scored: Scored) -> tuple[float, str, str]:
    """The order of what competes: by score, equals by where they stand."""
    return -scored.score, scored.unit.path or "", scored.unit.id


def left_out(scored: Scored, reason: str) -> Omitted:
    """A candidate that does not compete, and why."""
    return Omitted.of(scored.unit, reason, score=scored.score)


def _most_promising(scored: Scored) -> tuple[float, str, str]:
    unit = scored.unit
    lines = len(unit.span) if unit.span is not None and not is_map(unit) else None
    tokens = FRAME_TOKENS + (SHORT_TOKENS if lines is None else TOKENS_PER_LINE * lines)
    return -promise(scored.score, tokens), unit.path or "", unit.id


def _enough(count: int, filled: float, budget: int) -> bool:
    """Whether so many candidates of so many tokens are all that a budget can choose from."""
    return count >= FEWEST_CANDIDATES and (
        filled >= TIMES_FILLED * budget or count >= max(FEWEST_CANDIDATES, budget // TOKENS_PER_CANDIDATE)
    )
