"""A receipt as the allocation table that `haversack budget` prints."""

from __future__ import annotations

from haversack.receipt.build import is_relevant
from haversack.receipt.record import ItemRecord, Receipt, SectionRecord
from haversack.render.table import (
    DEFAULT_WIDTH,
    Allocation,
    AllocationRow,
    AllocationSection,
    allocation_table,
    tokens_text,
)

# Words for efficiency. Headings and footers are a few per cent of a packet, so a packet of relevant items only is above
# the first bound unless it is tiny.
HIGH_EFFICIENCY = 0.8
MEDIUM_EFFICIENCY = 0.5


def budget_table(receipt: Receipt, *, width: int = DEFAULT_WIDTH, ascii_only: bool = False) -> str:
    """The allocation table of a packet as text."""
    return allocation_table(allocation_of(receipt), width=width, ascii_only=ascii_only)


def allocation_of(receipt: Receipt) -> Allocation:
    """What the table shows of a receipt."""
    budget = receipt.budget
    return Allocation(
        task=receipt.task,
        model=receipt.model,
        counter=receipt.counter,
        total=budget.total,
        reserved_output=budget.reserve_for_output,
        reserved_system=budget.reserve_for_system,
        available=budget.available,
        sections=tuple(_section(section, budget.available) for section in receipt.sections),
        used=receipt.tokens,
        efficiency=_efficiency(receipt),
        fits=receipt.tokens <= budget.available,
        status=_status(receipt),
    )


def _section(section: SectionRecord, available: int) -> AllocationSection:
    share = section.allocated / available if section.allocated is not None and available > 0 else None
    return AllocationSection(section.title, share, section.allocated, tuple(map(_row, section.items)))


def _row(item: ItemRecord) -> AllocationRow:
    place = item.path or item.title or item.id
    lines = f":{item.start}-{item.end}" if item.path and item.start is not None else ""
    return AllocationRow(f"{place}{lines}", item.extent, item.tokens, item.score)


def _efficiency(receipt: Receipt) -> str:
    ratio = receipt.metrics.efficiency
    if ratio is None or not receipt.items_included:
        return "none (nothing packed)"
    name = "High" if ratio >= HIGH_EFFICIENCY else "Medium" if ratio >= MEDIUM_EFFICIENCY else "Low"
    filler = sum(not is_relevant(section, item) for section, item in receipt.items())
    what = f"{filler} of {receipt.items_included} items below their threshold" if filler else "all items relevant"
    return f"{name} ({ratio:.0%} of the text; {what})"


def _status(receipt: Receipt) -> str:
    over = receipt.tokens - receipt.budget.available
    if over > 0:
        soft = receipt.settings.get("pack.soft")
        why = "a soft budget was asked for" if soft and soft.value else "what must be in the packet needs that much"
        return f"Over budget by {tokens_text(over)}: {why}"
    if not receipt.overflow.occurred:
        return "Within budget, no overflow handling needed"
    waiting = [each.enters_at_budget for each in receipt.omitted if each.enters_at_budget is not None]
    tail = f"; {tokens_text(min(waiting))} would admit the next" if waiting else ""
    return f"Within budget; {receipt.overflow.strategy} left {len(receipt.omitted)} out{tail}"
