"""The ledger: what each session was given, so that the next packet carries only what is new or changed."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

from msgspec import Struct, field

from haversack.errors import StoreError, database_hint
from haversack.model import Level

DATABASE = "ledger.sqlite"
BUSY_SECONDS = 1.0  # a packet that is given twice is a smaller harm than a session that waits
KEEP_DAYS = 30  # a session nobody came back to for that long has been compacted or closed
DAY = 86_400.0
DIGEST = 16  # bytes

SCHEMA = """
CREATE TABLE IF NOT EXISTS session (name TEXT PRIMARY KEY, last INTEGER NOT NULL, at REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS given (
  session TEXT NOT NULL, unit TEXT NOT NULL, level TEXT NOT NULL, content BLOB NOT NULL,
  number INTEGER NOT NULL, PRIMARY KEY (session, unit)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS happened (
  session TEXT NOT NULL, what TEXT NOT NULL, PRIMARY KEY (session, what)) WITHOUT ROWID;
"""


class Given(Struct, frozen=True):
    """A unit as a session was given it: the level, a digest of its whole content, and its handle.

    `number` 0 stands for what was in the packet at the session's start, which has no handles.
    """

    unit: str
    level: Level
    content: bytes
    number: int = 0


class History(Struct, frozen=True):
    """What a session has, by unit, and the last handle it knows."""

    items: Mapping[str, Given] = field(default_factory=dict)
    last: int = 0


def digest_of(text: str) -> bytes:
    """What stands for a text in the ledger."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()


class Ledger:
    """What was given, by session. A session that is not named has no ledger."""

    def __init__(self, folder: Path, *, clock: Callable[[], float] = time.time) -> None:
        self._path = folder / DATABASE
        self._clock = clock
        self._lock = threading.RLock()
        try:
            self._db = sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            self._db.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; {SCHEMA}")
        except sqlite3.Error as error:
            raise self._wrong(error) from error

    def history(self, session: str) -> History:
        """What the session was given since it began or was compacted."""
        with self._reading() as db:
            row = db.execute("SELECT last FROM session WHERE name = ?", (session,)).fetchone()
            found = db.execute("SELECT unit, level, content, number FROM given WHERE session = ?", (session,))
            items = [Given(unit, Level(level), content, number) for unit, level, content, number in found]
        return History({each.unit: each for each in items}, int(row[0]) if row else 0)

    def give(self, session: str, items: Sequence[Given]) -> None:
        """Note what the session has just been given; it takes the place of what it had of the same units."""
        last = max((each.number for each in items), default=0)
        rows = [(session, each.unit, str(each.level), each.content, each.number) for each in items]
        with self._writing(session, last) as db:
            db.executemany("INSERT OR REPLACE INTO given VALUES (?, ?, ?, ?, ?)", rows)

    def first_time(self, session: str, what: str) -> bool:
        """Whether this happens for the first time in the session; it is remembered."""
        with self._writing(session) as db:
            return bool(db.execute("INSERT OR IGNORE INTO happened VALUES (?, ?)", (session, what)).rowcount)

    def happened(self, session: str, what: str) -> bool:
        """Whether this is known to have happened in the session."""
        with self._reading() as db:
            found = db.execute("SELECT 1 FROM happened WHERE session = ? AND what = ?", (session, what))
            return found.fetchone() is not None

    def undo(self, session: str, what: str) -> None:
        """As if this had not happened in the session."""
        with self._writing(session) as db:
            db.execute("DELETE FROM happened WHERE session = ? AND what = ?", (session, what))

    def reset(self, session: str) -> None:
        """Forget what the session was given: its conversation no longer holds it. Handles go on counting."""
        with self._writing(session) as db:
            db.execute("DELETE FROM given WHERE session = ?", (session,))
            db.execute("DELETE FROM happened WHERE session = ?", (session,))

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._db
            except (sqlite3.Error, ValueError) as error:
                raise self._wrong(error) from error

    @contextmanager
    def _writing(self, session: str, last: int = 0) -> Iterator[sqlite3.Connection]:
        """One transaction, which also notes that the session is alive and drops those that are not."""
        now = self._clock()
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield self._db
                self._db.execute(
                    "INSERT INTO session VALUES (?, ?, ?) "
                    "ON CONFLICT (name) DO UPDATE SET last = MAX(last, excluded.last), at = excluded.at",
                    (session, last, now),
                )
                self._drop_old(now - KEEP_DAYS * DAY)
                self._db.execute("COMMIT")
            except sqlite3.Error as error:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise self._wrong(error) from error

    def _drop_old(self, before: float) -> None:
        old = self._db.execute("SELECT name FROM session WHERE at < ?", (before,)).fetchall()
        for table, column in (("given", "session"), ("happened", "session"), ("session", "name")):
            self._db.executemany(f"DELETE FROM {table} WHERE {column} = ?", old)

    def _wrong(self, error: Exception) -> StoreError:
        return StoreError(
            f"what sessions were given is kept in {self._path}, which cannot be used: {error}",
            hint=database_hint(error, "move the file away; a new one is made"),
        )
