"""Memories, experiences, values and rewards of one project: stored, changed, listed."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

from haversack.errors import UsageError
from haversack.memory.database import EXPERIENCES, MEMORIES, VALUES, Database
from haversack.memory.lines import experience_of, memory_line, memory_of, reward_line, reward_of
from haversack.memory.nouns import Experience, Memory, Record, Remembered, Reward, Value
from haversack.model import Status

ID_BYTES = 6


class MemoryStore:
    """What is remembered in one folder. Several processes may write at once; a call is stored whole or not at all."""

    def __init__(self, folder: Path, *, clock: Callable[[], float] = time.time) -> None:
        self.database = Database(folder)
        self._clock = clock

    # -- memories --------------------------------------------------------------------------------------------------

    def add(self, memory: Memory, *, merge: bool = True) -> Remembered:
        """Remember it: a new one, or one more count of one that says the same; what it contradicts is superseded."""
        return self.add_many([memory], merge=merge)[0]

    def add_many(self, memories: Iterable[Memory], *, merge: bool = True) -> list[Remembered]:
        """The same for many, in one transaction."""
        with self.database.writing() as db:
            return [self._add(db, memory, merge) for memory in memories]

    def _add(self, db: sqlite3.Connection, memory: Memory, merge: bool) -> Remembered:
        now = round(self._clock(), 6)
        made = replace(memory, created=memory.created or now, updated=memory.updated or memory.created or now)
        made = replace(made, id=made.id or self._free_id(db, made))
        cursor = db.execute(
            "INSERT INTO memory (id, category, scope, within, status, body) VALUES (?, ?, ?, ?, ?, ?)",
            (made.id, made.category, made.scope, made.within, str(made.status), _dump(memory_line(made))),
        )
        made = replace(made, number=cursor.lastrowid or 0)
        self.database.touch(MEMORIES, made.number)
        return Remembered(made)

    def get(self, memory: str) -> Memory:
        """By id, or by a beginning of it that fits only one."""
        return _memory(*self.database.named(MEMORIES, memory))

    def memories(
        self,
        *,
        category: str | None = None,
        scope: str | None = None,
        within: str | None = None,
        status: Status | None = Status.LIVE,
        page: int | None = None,
        limit: int | None = None,
    ) -> list[Memory]:
        """In the order they came; with a limit only the newest. `status` None means whatever their status."""
        where = {"category": category, "scope": scope, "within": within, "status": str(status) if status else None}
        return [_memory(*row) for row in self.database.select(MEMORIES, where, page=page, limit=limit)]

    def edit(self, memory: str, change: Callable[[Memory], Memory]) -> Memory:
        """Change one in place: same id, same number."""
        with self.database.writing() as db:
            before = self.get(memory)
            after = replace(
                change(before),
                id=before.id,
                number=before.number,
                created=before.created,
                updated=round(self._clock(), 6),
            )
            self._rewrite(db, after)
        return after

    def supersede(self, memory: str, by: Memory) -> Remembered:
        """Put another in its place: the old one stays on record and is served no more."""
        with self.database.writing() as db:
            old = self.get(memory)
            made = self._add(db, by, merge=False)
            self._end(db, old, made.memory)
        return replace(made, superseded=(old.id, *made.superseded))

    def forget(self, memory: str) -> Memory:
        """Remove it for good; the answer is what it was."""
        with self.database.writing() as db:
            old = self.get(memory)
            db.execute("DELETE FROM memory WHERE number = ?", (old.number,))
            db.execute("DELETE FROM memory_key WHERE number = ?", (old.number,))
            self.database.touch(MEMORIES, old.number)
        return old

    def _end(self, db: sqlite3.Connection, old: Memory, by: Memory) -> None:
        self._rewrite(db, replace(old, status=Status.SUPERSEDED, superseded_by=by.id, updated=by.updated))

    def _rewrite(self, db: sqlite3.Connection, memory: Memory) -> None:
        db.execute(
            "UPDATE memory SET category = ?, scope = ?, within = ?, status = ?, body = ? WHERE number = ?",
            (
                memory.category,
                memory.scope,
                memory.within,
                str(memory.status),
                _dump(memory_line(memory)),
                memory.number,
            ),
        )
        self.database.touch(MEMORIES, memory.number)

    def _free_id(self, db: sqlite3.Connection, memory: Memory) -> str:
        """A name made of what it says, so that the same statements have the same names everywhere."""
        ordinal = 0
        while True:
            whole = f"{memory.category}\0{memory.scope}\0{memory.within}\0{memory.text}\0{ordinal}"
            name = "m" + blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=ID_BYTES).hexdigest()
            if db.execute("SELECT 1 FROM memory WHERE id = ?", (name,)).fetchone() is None:
                return name
            ordinal += 1

    # -- experiences -----------------------------------------------------------------------------------------------

    def put_experience(self, record: Record) -> Experience:
        """Store a journal entry, or the newer state of one, under its id."""
        read = experience_of(record)
        values = (read.session_id, read.domain, read.strategy, read.status, _dump(record))
        with self.database.writing() as db:
            db.execute(
                "INSERT INTO experience (id, session, domain, strategy, status, body) VALUES (?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET session = ?, domain = ?, strategy = ?, status = ?, body = ?",
                (read.id, *values, *values),
            )
            number = int(db.execute("SELECT number FROM experience WHERE id = ?", (read.id,)).fetchone()[0])
            self.database.touch(EXPERIENCES, number)
        return replace(read, number=number)

    def experience(self, experience: str) -> Experience:
        """By id, or by a beginning of it that fits only one."""
        return _experience(*self.database.named(EXPERIENCES, experience))

    def experiences(
        self,
        *,
        domain: str | None = None,
        strategy: str | None = None,
        status: str | None = None,
        session: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> list[Experience]:
        """In the order they came; with a limit only the newest. `status`: active, confirmed, falsified, abandoned."""
        where = {"domain": domain, "strategy": strategy, "status": status, "session": session}
        return [_experience(*row) for row in self.database.select(EXPERIENCES, where, page=page, limit=limit)]

    # -- values ----------------------------------------------------------------------------------------------------

    def values(self, *, axis: str | None = None, page: int | None = None) -> list[Value]:
        """The principles found so far."""
        return [_value(body) for _, body in self.database.select(VALUES, {"axis": axis}, page=page, limit=None)]

    # -- rewards ---------------------------------------------------------------------------------------------------

    def add_reward(self, reward: Reward) -> Reward:
        """Remember what came of a packet."""
        if not 0.0 <= reward.reward <= 1.0:
            raise UsageError(f"a reward is a number from 0 to 1, not {reward.reward!r}")
        made = replace(reward, at=reward.at or round(self._clock(), 6))
        with self.database.writing() as db:
            cursor = db.execute(
                "INSERT INTO reward (packet, body) VALUES (?, ?)", (made.packet, _dump(reward_line(made)))
            )
        return replace(made, number=cursor.lastrowid or 0)

    def rewards(self, *, after: int = 0) -> list[Reward]:
        """In the order they came, those numbered above `after`."""
        rows = self.database.rows("SELECT number, body FROM reward WHERE number > ? ORDER BY number", after)
        return [replace(reward_of(json.loads(str(body))), number=int(str(number))) for number, body in rows]

    def close(self) -> None:
        """Let go of the file."""
        self.database.close()


def _dump(record: Record) -> str:
    # ASCII: half of a surrogate pair, which a JSON file may hold, cannot be stored in any other way.
    return json.dumps(record)


def _memory(number: int, body: str) -> Memory:
    return replace(memory_of(json.loads(body)), number=number)


def _experience(number: int, body: str) -> Experience:
    return experience_of(json.loads(body), number)


def _value(body: str) -> Value:
    found = json.loads(body)
    tuples: dict[str, Sequence[str]] = {name: tuple(found[name]) for name in ("experiences", "domains", "strategies")}
    return Value(**{**found, **tuples})
