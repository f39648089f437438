"""Other tools' SQLite databases, opened for reading only: agentdb and ringmaster."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

from msgspec.structs import replace

from haversack.errors import UsageError
from haversack.memory.imports.found import Found, foreign_id, shortened
from haversack.memory.lines import seconds_of, words_of
from haversack.memory.nouns import Memory
from haversack.model import Citation, Problem

BUSY_SECONDS = 5.0
MAGIC = b"SQLite format 3\0"
# Levels of a log that are worth remembering; the rest is what logs are for.
_BAD = frozenset({"error", "fatal", "critical", "panic"})

Row: TypeAlias = Mapping[str, object]
Reader: TypeAlias = Callable[[Row], Iterator[Memory]]


def is_database(path: Path) -> bool:
    """Whether the file is a SQLite database."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def read_database(path: Path) -> Iterator[Found]:
    """Every record of the tables that hold something to remember; what other tables hold is counted."""
    try:
        with closing(_opened(path)) as db:
            names = [str(row[0]) for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            known = [name for name in TABLES if name in names]
            if not known:
                raise UsageError(
                    f"{path} is no database of agentdb or ringmaster",
                    hint=f"tables that are read: {', '.join(TABLES)}; for haversack's own use `haversack export`",
                )
            for name in known:
                yield from _table(db, path, name)
            for name in sorted(set(names) & COUNTED):
                (count,) = db.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone()
                yield from (Found(unknown=f"a row of {name}") for _ in range(count))
    except sqlite3.Error as error:
        yield Found(problem=Problem(path.name, f"cannot be read: {error}", "close the program that uses it"))


def _opened(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)
    db.row_factory = sqlite3.Row
    return db


def _table(db: sqlite3.Connection, path: Path, name: str) -> Iterator[Found]:
    for number, row in enumerate(db.execute(f'SELECT * FROM "{name}"'), 1):
        values: Row = dict(row)
        place = values.get("id", number)
        for memory in TABLES[name](values):
            if memory.text.strip():
                yield Found(memory=_finished(memory, values, f"{path}#{name}/{place}", name))


def _finished(memory: Memory, values: Row, place: str, name: str) -> Memory:
    """The memory with its name, its place, and what of its row it does not say itself."""
    kept = {key: value for key, value in values.items() if isinstance(value, (int, float)) or _short(value)}
    return replace(
        memory,
        text=shortened(memory.text),
        id=foreign_id(name, values.get("id"), memory.text),
        citations=(Citation.of_log(place),),
        origin=place,
        extra={name: kept},
    )


def _short(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 200


def _text(row: Row, *names: str) -> str:
    return next((value.strip() for name in names if isinstance(value := row.get(name), str) and value.strip()), "")


def _json_words(given: object) -> tuple[str, ...]:
    """The texts of a JSON list, or of a line with commas."""
    if not isinstance(given, str) or not given.strip():
        return ()
    try:
        read = json.loads(given)
    except ValueError:
        return tuple(part.strip() for part in given.split(",") if part.strip())
    if isinstance(read, list):
        return tuple(
            str(each.get("decision", each.get("text", ""))) if isinstance(each, dict) else str(each) for each in read
        )
    return words_of(read)


def _share(given: object, default: float = 0.5) -> float:
    return min(max(float(given), 0.0), 1.0) if isinstance(given, (int, float)) else default


def _when(row: Row) -> float:
    return seconds_of(next((row[name] for name in ("ts", "timestamp", "created_at") if row.get(name)), 0))


def _failed(row: Row) -> bool:
    return row.get("success") in (0, False)


# -- agentdb -------------------------------------------------------------------------------------------------------


def _episode(row: Row) -> Iterator[Memory]:
    parts = (_text(row, "task"), _text(row, "output"), _labelled("Critique", _text(row, "critique")))
    yield Memory(
        "\n".join(part for part in parts if part),
        category="error" if _failed(row) else "event",
        importance=_share(row.get("reward")),
        tags=_json_words(row.get("tags")),
        session=_text(row, "session_id"),
        created=_when(row),
    )


def _skill(row: Row) -> Iterator[Memory]:
    named = ": ".join(part for part in (_text(row, "name"), _text(row, "description")) if part)
    yield Memory(
        "\n".join(part for part in (named, _text(row, "code")) if part),
        category="workflow",
        importance=_share(row.get("success_rate", row.get("avg_reward"))),
        subject=_text(row, "name"),
        created=_when(row),
    )


def _fact(row: Row) -> Iterator[Memory]:
    said = " ".join(_text(row, name) for name in ("subject", "predicate", "object")).strip()
    yield Memory(
        said or _text(row, "fact", "text", "content"), importance=_share(row.get("confidence")), created=_when(row)
    )


# -- ringmaster ----------------------------------------------------------------------------------------------------


def _message(row: Row) -> Iterator[Memory]:
    session = "/".join(str(row[name]) for name in ("project_id", "task_id") if row.get(name) is not None)
    yield Memory(
        _text(row, "content"),
        category="event",
        importance=0.3,
        speaker=_text(row, "role"),
        session=session,
        created=_when(row),
    )


def _summary(row: Row) -> Iterator[Memory]:
    yield Memory(_text(row, "summary"), category="context", created=_when(row))
    for decision in _json_words(row.get("key_decisions")):
        yield Memory(decision, category="decision", importance=0.7, created=_when(row))


def _log(row: Row) -> Iterator[Memory]:
    if _text(row, "level").casefold() in _BAD:
        said = ": ".join(part for part in (_text(row, "component"), _text(row, "message")) if part)
        yield Memory(said, category="error", created=_when(row))


def _task(row: Row) -> Iterator[Memory]:
    asked = _text(row, "title", "question", "description", "name", "prompt")
    told = "\n".join(part for part in (_text(row, "answer"), _text(row, "resolution")) if part)
    if told:
        yield Memory("\n".join(part for part in (asked, told) if part), category="event", created=_when(row))


def _outcome(row: Row) -> Iterator[Memory]:
    parts = (
        _text(row, "outcome"),
        _labelled("Failed because", _text(row, "failure_reason")),
        _labelled("Reflection", _text(row, "reflection")),
    )
    yield Memory(
        "\n".join(part for part in parts if part),
        category="error" if _failed(row) else "event",
        tags=_json_words(row.get("keywords")),
        created=_when(row),
    )


def _labelled(label: str, text: str) -> str:
    return f"{label}: {text}" if text else ""


TABLES: Mapping[str, Reader] = {
    "episodes": _episode,
    "skills": _skill,
    "facts": _fact,
    "chat_messages": _message,
    "summaries": _summary,
    "logs": _log,
    "tasks": _task,
    "task_outcomes": _outcome,
}
COUNTED = frozenset({"causal_edges", "recall_certificates", "justification_paths", "context_assembly_logs"})
"""Tables of the two tools that say how they worked, not what they learnt."""
