"""What the agent packet puts first: the task it is for, and the score of each entry under the chosen profile."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from haversack.index.stopwords import STOP_WORDS
from haversack.model import Features, Scored, Task
from haversack.retrieve.candidates import Gatherer
from haversack.retrieve.knowledge import Entry
from haversack.score import Profile, score

if TYPE_CHECKING:
    from haversack.index.embed import Embedder
    from haversack.index.store import Store

# Without a task the open tasks are the task. All 134 of a real project together say nothing in particular, so only as
# many are taken as a person has in mind at once; those in progress come first.
TASKS_AS_TASK = 8
PRIORITIES = {"critical": 0, "urgent": 0, "high": 1, "medium": 2, "low": 3}
SEED_PROFILE = "ctx"
SHORTEST_KEYWORD = 3  # seed 000 drops shorter words
_EDGES = re.compile(r"^\W+|\W+$")


def task_order(entry: Entry) -> tuple[bool, bool, int, float, str, int]:
    """In progress first, what waits for others last, then by priority, then newest."""
    unit = entry.unit
    priority = PRIORITIES.get(str(unit.meta.get("priority", "medium")).lower(), 2)
    start = unit.span.start if unit.span else 0
    return (
        not unit.meta.get("in_progress"), bool(unit.meta.get("blocked")), priority, -(unit.time or 0.0),
        unit.path or "", start,
    )  # fmt: skip


def task_text(open_tasks: Sequence[Entry]) -> str:
    """The open tasks as one task, by their titles: those in progress, or the first few."""
    ordered = sorted(open_tasks, key=task_order)
    going = [entry for entry in ordered if entry.unit.meta.get("in_progress")]
    return "\n".join(entry.unit.title for entry in (going or ordered)[:TASKS_AS_TASK])


def rank(
    store: Store,
    embedder: Embedder | None,
    found: Sequence[Entry],
    texts: Mapping[str, str],
    task: Task,
    profile: Profile,
) -> dict[str, Scored]:
    """The score of every entry for the task, by id."""
    if profile.name == SEED_PROFILE:
        return _as_the_seed(store, found, texts, task.text, profile)
    if not task.terms:
        return {
            each.unit.id: score(each.unit, Features(each.unit.source, status=each.unit.status), profile)
            for each in found
        }
    units = {each.unit.id: each.unit for each in found}
    scored = {}
    for each in Gatherer(store, embedder).describe(task, [each.position for each in found]):
        unit = units[each.unit.id]
        scored[unit.id] = score(unit, replace(each.features, status=unit.status), profile)
    return scored


def _as_the_seed(
    store: Store, found: Sequence[Entry], texts: Mapping[str, str], task: str, profile: Profile
) -> dict[str, Scored]:
    """Seed 000 word for word: keywords counted as substrings of title and body, ages from the newest thing known."""
    words = keywords(task)
    now = max((item.time for item in store.snapshot().items if item.time is not None), default=0.0)
    scored = {}
    for each in found:
        unit = each.unit
        body = f"{unit.title}\n{texts[unit.id]}".lower()
        age = None if unit.time is None else max(0.0, now - unit.time)
        hits = sum(word in body for word in words)
        scored[unit.id] = score(unit, Features(unit.source, hits=hits, age_seconds=age, status=unit.status), profile)
    return scored


def keywords(text: str) -> list[str]:
    """Words of the task as seed 000 takes them: split on white space, in lower case, common and short ones dropped."""
    cleaned = (_EDGES.sub("", word) for word in text.lower().split())
    return list(dict.fromkeys(word for word in cleaned if len(word) >= SHORTEST_KEYWORD and word not in STOP_WORDS))


def order(section: str, profile: str, *, given_task: bool) -> Callable[[Entry, float], tuple[object, ...]]:
    """Tasks in progress first, then by their order unless a task is given; conventions as they stand in the seed."""

    def key(entry: Entry, score: float) -> tuple[object, ...]:
        unit = entry.unit
        where = (unit.path or "", unit.span.start if unit.span else 0)
        if section == "tasks":
            usual = task_order(entry)
            return (usual[0], -score, usual) if given_task and profile != SEED_PROFILE else usual
        if section == "conventions" and profile == SEED_PROFILE:
            return where
        return (-score, *where)

    return key
