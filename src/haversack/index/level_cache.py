"""Levels of detail made before, by the content they were made of. Losing them costs time, never a word of a packet."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

DATABASE = "levels.sqlite"
KEEP_ROWS = 5_000  # some 4 kB each, about 20 MB; the oldest go first
LARGEST_BODY = 65_536  # bytes; the outline of 8,000 lines; what is larger is rare and not worth the room
KEEP_IN_MEMORY = 1_024  # several packets' worth
BUSY_SECONDS = 0.2  # waiting longer for another process would cost more than making the levels
HOUR = 3600.0
WRITTEN = "written.sqlite"
ENCODED = "encoded.sqlite"
READ = "read.sqlite"
KEEP_VECTORS = 50_000  # under 1 kB each: five hundred tasks' worth
FOREVER = 24 * 365 * 100  # hours

SCHEMA = """
CREATE TABLE IF NOT EXISTS level (
  number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, unit TEXT NOT NULL, content BLOB NOT NULL, made REAL NOT NULL,
  body BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS level_unit ON level (unit);
CREATE INDEX IF NOT EXISTS level_made ON level (made);
"""


class Made(NamedTuple):
    """What was made: under which key, of which unit, from which content."""

    key: bytes
    unit: str
    content: bytes
    body: bytes


class LevelCache:
    """Bytes by key, in memory and in a database of their own. Where that cannot be used, only in memory."""

    def __init__(
        self,
        folder: Path,
        *,
        max_age_hours: float,
        drop_changed: bool = True,
        name: str = DATABASE,
        rows: int = KEEP_ROWS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._path = folder / name
        self._age = max_age_hours * HOUR
        self._drop_changed = drop_changed
        self._rows = rows
        self._clock = clock
        self._lock = threading.RLock()
        self._recent: OrderedDict[bytes, tuple[float, bytes]] = OrderedDict()
        self._opened: sqlite3.Connection | None = None
        self._broken = False

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What is known of these keys and young enough."""
        with self._lock:
            since = self._clock() - self._age
            found: dict[bytes, bytes] = {}
            for key in keys:
                kept = self._recent.get(key)
                if kept is not None and kept[0] > since:
                    self._recent.move_to_end(key)
                    found[key] = kept[1]
            asked = [key for key in keys if key not in found]
            for key, made, body in self._stored(asked, since) if asked else ():
                found[key] = body
                self._remember(key, made, body)
            return found

    def put(self, made: Sequence[Made]) -> None:
        """Keep these, in one transaction; what is too old or was made of other content of the same unit goes."""
        rows = [each for each in made if len(each.body) <= LARGEST_BODY]
        if not rows:
            return
        with self._lock:
            now = self._clock()
            for each in rows:
                self._remember(each.key, now, each.body)
            database = self._database()
            if database is None:
                return
            try:
                with database:
                    database.execute("BEGIN IMMEDIATE")
                    self._write(database, rows, now)
            except sqlite3.Error as error:
                self._give_up(error)

    def close(self) -> None:
        """Let go of the file; the cache can be used again."""
        with self._lock:
            if self._opened is not None:
                self._opened.close()
            self._opened = None

    def _stored(self, keys: Sequence[bytes], since: float) -> list[tuple[bytes, float, bytes]]:
        database = self._database()
        if database is None:
            return []
        marks = ",".join("?" * len(keys))
        try:
            rows = database.execute(
                f"SELECT key, made, body FROM level WHERE key IN ({marks}) AND made > ?", [*keys, since]
            ).fetchall()
        except sqlite3.Error as error:
            self._give_up(error)
            return []
        return [(bytes(key), float(made), bytes(body)) for key, made, body in rows]

    def _write(self, database: sqlite3.Connection, rows: Sequence[Made], now: float) -> None:
        if self._drop_changed:
            database.executemany(
                "DELETE FROM level WHERE unit = ? AND content <> ?", {(each.unit, each.content) for each in rows}
            )
        database.executemany(
            "INSERT OR REPLACE INTO level (key, unit, content, made, body) VALUES (?, ?, ?, ?, ?)",
            [(each.key, each.unit, each.content, now, each.body) for each in rows],
        )
        database.execute("DELETE FROM level WHERE made <= ?", (now - self._age,))
        database.execute("DELETE FROM level WHERE number <= (SELECT MAX(number) FROM level) - ?", (self._rows,))

    def _remember(self, key: bytes, made: float, body: bytes) -> None:
        self._recent[key] = (made, body)
        self._recent.move_to_end(key)
        while len(self._recent) > KEEP_IN_MEMORY:
            self._recent.popitem(last=False)

    def _database(self) -> sqlite3.Connection | None:
        if self._opened is not None or self._broken:
            return self._opened
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            opened = sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        except (OSError, sqlite3.Error):
            self._broken = True
            return None
        self._opened = opened
        try:
            # What can be made anew need not survive a power cut: waiting for the disk would cost more than it saves.
            synchronous = "OFF" if self._path.name == DATABASE else "NORMAL"
            opened.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous={synchronous}; {SCHEMA}")
        except sqlite3.Error as error:
            self._give_up(error)
        return self._opened

    def _give_up(self, error: sqlite3.Error) -> None:
        """Go on without the database; one that is damaged goes, so that the next process has a new one."""
        self.close()
        self._broken = True
        if not isinstance(error, sqlite3.OperationalError):
            for name in ("", "-wal", "-shm"):
                with contextlib.suppress(OSError):
                    self._path.with_name(self._path.name + name).unlink()


def written_cache(folder: Path) -> LevelCache:
    """What a language model wrote: kept by content alone, as long as there is room."""
    return LevelCache(folder, max_age_hours=FOREVER, drop_changed=False, name=WRITTEN)


def encoded_cache(folder: Path) -> LevelCache:
    """Vectors of an encoder: kept by content alone, as long as there is room."""
    return LevelCache(folder, max_age_hours=FOREVER, drop_changed=False, name=ENCODED, rows=KEEP_VECTORS)


def read_cache(folder: Path) -> LevelCache:
    """What a language model said of pieces of code: kept by what it was asked, as long as there is room."""
    return LevelCache(folder, max_age_hours=FOREVER, drop_changed=False, name=READ)
