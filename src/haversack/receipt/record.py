"""The receipt: one record of what a packet holds, why, what it left out, and what it cost to make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct, field

from haversack.model import Level, Omitted, Problem, Purchase, Reranked
from haversack.pack.budget import Budget
from haversack.receipt.certificate import Certificate

SettingValue: TypeAlias = str | int | float | bool | tuple[str, ...] | None


class Setting(Struct, frozen=True):
    """A value and where it came from: flag, environment, project file, user file or default."""

    value: SettingValue
    origin: str = "default"


class ItemRecord(Struct, frozen=True):
    """One packed item. `tokens` is what it costs in the packet, heading included."""

    id: str
    title: str
    tokens: int
    level: Level
    score: float
    factors: Mapping[str, float] = field(default_factory=dict)
    source: str = ""
    kind: str = ""
    path: str | None = None
    start: int | None = None
    end: int | None = None
    qualname: str = ""
    explicit: bool = False
    pinned: bool = False
    truncated: bool = False

    @property
    def extent(self) -> str:
        """How much of it is shown, in a word or two: its level, and whether that was cut to fit."""
        if not self.truncated:
            return str(self.level)
        return "truncated" if self.level == Level.FULL else f"{self.level}, truncated"


class SectionRecord(Struct, frozen=True):
    """What a section was given, what it spent (its headings included), what it holds. Items are in packet order."""

    name: str
    title: str
    allocated: int | None = None
    spent: int = 0
    threshold: float = 0.0
    items: tuple[ItemRecord, ...] = ()


class Overflow(Struct, frozen=True):
    """Whether not everything fitted, what was done about it, and to which units."""

    occurred: bool = False
    strategy: str = "prioritize"
    affected: tuple[str, ...] = ()


class Metrics(Struct, frozen=True):
    """`utilisation` is used of available, `efficiency` tokens of relevant items of all tokens; None where undefined."""

    utilisation: float | None = None
    efficiency: float | None = None


class Receipt(Struct, frozen=True):
    """Everything `why`, `report`, `budget` and the viewer need to know of a packet.

    `timings` are milliseconds per stage in the order they ran. `next_1000` is what 1,000 more tokens would have bought.
    `not_found` are paths that the task names and the project does not have.
    """

    packet_id: str
    timestamp: str
    task: str
    counter: str
    tokens: int
    budget: Budget
    session: str = ""
    task_type: str = "general"
    task_type_words: tuple[str, ...] = ()
    model: str = ""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    budget_exceeded: bool = False
    sections: tuple[SectionRecord, ...] = ()
    omitted: tuple[Omitted, ...] = ()
    overflow: Overflow = Overflow()
    metrics: Metrics = Metrics()
    sources_queried: tuple[str, ...] = ()
    candidates_found: int = 0
    certificate: Certificate | None = None
    timings: Mapping[str, float] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    next_1000: tuple[Purchase, ...] = ()
    reranked: Reranked | None = None
    not_found: tuple[str, ...] = ()

    def items(self) -> Iterator[tuple[SectionRecord, ItemRecord]]:
        """Every packed item with its section, in packet order."""
        for section in self.sections:
            for item in section.items:
                yield section, item

    @property
    def items_included(self) -> int:
        """How many items the packet holds."""
        return sum(len(section.items) for section in self.sections)

    @property
    def compression_applied(self) -> tuple[str, ...]:
        """The items that are not shown in full, each with how much of it is."""
        return tuple(f"{item.path or item.id}: {item.extent}" for _, item in self.items() if item.extent != Level.FULL)
