"""Memories, experiences and rewards as JSON objects, and back: what the database keeps and what an export says."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from haversack.errors import UsageError
from haversack.memory.nouns import Attempt, Experience, Lesson, Memory, Outcome, Record, Reward, RootCause
from haversack.memory.vocabulary import CATEGORIES, SCOPES, one_of
from haversack.memory.words import word_set
from haversack.model import Citation, Status

KIND = "kind"
"""The field that tells a memory and a reward from an experience, which has none: its line is its journal record."""
MEMORY, REWARD = "memory", "reward"

_OWN = word_set(
    "kind id text category importance scope within subject paths symbols tags citations origin session speaker "
    "created_at updated_at count status superseded_by"
)


def iso(seconds: float) -> str:
    """A moment as the journals write it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def seconds_of(moment: object) -> float:
    """Seconds since 1970 of an ISO 8601 text or a number (milliseconds recognised); 0 when it says nothing."""
    if isinstance(moment, (int, float)) and not isinstance(moment, bool) and math.isfinite(moment):
        return float(moment) / (1000.0 if abs(moment) > 1e11 else 1.0)
    if not isinstance(moment, str):
        return 0.0
    try:
        read = datetime.fromisoformat(moment.strip())
        return round((read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp(), 6)
    except (ValueError, OverflowError):
        return 0.0


# -- memories ------------------------------------------------------------------------------------------------------


def memory_line(memory: Memory) -> dict[str, object]:
    """The memory as a JSON object; what is empty is left out."""
    line: dict[str, object] = {
        KIND: MEMORY,
        "id": memory.id,
        "text": memory.text,
        "category": memory.category,
        "importance": memory.importance,
        "scope": memory.scope,
        "within": memory.within,
        "subject": memory.subject,
        "paths": list(memory.paths),
        "symbols": list(memory.symbols),
        "tags": list(memory.tags),
        "citations": [citation.as_json() for citation in memory.citations],
        "origin": memory.origin,
        "session": memory.session,
        "speaker": memory.speaker,
        "created_at": iso(memory.created),
        "updated_at": iso(memory.updated),
        "count": memory.count,
        "status": str(memory.status),
        "superseded_by": memory.superseded_by,
    }
    return {key: value for key, value in line.items() if value not in ("", [])} | dict(memory.extra)


def memory_of(record: Record) -> Memory:
    """The memory a JSON object describes; UsageError when it does not describe one. Unknown fields are kept."""
    text = record.get("text", record.get("content"))
    if not isinstance(text, str):
        raise UsageError("a memory needs a text")
    extra = {
        key: value for key, value in record.items() if key not in _OWN and not (key == "content" and value == text)
    }
    return Memory(
        text=text,
        category=one_of("category", _word(record, "category", "fact"), CATEGORIES),
        importance=importance_of(record.get("importance", 0.5)),
        scope=one_of("scope", _word(record, "scope", "project"), SCOPES),
        within=_word(record, "within"),
        subject=_word(record, "subject"),
        paths=words_of(record.get("paths")),
        symbols=words_of(record.get("symbols")),
        tags=words_of(record.get("tags")),
        citations=tuple(citation_of(each) for each in _objects(record.get("citations"))),
        origin=_word(record, "origin"),
        session=_word(record, "session"),
        speaker=_word(record, "speaker"),
        id=_word(record, "id"),
        created=seconds_of(record.get("created_at")),
        updated=seconds_of(record.get("updated_at", record.get("created_at"))),
        count=_count(record.get("count"), 1),
        status=Status(one_of("status", _word(record, "status", "live"), tuple(Status))),
        superseded_by=_word(record, "superseded_by"),
        extra=extra,
    )


def importance_of(given: object) -> float:
    """A number in 0..1."""
    if isinstance(given, (int, float)) and not isinstance(given, bool) and 0.0 <= given <= 1.0:
        return float(given)
    raise UsageError(f"importance is a number from 0 to 1, not {given!r}")


def citation_of(record: Record) -> Citation:
    """The citation a JSON object of the contract describes."""
    kind = record.get("kind")
    if kind == "file":
        start, end = _number(record.get("startLine")), _number(record.get("endLine"))
        return Citation("file", _word(record, "path"), start, end if end is not None else start)
    if kind == "commit":
        return Citation.of_commit(_word(record, "hash"))
    if kind == "symbol":
        return Citation.of_symbol(_word(record, "id"), _word(record, "name"), _word(record, "file"))
    if kind == "terminal_snapshot":
        return Citation.of_snapshot(_word(record, "id"))
    if kind == "log":
        return Citation.of_log(_word(record, "pointer"))
    raise UsageError(f"unknown kind of citation {kind!r}", hint="known: commit, file, symbol, terminal_snapshot, log")


# -- experiences ---------------------------------------------------------------------------------------------------

NEEDED = ("id", "domain", "strategy", "goal", "hypothesis", "action", "prediction")


def is_experience(record: Record) -> bool:
    """Whether a JSON object is an entry of a CLAMS or CALM journal."""
    return all(isinstance(record.get(name), str) for name in NEEDED)


def experience_of(record: Record, number: int = 0) -> Experience:
    """The experience a journal entry describes; UsageError names the fields that are missing."""
    missing = [name for name in NEEDED if not isinstance(record.get(name), str)]
    if missing:
        raise UsageError(f"an experience needs {', '.join(missing)}")
    outcome, cause, lesson = (_object(record.get(name)) for name in ("outcome", "root_cause", "lesson"))
    return Experience(
        id=_word(record, "id"),
        domain=_word(record, "domain"),
        strategy=_word(record, "strategy"),
        goal=_word(record, "goal"),
        hypothesis=_word(record, "hypothesis"),
        action=_word(record, "action"),
        prediction=_word(record, "prediction"),
        session_id=_word(record, "session_id"),
        created_at=_word(record, "created_at"),
        history=tuple(
            Attempt(*(_word(each, name) for name in ("timestamp", "hypothesis", "action", "prediction")))
            for each in _objects(record.get("history"))
        ),
        iteration_count=_count(record.get("iteration_count"), 1),
        notes=words_of(record.get("notes")),
        outcome=Outcome(
            _word(outcome, "status"),
            _word(outcome, "result"),
            _word(outcome, "captured_at"),
            outcome.get("auto_captured") is True,
        )
        if outcome
        else None,
        surprise=_word(record, "surprise"),
        root_cause=RootCause(_word(cause, "category"), _word(cause, "description")) if cause else None,
        lesson=Lesson(_word(lesson, "what_worked"), _word(lesson, "takeaway")) if lesson else None,
        confidence_tier=_word(record, "confidence_tier"),
        record=record,
        number=number,
    )


# -- rewards -------------------------------------------------------------------------------------------------------


def reward_line(reward: Reward) -> dict[str, object]:
    """The reward as a JSON object."""
    return {
        KIND: REWARD,
        "packet": reward.packet,
        "reward": reward.reward,
        "carried": list(reward.carried),
        "used": list(reward.used),
        "task": reward.task,
        "at": iso(reward.at),
    }


def reward_of(record: Record) -> Reward:
    """The reward a JSON object describes."""
    return Reward(
        packet=_word(record, "packet"),
        reward=importance_of(record.get("reward")),
        carried=words_of(record.get("carried")),
        used=words_of(record.get("used")),
        task=_word(record, "task"),
        at=seconds_of(record.get("at")),
    )


# -- reading leniently ---------------------------------------------------------------------------------------------


def words_of(given: object) -> tuple[str, ...]:
    """The texts of a list."""
    if isinstance(given, str):
        return (given,)
    return tuple(each for each in given if isinstance(each, str)) if isinstance(given, Sequence) else ()


def _word(record: Record, name: str, default: str = "") -> str:
    found = record.get(name)
    return found if isinstance(found, str) and found else default


def _number(given: object) -> int | None:
    return given if isinstance(given, int) and not isinstance(given, bool) else None


def _count(given: object, default: int) -> int:
    found = _number(given)
    return default if found is None else max(found, 0)


def _object(given: object) -> Record:
    return given if isinstance(given, Mapping) else {}


def _objects(given: object) -> list[Record]:
    return [each for each in given if isinstance(each, Mapping)] if isinstance(given, list) else []
