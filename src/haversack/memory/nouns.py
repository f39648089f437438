"""The nouns of memory. Plain frozen data; every one can be written as a JSON object and read back equal."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct, field

from haversack.memory.vocabulary import TIER_WEIGHTS
from haversack.model import Citation, Problem, Status

Record: TypeAlias = Mapping[str, object]
"""A JSON object as it was read."""


class Memory(Struct, frozen=True):
    """One statement worth keeping.

    `within` says which task or worktree a narrow scope means, `session` and `speaker` where and by whom it was said.
    `subject` is what the statement is about, when whoever remembered it said so. `count` is how often it was said.
    `superseded_by` is the id of what took its place. Times are seconds since 1970; `number` is the order in which
    memories were stored, which no clock can change.
    """

    text: str
    category: str = "fact"
    importance: float = 0.5
    scope: str = "project"
    within: str = ""
    subject: str = ""
    paths: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    origin: str = ""
    session: str = ""
    speaker: str = ""
    id: str = ""
    created: float = 0.0
    updated: float = 0.0
    count: int = 1
    status: Status = Status.LIVE
    superseded_by: str = ""
    extra: Record = field(default_factory=dict)
    number: int = 0


class Remembered(Struct, frozen=True):
    """What became of something to remember.

    `merged` says that it was known already and counted once more; `superseded` are the ids of older memories that it
    contradicts; `problems` name what had to be changed to store it.
    """

    memory: Memory
    merged: bool = False
    superseded: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


class Attempt(Struct, frozen=True):
    """An earlier hypothesis of an experience, before it was revised."""

    timestamp: str
    hypothesis: str
    action: str
    prediction: str


class Outcome(Struct, frozen=True):
    """How an experience ended: confirmed, falsified or abandoned."""

    status: str
    result: str = ""
    captured_at: str = ""
    auto_captured: bool = False


class RootCause(Struct, frozen=True):
    """Why a hypothesis was wrong."""

    category: str
    description: str = ""


class Lesson(Struct, frozen=True):
    """What is to be learnt."""

    what_worked: str = ""
    takeaway: str = ""


# No Struct: those compare all they have, and two experiences are equal whatever they were read from.
@dataclasses.dataclass(frozen=True, slots=True)
class Experience:
    """A goal, a hypothesis, an action, a prediction, and what came of it, with the fields of a CLAMS journal.

    `record` is the JSON object it was read from, unknown fields and all: what is exported again is equal to it.
    """

    id: str
    domain: str
    strategy: str
    goal: str
    hypothesis: str
    action: str
    prediction: str
    session_id: str = ""
    created_at: str = ""
    history: tuple[Attempt, ...] = ()
    iteration_count: int = 1
    notes: tuple[str, ...] = ()
    outcome: Outcome | None = None
    surprise: str = ""
    root_cause: RootCause | None = None
    lesson: Lesson | None = None
    confidence_tier: str = ""
    record: Record = dataclasses.field(default_factory=dict, compare=False)
    number: int = dataclasses.field(default=0, compare=False)

    @property
    def status(self) -> str:
        """active, confirmed, falsified or abandoned."""
        return self.outcome.status if self.outcome else "active"

    @property
    def weight(self) -> float:
        """How much it counts, by its confidence tier; one that is not resolved counts as bronze."""
        return TIER_WEIGHTS.get(self.confidence_tier, TIER_WEIGHTS["bronze"])


class Value(Struct, frozen=True):
    """A principle that several experiences have in common on one axis.

    `text` is that of the experience nearest to the cluster's centre, `distance` how far that one is from it (0 is at
    the centre), `experiences` the ids behind it, nearest first. `id` stays the same while the cluster grows.
    """

    id: str
    axis: str
    text: str
    size: int
    distance: float
    experiences: tuple[str, ...]
    domains: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    confidence: float = 0.0


class Reward(Struct, frozen=True):
    """What came of a packet: the reward in 0..1, what it carried and what of that was used."""

    packet: str
    reward: float
    carried: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    task: str = ""
    at: float = 0.0
    number: int = 0
