"""An experience from its start to its end: every change is stored at once, in the form of a CLAMS journal."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime

from haversack.errors import NotFoundError, UsageError
from haversack.memory.lines import iso
from haversack.memory.nouns import Experience
from haversack.memory.store import MemoryStore
from haversack.memory.vocabulary import DOMAINS, OUTCOMES, ROOT_CAUSES, STRATEGIES, TIER_WEIGHTS, one_of

# The order in which a journal writes what an experience gets in the end.
_RESOLUTION = ("outcome", "surprise", "root_cause", "lesson", "confidence_tier")


def start(
    store: MemoryStore,
    *,
    domain: str,
    strategy: str,
    goal: str,
    hypothesis: str,
    action: str,
    prediction: str,
    session: str = "",
    clock: Callable[[], float] = time.time,
) -> Experience:
    """Begin one: what is wanted, what is believed, what is done about it, what should happen."""
    said = {"goal": goal, "hypothesis": hypothesis, "action": action, "prediction": prediction}
    empty = [name for name, text in said.items() if not text.strip()]
    if empty:
        raise UsageError(f"an experience needs a {', a '.join(empty)}", hint="say in a sentence each what they are")
    now = clock()
    moment = datetime.fromtimestamp(now, UTC).strftime("%Y%m%d_%H%M%S")
    return store.put_experience(
        {
            "id": f"ghap_{moment}_{secrets.token_hex(3)}",
            "session_id": session or f"session_{moment}_{secrets.token_hex(3)}",
            "created_at": iso(now),
            "domain": one_of("domain", domain, DOMAINS),
            "strategy": one_of("strategy", strategy, STRATEGIES),
            **said,
            "history": [],
            "iteration_count": 1,
            "notes": [],
        }
    )


def update(
    store: MemoryStore,
    experience: str | None = None,
    *,
    hypothesis: str | None = None,
    action: str | None = None,
    prediction: str | None = None,
    strategy: str | None = None,
    note: str | None = None,
    clock: Callable[[], float] = time.time,
) -> Experience:
    """Revise the one under way: what was believed before goes into its history; a note is added to its notes."""
    revised = {"hypothesis": hypothesis, "action": action, "prediction": prediction}
    new = {name: text for name, text in revised.items() if text is not None and text.strip()}
    if not new and strategy is None and not (note and note.strip()):
        raise UsageError("nothing to update", hint="give a hypothesis, an action, a prediction, a strategy or a note")
    with store.database.writing():
        found = open_experience(store, experience)
        record = dict(found.record)
        if new:
            before = {"timestamp": iso(clock()), **{name: record[name] for name in revised}}
            record |= new
            record["history"] = [*_list(record.get("history")), before]
            record["iteration_count"] = found.iteration_count + 1
        if strategy is not None:
            record["strategy"] = one_of("strategy", strategy, STRATEGIES)
        if note and note.strip():
            record["notes"] = [*_list(record.get("notes")), note]
        return store.put_experience(record)


def resolve(
    store: MemoryStore,
    experience: str | None = None,
    *,
    status: str,
    result: str = "",
    surprise: str = "",
    root_cause: str = "",
    root_cause_description: str = "",
    what_worked: str = "",
    takeaway: str = "",
    auto_captured: bool = False,
    tier: str | None = None,
    clock: Callable[[], float] = time.time,
) -> Experience:
    """End the one under way with its outcome, and what is to be learnt from it."""
    status = one_of("outcome", status, OUTCOMES)
    found_by = "gold" if auto_captured else "silver" if result.strip() else "bronze"
    confidence = one_of("tier", tier, TIER_WEIGHTS) if tier else "abandoned" if status == "abandoned" else found_by
    ending: dict[str, object] = {
        "outcome": {
            "status": status,
            "result": result,
            "captured_at": iso(clock()),
            "auto_captured": auto_captured,
        },
        "confidence_tier": confidence,
    }
    if surprise.strip():
        ending["surprise"] = surprise
    if root_cause.strip():
        category = one_of("root cause", root_cause, ROOT_CAUSES)
        ending["root_cause"] = {"category": category, "description": root_cause_description}
    elif root_cause_description.strip():
        raise UsageError("a root cause needs its category", hint=f"known: {', '.join(ROOT_CAUSES)}")
    if what_worked.strip() or takeaway.strip():
        ending["lesson"] = {"what_worked": what_worked, "takeaway": takeaway}
    with store.database.writing():
        record = dict(open_experience(store, experience).record)
        return store.put_experience(record | {name: ending[name] for name in _RESOLUTION if name in ending})


def open_experience(store: MemoryStore, experience: str | None = None) -> Experience:
    """The experience under way: the one named, or the newest."""
    if experience is None:
        under_way = store.experiences(status="active", limit=1)
        if not under_way:
            raise NotFoundError("no experience is under way", hint="begin one: haversack experience start")
        return under_way[0]
    found = store.experience(experience)
    if found.outcome is not None:
        raise UsageError(f"experience {found.id} was {found.status} already", hint="begin a new one")
    return found


def _list(given: object) -> list[object]:
    return given if isinstance(given, list) else []
