"""Whether packets keep being full, and which section to enlarge then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from haversack.receipt.record import Metrics, Receipt
from haversack.render.safe import visible

# Seed 002 warns when packets are consistently near their limit; five in a row is not chance.
NEAR_LIMIT = 0.95
NEAR_LIMIT_RUN = 5


class Titled(Struct, frozen=True):
    """What a section is called."""

    name: str
    title: str


class Waiting(Struct, frozen=True):
    """Where something would have stood, and the budget from which it does."""

    enters_at_budget: int | None
    section: str = ""


class Filling(Struct, frozen=True):
    """The part of a receipt that tells how full its packet was; all of it takes four times as long to read."""

    packet_id: str
    timestamp: str
    metrics: Metrics = Metrics()
    sections: tuple[Titled, ...] = ()
    omitted: tuple[Waiting, ...] = ()


def in_order(made: Filling | Receipt) -> tuple[str, str]:
    """What sorts packets by when they were made."""
    return made.timestamp, made.packet_id


def fullness(known: Sequence[Filling | Receipt]) -> tuple[str, ...]:
    """What to say when the last of these packets, the newest last, were all nearly full."""
    run = 0
    for made in reversed(known):
        if (made.metrics.utilisation or 0.0) < NEAR_LIMIT:
            break
        run += 1
    if run < NEAR_LIMIT_RUN:
        return ()
    cut: Counter[str] = Counter()
    for made in known[-run:]:
        titles = {section.name: section.title for section in made.sections}
        waiting = [each.section for each in made.omitted if each.enters_at_budget is not None]
        cut.update(titles.get(name, name) for name in waiting if name)
    start = f"the last {run} packets used {NEAR_LIMIT:.0%} or more of their budget"
    if not cut:
        return (start,)
    title, number = min(cut.items(), key=lambda entry: (-entry[1], entry[0]))
    return (f"{start}; enlarge {visible(title)}, where most was cut ({number:,} times), or raise --budget",)
