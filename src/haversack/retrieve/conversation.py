"""What of the conversations belongs in every packet, and how to find again what a citation points at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from haversack.index.records import KIND_CODE
from haversack.index.units import UnitReader
from haversack.model import Citation, Span, Status, Unit
from haversack.sources.conversation.topic import topic_of, words

if TYPE_CHECKING:
    from haversack.index.snapshot import Snapshot
    from haversack.index.store import Store
    from haversack.model import Task
    from haversack.retrieve.candidates import Found

SOURCE: Final = "conversation"
VERBATIM: Final = "verbatim"
"""The key under which a unit's metadata says that it is shown word for word or not at all."""
MOST_PREFERENCES: Final = 20  # newest first; more would be a style guide, which belongs into the project
# Seed 002 wants the newest messages and the user's preferences whatever the task's words are: they count as if they
# said half of them.
LEAST_KEYWORD: Final = 0.5
TOPIC_SHARE: Final = 0.5  # of a statement's telling words that the task has to say
MOST_BINDING: Final = 8  # statements that count as named by one task
_HEAD: Final = re.compile(r"^(?:\[[^\]\n]{0,20}\] )?\w+: ")


class Standing(Struct, frozen=True):
    """Ids of what belongs in every packet."""

    newest: frozenset[str] = frozenset()
    preferences: frozenset[str] = frozenset()

    @property
    def ids(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(sorted(self.newest | self.preferences))


def standing(store: Store, recent: int) -> Standing:
    """The newest messages of all transcripts, so many, and the preferences that hold."""
    snapshot = store.snapshot()
    if SOURCE not in snapshot.sources:
        return Standing()
    reader = UnitReader(store, snapshot)
    return Standing(
        newest_messages(snapshot, reader, recent) if recent else frozenset(), _preferences(snapshot, reader)
    )


def settled(found: Sequence[Found], task: Task, always: Standing, *, compress_older: bool) -> list[Found]:
    """The same, marked with what is shown word for word; messages that only repeat a decision or the task left out."""
    said = {_words(each.unit) for each in found if each.unit.source == SOURCE and each.unit.kind != "message"}
    asked = " ".join(task.text.split())
    named = _binding(found, task)
    kept = []
    for each in found:
        unit = each.unit
        if unit.source == SOURCE:
            if unit.kind == "message" and ((text := _words(unit)) in said or text == asked):
                continue
            if unit.kind != "message" or unit.id in always.newest or not compress_older:
                unit = replace(unit, meta={**unit.meta, VERBATIM: True})
            features = replace(each.features, explicit=each.features.explicit or unit.id in named)
            if unit.id in always.newest or unit.id in always.preferences:
                features = replace(features, keyword=max(features.keyword, LEAST_KEYWORD))
            each = replace(each, unit=unit, features=features)
        kept.append(each)
    return kept


def _binding(found: Sequence[Found], task: Task) -> frozenset[str]:
    """What was settled on a topic that the task names: seed 002 wants it there, so it counts as named itself."""
    asked = frozenset(words(task.text))
    rated = []
    for each in found:
        unit = each.unit
        if unit.source == SOURCE and unit.kind != "message" and unit.status is Status.LIVE:
            about = [word for word in topic_of(_words(unit)).about if not any(map(str.isdigit, word))]
            shared = sum(word in asked for word in about)
            if about and shared >= TOPIC_SHARE * len(about):
                rated.append((shared, unit.time or 0.0, unit.id))
    return frozenset(identity for *_, identity in sorted(rated, reverse=True)[:MOST_BINDING])


def newest_messages(snapshot: Snapshot, reader: UnitReader, number: int) -> frozenset[str]:
    """The ids of the latest messages of all transcripts."""
    runs = [
        (item.time or 0.0, item.key, first)
        for at, item in enumerate(snapshot.items)
        if item.source == SOURCE and (first := snapshot.first_position(at)) >= 0
        if snapshot.kinds[first] == KIND_CODE["message"]
    ]
    found: list[tuple[float, str, int, str]] = []
    for time, key, first in sorted(runs, reverse=True):
        if len(found) >= number and time < found[number - 1][0]:
            break
        count = snapshot.items[int(snapshot.item_of[first])].count
        positions = range(first, first + count)
        found += ((unit.time or 0.0, key, at, unit.id) for at, unit in enumerate(reader.at(positions)))
        found = sorted(found, reverse=True)[:number]
    return frozenset(identity for *_, identity in found)


def _preferences(snapshot: Snapshot, reader: UnitReader) -> frozenset[str]:
    positions = np.flatnonzero(snapshot.sources[SOURCE] & (snapshot.kinds == KIND_CODE["preference"])).tolist()
    live = [(unit.time or 0.0, unit.id) for unit in reader.at(positions) if unit.status is Status.LIVE]
    return frozenset(identity for _, identity in sorted(live, reverse=True)[:MOST_PREFERENCES])


def _words(unit: Unit) -> str:
    return " ".join(_HEAD.sub("", unit.text, count=1).split())


def cited(snapshot: Snapshot, reader: UnitReader, target: str, span: Span | None) -> list[Unit]:
    """Messages that stand on these lines of a transcript, or at this entry of a database, in order."""
    # A key begins with the agent's name; what is kept of a transcript follows its path after a control character.
    path = target.partition("#")[0] if span is None else target
    positions = [
        position
        for at, item in enumerate(snapshot.items)
        if item.source == SOURCE and path.removeprefix("/") in item.key and (first := snapshot.first_position(at)) >= 0
        for position in range(first, first + item.count)
        if snapshot.kinds[position] == KIND_CODE["message"]
    ]
    return [unit for unit in reader.at(positions) if any(_is_at(each, target, span) for each in unit.citations)]


def _is_at(citation: Citation, target: str, span: Span | None) -> bool:
    if citation.target != target:
        return False
    if span is None or citation.start is None or citation.end is None:
        return True
    return Span(citation.start, citation.end).overlaps(span)
