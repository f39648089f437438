"""One number for each memory that may answer: evidence weighed, what the intent prefers, what proved useful before."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct, field

from haversack.index.prepare import USES
from haversack.index.segment import Array
from haversack.index.snapshot import Snapshot
from haversack.index.terms import term_hash
from haversack.index.units import UnitReader
from haversack.model import Status, Unit
from haversack.recall.dates import nearness
from haversack.recall.evidence import Evidence, evidence, speakers_named
from haversack.recall.prefer import preference
from haversack.recall.question import Question, question
from haversack.retrieve.fusion import best as best_positions

if TYPE_CHECKING:
    from haversack.index.embed import Embedder
    from haversack.index.store import Store

SOURCES: Final = ("memories", "experiences", "values")
ALPHA, BETA = 0.7, 0.2  # seed 003: what similarity and uplift count

# Fitted on 1,056 questions about five conversations (softmax over the turns of each, cross-validated by conversation:
# recall .795 at 500 tokens and .857 at 1,000, where BM25 has .642 and .717). `named` has no such data: a choice.
WEIGHTS: Final[Mapping[str, float]] = {
    "coverage": 5.4,
    "match": 1.35,
    "thread": 2.4,
    "near": 1.8,
    "before": 2.0,
    "speaker": 1.1,
    "day": 7.5,
    "tells_when": 2.7,
    "named": 3.0,
}
ASKS: Final = -1.4  # a turn that asks rarely answers
# What a statement can reach that is no turn of a conversation and of which no day is asked.
WHOLE: Final = WEIGHTS["coverage"] + WEIGHTS["match"] + WEIGHTS["thread"] + WEIGHTS["near"]
PREFERENCE: Final = 0.25  # share of what the intent prefers, among memories that are relevant at all: a choice.
NEWEST_FIRST: Final = 0.5  # the same where the newest is what is asked for
FEWEST_READ: Final = 60  # candidates whose text is looked at, and
READ_PER_RESULT: Final = 4  # as many for each result asked for
MOST_TIES: Final = 4  # times as many at most, when all score alike
PRESSED: Final = 0.9
THRESHOLD: Final = 0.12  # of 1: less relevant than that is a word in common, no answer. A choice.
UNASKED: Final = 1e-3  # what a record has that is wanted whatever it says

_TELLS_WHEN: Final = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|recently|ago|since|weekend|last \w+|next \w+|this (?:week|month|year|"
    r"morning|summer|winter|spring|fall|past)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|"
    r"august|september|october|november|december|(?:19|20)\d\d|weeks?|months?|years?|days?)\b"
    r"|어제|오늘|내일|지난|昨天|今天|上周|去年|昨日|今日|先週|\d\s?[년월일年月日]",
    re.IGNORECASE,
)


class Ranked(Struct, frozen=True):
    """A memory and how well it answers: `score` is alpha · relevance + beta · uplift."""

    unit: Unit
    score: float
    relevance: float
    uplift: float = 0.0
    why: Mapping[str, float] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """What the record is called: one experience has several units."""
        return record_id(self.unit)


class Weighing(Struct, frozen=True):
    """How to weigh: seed 003's alpha and beta, the uplift known of each record, what the intent prefers."""

    intent: str = "how_to"
    alpha: float = ALPHA
    beta: float = BETA
    uplift: Mapping[str, float] = field(default_factory=dict)


def record_id(unit: Unit) -> str:
    """The id of the memory, experience or value a unit speaks for."""
    found = unit.meta.get("record")
    return found if isinstance(found, str) and found else unit.id


class Ranker:
    """Ranks what is remembered in one store."""

    def __init__(self, store: Store, embedder: Embedder | None) -> None:
        self._store = store
        self._embedder = embedder

    def ask(self, text: str, *, sources: Sequence[str] = SOURCES, intent: str | None = None) -> Question:
        """The question, with the speakers it names told from its words."""
        snapshot = self._store.snapshot()
        named = speakers_named(snapshot, space_of(snapshot, sources), text)
        return question(text, intent=intent, speakers=named)

    def rank(
        self,
        asked: Question,
        weighing: Weighing,
        *,
        sources: Sequence[str] = SOURCES,
        limit: int = 10,
        admit: Callable[[Unit], bool] | None = None,
        sorted_by: Sequence[str] = (),
        all_of_them: bool = False,
    ) -> list[Ranked]:
        """The records that may answer, best first: at least `limit` where there are as many. Each record stands once.

        `sorted_by` are words records are sorted by, such as `domain:testing`: all must fit. With `all_of_them` the
        question only puts them in order: those that nothing speaks for come last.
        """
        snapshot = self._store.snapshot()
        space = space_of(snapshot, sources)
        for word in sorted_by:
            space &= _with_ref(snapshot, word)
        vector = self._embedder.embed([asked.text])[0] if self._embedder else None
        found = evidence(snapshot, space, asked, vector)
        rough = _weighed(found)
        if all_of_them:
            rough[space] += np.float32(UNASKED)
        most = max(FEWEST_READ, READ_PER_RESULT * limit)
        read = best_positions(rough, most, space)[: MOST_TIES * most]
        units = UnitReader(self._store, snapshot).at(read.tolist())
        relevant = [
            _relevance(unit, found, position, asked)
            for position, unit in zip(read.tolist(), units, strict=True)
            if unit.status is not Status.SUPERSEDED and (admit is None or admit(unit))
        ]
        times = sorted(
            each.unit.time for each in relevant if each.relevance >= THRESHOLD and each.unit.time is not None
        )
        best: dict[str, Ranked] = {}
        for each in relevant:
            rated = _rated(each, asked, weighing, times)
            known = best.get(rated.id)
            if known is None or rated.score > known.score:
                best[rated.id] = rated
        return sorted(best.values(), key=lambda each: (-each.score, each.id))


def _relevance(unit: Unit, found: Evidence, position: int, asked: Question) -> Ranked:
    """How much speaks for a unit, whatever the intent."""
    signals = {name: float(getattr(found, name)[position]) for name in WEIGHTS if name != "tells_when"}
    if asked.days and unit.time is not None:
        signals["day"] = nearness(asked.days, unit.time)
    # Everything tells some time; only what the question speaks of tells the time that is asked for.
    timely = asked.asks_when and signals["coverage"] > 0 and _TELLS_WHEN.search(unit.text) is not None
    signals["tells_when"] = float(timely)
    total = sum(WEIGHTS[name] * value for name, value in signals.items())
    if signals["thread"] and unit.text.rstrip().endswith(("?", "？")):
        total += ASKS
    relevance = _bounded(total / WHOLE) * confidence(unit)
    return Ranked(unit, 0.0, relevance, why={name: round(value, 4) for name, value in signals.items() if value})


def _rated(found: Ranked, asked: Question, weighing: Weighing, times: Sequence[float]) -> Ranked:
    """The same with what the intent prefers and what proved useful; `times` are those of all that is relevant."""
    wanted = preference(found.unit, asked.task, weighing.intent, times)
    share = NEWEST_FIRST if weighing.intent == "environment" else PREFERENCE
    liked = found.relevance * (1 - share + share * wanted)
    uplift = weighing.uplift.get(found.id, 0.0)
    score = weighing.alpha * liked + weighing.beta * uplift
    why = {**found.why, weighing.intent: round(wanted, 4)}
    return Ranked(found.unit, round(score, 6), round(liked, 6), round(uplift, 4), why)


def confidence(unit: Unit) -> float:
    """What an experience's tier (seed 004: gold 1 to abandoned .2) or a memory's importance leaves of its relevance."""
    tier, importance = unit.meta.get("confidence"), unit.meta.get("importance")
    if isinstance(tier, int | float):
        return 0.8 + 0.2 * float(tier)
    if isinstance(importance, int | float):
        return 0.9 + 0.1 * float(importance)
    return 1.0


def space_of(snapshot: Snapshot, sources: Sequence[str]) -> Array:
    """Which positions belong to one of the sources."""
    space = np.zeros(len(snapshot.alive), dtype=bool)
    for name in sources:
        if name in snapshot.sources:
            space |= snapshot.sources[name]
    return space


def _bounded(share: float) -> float:
    """In 0..1 and never equal for unequal shares: what is beyond nine tenths is pressed together, not cut off."""
    return (
        max(share, 0.0) if share <= PRESSED else 1.0 - (1.0 - PRESSED) * math.exp((PRESSED - share) / (1.0 - PRESSED))
    )


def _with_ref(snapshot: Snapshot, word: str) -> Array:
    mask = np.zeros(len(snapshot.alive), dtype=bool)
    for units, _ in snapshot.postings([term_hash(word, USES)]):
        mask[units] = True
    return mask


def _weighed(found: Evidence) -> Array:
    total = np.zeros(len(found.match), dtype=np.float32)
    for name, weight in WEIGHTS.items():
        if name != "tells_when":
            total += np.float32(weight) * getattr(found, name)
    return total
