"""The database of memory: SQLite in WAL mode. It cannot be made again, so it stands apart from the cache.

Every write is one transaction that is on disk when the call returns. Rows are numbered in the order they came, and
that order decides what is newer: a clock that goes backwards changes nothing. Pages of neighbouring rows carry the
number of the last change to them, so that whoever mirrors the database reads only what changed.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from haversack.errors import NotFoundError, StoreBusyError, StoreError, database_hint

DATABASE = "memory.sqlite"
FORMAT = 1
BUSY_SECONDS = 20.0  # a commit takes milliseconds; the import of a large file a few seconds
PAGE = 64  # rows mirrored together: few enough to be read again for one change, enough to make 100,000 manageable
MEMORIES, EXPERIENCES, VALUES = "memory", "experience", "value"
NAMES_SHOWN = 5

SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS memory (
  number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, page INTEGER NOT NULL, session TEXT NOT NULL,
  category TEXT NOT NULL, scope TEXT NOT NULL, within TEXT NOT NULL, status TEXT NOT NULL, body TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS memory_page ON memory (page);
CREATE INDEX IF NOT EXISTS memory_session ON memory (session, page);
CREATE TABLE IF NOT EXISTS memory_key (key INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (key, number))
  WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS memory_key_number ON memory_key (number);
CREATE TABLE IF NOT EXISTS experience (
  number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, page INTEGER NOT NULL, session TEXT NOT NULL,
  domain TEXT NOT NULL, strategy TEXT NOT NULL, status TEXT NOT NULL, body TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS experience_page ON experience (page);
CREATE TABLE IF NOT EXISTS value (
  number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, page INTEGER NOT NULL, axis TEXT NOT NULL,
  body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS vector (
  axis TEXT NOT NULL, experience INTEGER NOT NULL, cluster TEXT NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (axis, experience)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reward (number INTEGER PRIMARY KEY AUTOINCREMENT, packet TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS page (
  kind TEXT NOT NULL, page INTEGER NOT NULL, change INTEGER NOT NULL, PRIMARY KEY (kind, page)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS page_change ON page (kind, change);
"""


class Database:
    """Numbered rows of several kinds, and which pages of them changed when."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / DATABASE
        self._lock = threading.RLock()
        try:
            self._db = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            # FULL: what a call has stored survives not only the process but the machine.
            self._db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;")
            made = int(self._db.execute("PRAGMA user_version").fetchone()[0]) or self._begin()
        except sqlite3.Error as error:
            raise StoreError(
                f"the memory {self.path} cannot be opened: {error}",
                hint=database_hint(error, "move the file away and keep it; a new one is made"),
            ) from error
        if made > FORMAT:
            self._db.close()
            what = f"the memory {self.path} was written by a newer haversack (format {made})"
            raise StoreError(what, hint="update haversack")

    def _begin(self) -> int:
        """Lay the tables of a new database; of two processes that do so at once, one finds it done."""
        notes = f"INSERT OR IGNORE INTO meta VALUES ('store', '{secrets.token_hex(8)}'), ('change', '0');"
        self._db.executescript(f"BEGIN IMMEDIATE; {SCHEMA} {notes} PRAGMA user_version = {FORMAT}; COMMIT;")
        return FORMAT

    def meta(self, key: str) -> str:
        """A note the database keeps about itself; empty when there is none."""
        row = self.row("SELECT value FROM meta WHERE key = ?", key)
        return str(row[0]) if row else ""

    # -- reading ---------------------------------------------------------------------------------------------------

    def rows(self, statement: str, *values: object) -> list[tuple[object, ...]]:
        """What a query answers."""
        with self._lock:
            try:
                return self._db.execute(statement, values).fetchall()
            except sqlite3.Error as error:
                raise StoreError(f"the memory {self.path} cannot be read: {error}") from error

    def row(self, statement: str, *values: object) -> tuple[object, ...] | None:
        """The first row of what a query answers."""
        found = self.rows(statement, *values)
        return found[0] if found else None

    def named(self, kind: str, name: str) -> tuple[int, str]:
        """Number and body of the row with that id, or of the only one whose id begins so."""
        found = self.rows(f"SELECT number, body, id FROM {kind} WHERE id = ?", name) or self.rows(
            f"SELECT number, body, id FROM {kind} WHERE substr(id, 1, ?) = ? ORDER BY number LIMIT ?",
            len(name), name, NAMES_SHOWN + 1,
        )  # fmt: skip
        if len(found) == 1 and name:
            return int(str(found[0][0])), str(found[0][1])
        if not found or not name:
            raise NotFoundError(f"there is no {kind} {name!r}", hint="`haversack memories` lists them")
        shown = ", ".join(str(row[2]) for row in found[:NAMES_SHOWN])
        raise NotFoundError(f"more than one {kind} begins with {name!r}", hint=f"among them {shown}")

    def select(
        self, kind: str, where: Mapping[str, str | None], *, page: int | None, limit: int | None
    ) -> list[tuple[int, str]]:
        """Numbers and bodies of rows whose columns have these values (None: any), in the order they came."""
        given = {column: value for column, value in {**where, "page": page}.items() if value is not None}
        tests = [f"{column} = ?" for column in given]
        values = list(given.values())
        condition = f"WHERE {' AND '.join(tests)}" if tests else ""
        newest = "DESC LIMIT ?" if limit is not None else ""
        rows = self.rows(
            f"SELECT number, body FROM {kind} {condition} ORDER BY number {newest}",
            *values, *([limit] if limit is not None else []),
        )  # fmt: skip
        return [(int(str(number)), str(body)) for number, body in (reversed(rows) if newest else rows)]

    # -- what has changed ------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Which database this is: another file in its place has another name."""
        return self.meta("store")

    def head(self, kind: str) -> int:
        """The number of the last change to rows of a kind; 0 when there never was one."""
        row = self.row("SELECT MAX(change) FROM page WHERE kind = ?", kind)
        return int(str(row[0])) if row and row[0] is not None else 0

    def pages(self, kind: str, *, after: int = 0) -> list[tuple[int, int]]:
        """Pages changed after a change, each with the number of its last one."""
        rows = self.rows("SELECT page, change FROM page WHERE kind = ? AND change > ? ORDER BY page", kind, after)
        return [(int(str(page)), int(str(change))) for page, change in rows]

    # -- writing ---------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is stored, or nothing. It may stand inside another and is then part of that."""
        with self._lock:
            if self._db.in_transaction:
                yield self._db
                return
            try:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'change'")
            except sqlite3.OperationalError as error:
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise StoreBusyError(
                    f"the memory {self.path} cannot be written now: {error}", hint="try again in a moment"
                ) from error
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException as error:
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    raise StoreError(f"the memory {self.path} could not be written: {error}") from error
                raise

    def touch(self, kind: str, number: int) -> None:
        """Note that a row was changed, or is about to be removed, by the transaction under way."""
        self._db.execute(
            f"INSERT OR REPLACE INTO page SELECT ?, {kind}.page, CAST(value AS INTEGER) FROM meta, {kind} "
            f"WHERE meta.key = 'change' AND {kind}.number = ?",
            (kind, number),
        )

    def free_page(self, kind: str, session: str | None = None) -> int:
        """The page a new row belongs to: the last one of its session (or of all) while there is room, or a new one."""
        where, values = ("WHERE session = ?", (session,)) if session is not None else ("", ())
        (last,) = self._db.execute(f"SELECT MAX(page) FROM {kind} {where}", values).fetchone()
        if last is not None:
            (held,) = self._db.execute(f"SELECT COUNT(*) FROM {kind} WHERE page = ?", (last,)).fetchone()
            if held < PAGE:
                return int(last)
        (newest,) = self._db.execute("SELECT MAX(page) FROM page WHERE kind = ?", (kind,)).fetchone()
        return 0 if newest is None else int(newest) + 1

    def put_meta(self, key: str, value: str) -> None:
        """Keep a note, as part of the transaction under way."""
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._db.close()
