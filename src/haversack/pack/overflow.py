"""What to do when not everything fits."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from haversack.errors import BudgetError

if TYPE_CHECKING:
    from haversack.pack.chain import Step

NAMED = 10  # as many of the items that would have to go are named; the rest are counted


class Strategy(StrEnum):
    """What to do when not everything fits (seed 001)."""

    PRIORITIZE = "prioritize"  # what is worth most per token, at the level that pays
    SUMMARIZE = "summarize"  # as many candidates as possible at low levels, then raise them
    TRUNCATE = "truncate"  # the best candidates in full, the last one cut
    ERROR = "error"  # nothing but everything


def refuse(budget: int, excess: Sequence[Step], capped: Sequence[Step]) -> BudgetError:
    """The error that lists what would have to go and names the budget that would do."""
    out = list({step.item.rank: step for step in (*excess, *capped)}.values())
    names = [f"{step.item.candidate.scored.unit.title} ({step.rung.tokens:,} tokens)" for step in out[:NAMED]]
    if len(out) > NAMED:
        names.append(f"and {len(out) - NAMED} more")
    needed = excess[-1].budget if excess else budget
    ways = [f"raise the budget to {needed:,}"] if excess else []
    if capped:
        ways.append(f"raise the cap of {', '.join(sorted({step.item.candidate.section for step in capped}))}")
    return BudgetError(
        f"not everything fits in {budget:,} tokens; to go: {', '.join(names)}",
        hint=f"{' and '.join(ways)}, or choose another overflow strategy: prioritize, summarize, truncate",
    )
