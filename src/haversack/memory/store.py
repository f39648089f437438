"""Memories, experiences, values and rewards of one project: stored, changed, listed."""

from __future__ import annotations

import dataclasses
import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, TypeAlias

from msgspec.structs import replace

from haversack.memory.alike import Verdict, judge
from haversack.memory.database import EXPERIENCES, MEMORIES, VALUES, Database
from haversack.memory.intake import admitted, admitted_record, admitted_reward
from haversack.memory.lines import experience_of, memory_line, memory_of, reward_line, reward_of
from haversack.memory.nouns import Experience, Memory, Record, Remembered, Reward, Value
from haversack.memory.words import KEY_KINDS, SIGNATURE, Statement, name_keys, signature, statement, subject_keys
from haversack.model import Problem, Status

ID_BYTES = 6
MOST_ASKED = 500  # rows asked for by number in one question
LOOKED_AT = 32  # memories that share most words with a new one, which it is compared with
NEWEST_OF_KEY = 400  # of memories that share a common word: one that says the same shares more than that
SHORT = 4  # words that carry meaning
CLOCK_SLACK = 1.0  # seconds that clocks of two processes may differ without a warning

Became: TypeAlias = Literal["added", "changed", "known"]
"""What became of something that was imported."""


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
        """The same for many, in one transaction; without `merge` each is stored as it is, whatever is known already."""
        with self.database.writing() as db:
            now, backwards = self._now()
            made = [self._add(db, memory, now, merge) for memory in memories]
        return [replace(each, problems=each.problems + backwards) for each in made] if backwards else made

    def _now(self) -> tuple[float, tuple[Problem, ...]]:
        """The time, and a warning when the clock was set back since something was last stored."""
        now, latest = round(self._clock(), 6), float(self.database.meta("latest") or 0.0)
        if now > latest:
            self.database.put_meta("latest", repr(now))
        if now > latest - CLOCK_SLACK:
            return now, ()
        what = f"the clock stands {latest - now:.0f} seconds before the last memory stored"
        return now, (Problem("clock", what, "what is newer is decided by the order of storing"),)

    def _add(self, db: sqlite3.Connection, memory: Memory, now: float, merge: bool) -> Remembered:
        memory, problems = admitted(memory)
        said = statement(memory.text)
        contradicted = []
        if merge and memory.status is Status.LIVE:
            for old in self._alike(db, memory, said):
                verdict = judge(memory, old)
                if verdict is Verdict.SAME:
                    return Remembered(self._merge(db, old, memory, now), merged=True, problems=problems)
                if verdict is Verdict.CONTRADICTS:
                    contradicted.append(old)
        made = replace(memory, created=memory.created or now, updated=memory.updated or memory.created or now)
        made = replace(made, id=made.id or self._free_id(db, made))
        page = self.database.free_page(MEMORIES, made.session)
        cursor = db.execute(
            "INSERT INTO memory (id, page, session, category, scope, within, status, body) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (made.id, page, made.session, *_columns(made)),
        )
        made = replace(made, number=cursor.lastrowid or 0)
        self._index(db, made, said)
        self.database.touch(MEMORIES, made.number)
        for old in contradicted:
            self._end(db, old, made, now)
        return Remembered(made, superseded=tuple(old.id for old in contradicted), problems=problems)

    def _alike(self, db: sqlite3.Connection, memory: Memory, said: Statement) -> list[Memory]:
        """Memories that still hold, of the same scope, that share words with this one: most shared first."""
        keys = [*signature(said), *name_keys(said.left_behind), *subject_keys(memory.subject)]
        # Long statements that say the same, or differ in one value, have more in common than short ones.
        if not keys:
            return []
        needed = 2 + (len(said.telling) > SHORT) + (len(said.telling) > 2 * SHORT)
        # A key of the whole frame, of a name left behind or of the subject tells as much as two words in common.
        near = " UNION ALL ".join(
            f"SELECT number, {1 if key & KEY_KINDS < SIGNATURE else 2} AS weight FROM "
            f"(SELECT number FROM memory_key WHERE key = {key} ORDER BY number DESC LIMIT {NEWEST_OF_KEY})"
            for key in keys
        )
        rows = db.execute(
            f"SELECT memory.number, body FROM (SELECT number, SUM(weight) AS shared FROM ({near}) GROUP BY number "
            f"HAVING shared >= {needed} ORDER BY shared DESC, number DESC LIMIT {LOOKED_AT}) AS near "
            "JOIN memory ON memory.number = near.number WHERE scope = ? AND within = ? AND status = ? "
            "ORDER BY shared DESC, memory.number DESC",
            (memory.scope, memory.within, str(Status.LIVE)),
        )
        return [_memory(*row) for row in rows]

    def _index(self, db: sqlite3.Connection, memory: Memory, said: Statement) -> None:
        keys = {*signature(said), *name_keys(said.names), *subject_keys(memory.subject)}
        db.executemany("INSERT OR IGNORE INTO memory_key VALUES (?, ?)", [(key, memory.number) for key in keys])

    def _merge(self, db: sqlite3.Connection, old: Memory, again: Memory, now: float) -> Memory:
        merged = replace(
            old,
            count=old.count + again.count,
            importance=max(old.importance, again.importance),
            paths=_union(old.paths, again.paths),
            symbols=_union(old.symbols, again.symbols),
            tags=_union(old.tags, again.tags),
            citations=_union(old.citations, again.citations),
            subject=old.subject or again.subject,
            updated=now,
        )
        self._rewrite(db, merged)
        return merged

    def put_memory(self, memory: Memory, *, merge: bool) -> Became:
        """Store one that was remembered elsewhere, once: of two states under one id the one changed last stays.

        With `merge`, one that says what is known already is not stored a second time.
        """
        with self.database.writing() as db:
            kept, _ = admitted(memory)
            row = db.execute("SELECT number, body FROM memory WHERE id = ?", (kept.id,)).fetchone()
            if row:
                old = _memory(*row)
                if kept.updated <= old.updated or replace(kept, number=old.number) == old:
                    return "known"
                self._reindex(db, replace(kept, number=old.number))
                return "changed"
            if (merge or not kept.id) and any(
                judge(kept, old) is Verdict.SAME for old in self._alike(db, kept, statement(kept.text))
            ):
                return "known"
            self._add(db, kept, self._now()[0], merge=False)
        return "added"

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

    def edit(self, memory: str, change: Callable[[Memory], Memory]) -> Remembered:
        """Change one in place: it keeps its id and its place in the order."""
        with self.database.writing() as db:
            before = self.get(memory)
            now, backwards = self._now()
            after, problems = admitted(change(before))
            after = replace(after, id=before.id, number=before.number, created=before.created, updated=now)
            self._reindex(db, after)
        return Remembered(after, problems=problems + backwards)

    def supersede(self, memory: str, by: Memory) -> Remembered:
        """Put another in its place: the old one stays on record and is served no more."""
        with self.database.writing() as db:
            old = self.get(memory)
            now, backwards = self._now()
            made = self._add(db, by, now, merge=False)
            self._end(db, old, made.memory, now)
        return replace(made, superseded=(old.id,), problems=made.problems + backwards)

    def forget(self, memory: str) -> Memory:
        """Remove it for good; the answer is what it was."""
        with self.database.writing() as db:
            old = self.get(memory)
            self.database.touch(MEMORIES, old.number)
            db.execute("DELETE FROM memory_key WHERE number = ?", (old.number,))
            db.execute("DELETE FROM memory WHERE number = ?", (old.number,))
        return old

    def _end(self, db: sqlite3.Connection, old: Memory, by: Memory, now: float) -> None:
        self._rewrite(db, replace(old, status=Status.SUPERSEDED, superseded_by=by.id, updated=now))

    def _reindex(self, db: sqlite3.Connection, memory: Memory) -> None:
        db.execute("DELETE FROM memory_key WHERE number = ?", (memory.number,))
        self._index(db, memory, statement(memory.text))
        self._rewrite(db, memory)

    def _rewrite(self, db: sqlite3.Connection, memory: Memory) -> None:
        db.execute(
            "UPDATE memory SET category = ?, scope = ?, within = ?, status = ?, body = ? WHERE number = ?",
            (*_columns(memory), memory.number),
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
        kept, _ = admitted_record(record)
        read = experience_of(kept)
        values = (read.session_id, read.domain, read.strategy, read.status, _dump(kept))
        with self.database.writing() as db:
            page = self.database.free_page(EXPERIENCES)
            db.execute(
                "INSERT INTO experience (id, page, session, domain, strategy, status, body) "
                "VALUES (?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET session = ?, domain = ?, strategy = ?, status = ?, body = ?",
                (read.id, page, *values, *values),
            )
            number = int(db.execute("SELECT number FROM experience WHERE id = ?", (read.id,)).fetchone()[0])
            self.database.touch(EXPERIENCES, number)
        return dataclasses.replace(read, number=number)

    def import_experience(self, record: Record) -> Became:
        """Store an entry of a journal, once: one that came to an end is not replaced by the same still under way."""
        with self.database.writing() as db:
            row = db.execute("SELECT number, body FROM experience WHERE id = ?", (record.get("id"),)).fetchone()
            if row:
                old = _experience(*row)
                if old.record == record or (old.outcome is not None and experience_of(record).outcome is None):
                    return "known"
            self.put_experience(record)
        return "changed" if row else "added"

    def forget_experience(self, experience: str) -> Experience:
        """Remove it for good; the answer is what it was."""
        with self.database.writing() as db:
            old = self.experience(experience)
            self.database.touch(EXPERIENCES, old.number)
            db.execute("DELETE FROM vector WHERE experience = ?", (old.number,))
            db.execute("DELETE FROM experience WHERE number = ?", (old.number,))
        return old

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

    def experiences_numbered(self, numbers: Sequence[int]) -> list[Experience]:
        """Those with these numbers, in the order they came."""
        found = []
        for start in range(0, len(numbers), MOST_ASKED):
            some = numbers[start : start + MOST_ASKED]
            marks = ",".join("?" * len(some))
            rows = self.database.rows(f"SELECT number, body FROM experience WHERE number IN ({marks})", *some)
            found += [_experience(int(str(number)), str(body)) for number, body in rows]
        return sorted(found, key=lambda each: each.number)

    # -- values ----------------------------------------------------------------------------------------------------

    def values(self, *, axis: str | None = None, page: int | None = None) -> list[Value]:
        """The principles found so far."""
        return [_value(body) for _, body in self.database.select(VALUES, {"axis": axis}, page=page, limit=None)]

    # -- rewards ---------------------------------------------------------------------------------------------------

    def add_reward(self, reward: Reward) -> Reward:
        """Remember what came of a packet."""
        made = replace(admitted_reward(reward), at=reward.at or round(self._clock(), 6))
        with self.database.writing() as db:
            cursor = db.execute(
                "INSERT INTO reward (packet, body) VALUES (?, ?)", (made.packet, _dump(reward_line(made)))
            )
        return replace(made, number=cursor.lastrowid or 0)

    def put_reward(self, reward: Reward) -> Became:
        """Store one that was given elsewhere, once."""
        reward = admitted_reward(reward)
        with self.database.writing() as db:
            if db.execute("SELECT 1 FROM reward WHERE body = ?", (_dump(reward_line(reward)),)).fetchone():
                return "known"
            self.add_reward(reward)
        return "added"

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


def _columns(memory: Memory) -> tuple[str, str, str, str, str]:
    return memory.category, memory.scope, memory.within, str(memory.status), _dump(memory_line(memory))


def _union(old: tuple[Any, ...], new: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(old + new))


def _memory(number: int, body: str) -> Memory:
    return replace(memory_of(json.loads(body)), number=number)


def _experience(number: int, body: str) -> Experience:
    return experience_of(json.loads(body), number)


def _value(body: str) -> Value:
    found = json.loads(body)
    tuples: dict[str, Sequence[str]] = {name: tuple(found[name]) for name in ("experiences", "domains", "strategies")}
    return Value(**{**found, **tuples})
