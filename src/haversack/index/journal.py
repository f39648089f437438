"""What haversack itself remembers of a project: receipts, what sessions had. Not the index, which can be remade."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from haversack.errors import NotFoundError, StoreError, database_hint

DATABASE = "journal.sqlite"
KEEP_RECEIPTS = 2_000  # about 20 MB; the oldest go first
BUSY_SECONDS = 5.0

SCHEMA = """
CREATE TABLE IF NOT EXISTS receipt (
  number INTEGER PRIMARY KEY AUTOINCREMENT, packet TEXT NOT NULL, created REAL NOT NULL, session TEXT NOT NULL,
  body BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS receipt_packet ON receipt (packet);
CREATE TABLE IF NOT EXISTS answer (packet TEXT PRIMARY KEY, created REAL NOT NULL, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS assembly_log (
  number INTEGER PRIMARY KEY AUTOINCREMENT, task_id TEXT NOT NULL, created REAL NOT NULL, session TEXT NOT NULL,
  task_type TEXT NOT NULL, sources_queried TEXT NOT NULL, candidates_found INTEGER NOT NULL,
  items_included INTEGER NOT NULL, tokens_used INTEGER NOT NULL, tokens_budget INTEGER NOT NULL,
  compression_applied TEXT NOT NULL, assembly_time_ms REAL NOT NULL);
CREATE TABLE IF NOT EXISTS given (session TEXT PRIMARY KEY, packet TEXT NOT NULL, at REAL NOT NULL);
"""


class Assembly(NamedTuple):
    """How one packet was made, in short. `task_id` is the packet's."""

    task_id: str
    created: float
    session: str
    task_type: str
    sources_queried: tuple[str, ...]
    candidates_found: int
    items_included: int
    tokens_used: int
    tokens_budget: int
    compression_applied: tuple[str, ...]
    assembly_time_ms: float


class Journal:
    """Receipts by packet and by session, newest last."""

    def __init__(self, folder: Path) -> None:
        self._lock = threading.RLock()
        self._path = folder / DATABASE
        try:
            self._db = sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            self._db.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; {SCHEMA}")
        except sqlite3.Error as error:
            raise StoreError(
                f"the journal {self._path} cannot be opened: {error}",
                hint=database_hint(error, "move the file away; a new one is made"),
            ) from error

    def put_receipt(self, packet: str, created: float, session: str, body: bytes) -> None:
        """Remember a receipt; the same packet again counts as the newest."""
        with self._lock:
            try:
                self._db.execute(
                    "INSERT INTO receipt (packet, created, session, body) VALUES (?, ?, ?, ?)",
                    (packet, created, session, body),
                )
                self._db.execute(
                    "DELETE FROM receipt WHERE number <= (SELECT MAX(number) FROM receipt) - ?", (KEEP_RECEIPTS,)
                )
            except sqlite3.Error as error:
                raise StoreError(f"the receipt could not be stored in {self._path}: {error}") from error

    def receipt(self, packet: str) -> bytes:
        """By id, by a prefix of it that fits only one, or "last"."""
        with self._lock:
            if packet == "last":
                row = self._db.execute("SELECT body FROM receipt ORDER BY number DESC LIMIT 1").fetchone()
                if row is None:
                    raise NotFoundError("no packet has been made here yet", hint='haversack pack "what you want to do"')
                return bytes(row[0])
            names = self._beginning(packet)
            if len(names) != 1:
                what = "no packet begins with" if not names else "several packets begin with"
                raise NotFoundError(f"{what} {packet!r}", hint="haversack report --log lists them")
            row = self._db.execute(
                "SELECT body FROM receipt WHERE packet = ? ORDER BY number DESC LIMIT 1", (names[0],)
            ).fetchone()
            return bytes(row[0])

    def begins(self, packet: str) -> bool:
        """Whether the id of a packet begins so."""
        with self._lock:
            return bool(self._beginning(packet))

    def _beginning(self, packet: str) -> list[str]:
        """Up to three ids of packets that begin so."""
        rows = self._db.execute(
            "SELECT DISTINCT packet FROM receipt WHERE substr(packet, 1, ?) = ? LIMIT 3", (len(packet), packet)
        )
        return [str(name) for (name,) in rows]

    def receipts(self, *, session: str | None = None, limit: int = 500) -> list[bytes]:
        """Newest first."""
        with self._lock:
            where, values = ("WHERE session = ?", [session]) if session is not None else ("", [])
            rows = self._db.execute(f"SELECT body FROM receipt {where} ORDER BY number DESC LIMIT ?", [*values, limit])
            return [bytes(body) for (body,) in rows]

    def put_answer(self, packet: str, created: float, body: str) -> None:
        """Remember what a search of memory answered with; the same answer again counts as the newest."""
        with self._lock:
            try:
                self._db.execute("INSERT OR REPLACE INTO answer VALUES (?, ?, ?)", (packet, created, body))
                self._db.execute(
                    "DELETE FROM answer WHERE rowid <= (SELECT MAX(rowid) FROM answer) - ?", (KEEP_RECEIPTS,)
                )
            except sqlite3.Error as error:
                raise StoreError(f"the answer could not be stored in {self._path}: {error}") from error

    def answer(self, packet: str) -> str | None:
        """What an answer of that id carried, or None."""
        with self._lock:
            row = self._db.execute("SELECT body FROM answer WHERE packet = ?", (packet,)).fetchone()
            return str(row[0]) if row else None

    def put_assembly(self, made: Assembly) -> None:
        """Remember how a packet was made."""
        row = [json.dumps(value) if isinstance(value, tuple) else value for value in made]
        with self._lock:
            try:
                marks = ", ".join("?" * len(row))
                self._db.execute(f"INSERT INTO assembly_log ({', '.join(Assembly._fields)}) VALUES ({marks})", row)
                self._db.execute(
                    "DELETE FROM assembly_log WHERE number <= (SELECT MAX(number) FROM assembly_log) - ?",
                    (KEEP_RECEIPTS,),
                )
            except sqlite3.Error as error:
                raise StoreError(f"the assembly log could not be written to {self._path}: {error}") from error

    def assemblies(self, *, session: str | None = None, limit: int = 500) -> list[Assembly]:
        """How packets were made, newest first."""
        where, values = ("WHERE session = ?", [session]) if session is not None else ("", [])
        fields = ", ".join(Assembly._fields)
        with self._lock:
            try:
                found = self._db.execute(
                    f"SELECT {fields} FROM assembly_log {where} ORDER BY number DESC LIMIT ?", [*values, limit]
                ).fetchall()
            except sqlite3.Error as error:
                raise StoreError(f"the assembly log in {self._path} cannot be read: {error}") from error
        return [_assembly(row) for row in found]

    def put_given(self, session: str, packet: str, at: float) -> None:
        """Remember the last packet a session was given, and when."""
        with self._lock:
            try:
                self._db.execute("INSERT OR REPLACE INTO given VALUES (?, ?, ?)", (session, packet, at))
            except sqlite3.Error as error:
                raise StoreError(f"what the session was given could not be stored in {self._path}: {error}") from error

    def given(self, session: str) -> tuple[str, float] | None:
        """The last packet of a session and when it was given."""
        with self._lock:
            row = self._db.execute("SELECT packet, at FROM given WHERE session = ?", (session,)).fetchone()
            return (str(row[0]), float(row[1])) if row else None

    def close(self) -> None:
        self._db.close()


def _assembly(row: Sequence[Any]) -> Assembly:
    made = Assembly(*row)
    return made._replace(
        sources_queried=tuple(json.loads(row[Assembly._fields.index("sources_queried")])),
        compression_applied=tuple(json.loads(row[Assembly._fields.index("compression_applied")])),
    )
