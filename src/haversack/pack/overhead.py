"""What a packet costs besides its items: header, section headings, and the lines that name what was left out."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

# Lines about what is missing may take a fortieth of the budget before the items are chosen; with more room left at the
# end, more of them are written. At 1,000 tokens it buys a line; and what no line uses is less than 3 % of the budget.
FOOTER_PART = 40


class Overhead(Struct, frozen=True):
    """Token costs of the frame, each of a block that joins safely with the others.

    `fixed` is the header and footer; `opening` the heading of each section; `omitted` the line that says what a section
    left out, at its longest, and `brief` at its shortest.
    """

    fixed: int = 0
    opening: Mapping[str, int] = field(default_factory=dict)
    omitted: Mapping[str, int] = field(default_factory=dict)
    brief: Mapping[str, int] = field(default_factory=dict)


def footer_reserve(footers: int, budget: int) -> int:
    """What is kept free for the lines about what was left out."""
    return min(footers, max(0, budget) // FOOTER_PART)


def smallest_budget(cost: int, footers: int) -> int:
    """The smallest budget that holds the cost and the reserve for the footer lines."""
    # The second is the smallest b with b - b // 40 >= cost: there the reserve is the part, not all the lines.
    return min(cost + footers, cost + max(0, cost - 1) // (FOOTER_PART - 1))
