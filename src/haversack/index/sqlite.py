"""The embedded store: SQLite in WAL mode for items and units, segment files beside it for the numbers.

A batch is committed in one transaction after its segment file is in place, so a crash at any moment leaves either the
old state or the new one, and at most an unreferenced file. Readers hold no lock that a writer waits for, and no writer
one that a reader waits for.
"""

from __future__ import annotations

import contextlib
import errno
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from haversack.errors import StoreBusyError, StoreError, database_hint
from haversack.index.records import decode_units
from haversack.index.segment import SUFFIX, Segment, concatenate, open_segment, rows_of, write_segment
from haversack.index.snapshot import ItemInfo, Snapshot
from haversack.index.store import Batch, ItemRow, Sizes
from haversack.model import Problem, Unit

FORMAT = "9"  # raise when the schema, the rows, the segment layout, the terms or the vectors change meaning
DATABASE = "index.sqlite"
BUSY_SECONDS = 20.0  # a commit takes milliseconds; a large one a few seconds
SMALL_UNITS = 8192  # segments below this are worth merging
SMALL_SEGMENTS = 8  # how many of them before a merge pays
DECODED_ITEMS = 4096  # items whose decoded units are kept in memory
ORPHAN_SECONDS = 3600.0  # an unreferenced segment older than this was left by a crash, not by a writer at work

SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS segment (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS item (
  id INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL,
  digest TEXT NOT NULL, lang TEXT NOT NULL, role TEXT NOT NULL, time REAL, size INTEGER NOT NULL, skipped TEXT NOT NULL,
  in_file INTEGER NOT NULL, segment INTEGER, first INTEGER NOT NULL, count INTEGER NOT NULL, UNIQUE (source, key));
CREATE INDEX IF NOT EXISTS item_key ON item (key);
CREATE TABLE IF NOT EXISTS unit (item INTEGER PRIMARY KEY, blob BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS problem (item INTEGER NOT NULL, place TEXT NOT NULL, what TEXT NOT NULL, fix TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS problem_item ON problem (item);
"""


class SqliteStore:
    """A Store in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rebuilt_because = ""
        self._lock = threading.RLock()
        self._snapshot: Snapshot | None = None
        self._open: dict[str, Segment] = {}
        self._decoded: dict[int, Sequence[Unit]] = {}
        self._skipped: tuple[int, dict[str, list[str]]] | None = None
        self.kept_items = DECODED_ITEMS
        self._busy_seconds = BUSY_SECONDS
        try:
            (folder / "segments").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"cannot create the index folder {folder}: {error.strerror}",
                hint="choose another one with --data-dir or HAVERSACK_DATA_DIR",
            ) from error
        try:
            self._db = self._connect()
        except sqlite3.OperationalError as error:  # a full disk, no access, another process: not damage
            raise self._unopened(error) from error
        except sqlite3.DatabaseError as error:
            self.reset(f"the index could not be opened ({error})")

    def wait_at_most(self, seconds: float) -> None:
        """From now on, wait no longer than this for another process that writes."""
        if seconds != self._busy_seconds:
            self._busy_seconds = seconds
            with self._lock:
                self._db.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")

    # -- opening, damage -------------------------------------------------------------------------------------------

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(
            self.folder / DATABASE, timeout=self._busy_seconds, isolation_level=None, check_same_thread=False
        )
        try:
            db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA mmap_size=268435456;")
            found = None
            with contextlib.suppress(sqlite3.OperationalError):
                found = db.execute("SELECT value FROM meta WHERE key='format'").fetchone()
            if found is not None and found[0] != FORMAT.encode():
                db.close()
                self._erase()
                self.rebuilt_because = "this version of haversack keeps a different index format"
                return self._connect()
            if found is None:
                db.executescript(
                    f"BEGIN IMMEDIATE; {SCHEMA} INSERT OR IGNORE INTO meta VALUES "
                    f"('format', CAST('{FORMAT}' AS BLOB)), ('generation', CAST('0' AS BLOB)); COMMIT;"
                )
        except sqlite3.DatabaseError:
            db.close()
            raise
        return db

    def _erase(self) -> None:
        for path in (*self.folder.glob(DATABASE + "*"), *(self.folder / "segments").glob("*")):
            path.unlink(missing_ok=True)

    def reset(self, reason: str) -> None:
        """Throw the index away and start empty: it holds nothing that the project does not."""
        with self._lock:
            if hasattr(self, "_db"):
                self._db.close()
            self._snapshot, self._open, self._decoded, self._skipped = None, {}, {}, None
            self._erase()
            try:
                self._db = self._connect()
            except sqlite3.OperationalError as error:
                raise self._unopened(error) from error
            self.rebuilt_because = reason

    def _unopened(self, error: sqlite3.Error) -> StoreError:
        return StoreError(
            f"the index in {self.folder} cannot be opened: {error}", hint=database_hint(error, "try again in a moment")
        )

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                raise StoreBusyError(
                    f"another process is writing the index in {self.folder}", hint="try again in a moment"
                ) from error
            try:
                yield self._db
                self._db.execute(
                    "UPDATE meta SET value = CAST(CAST(value AS TEXT) + 1 AS TEXT) WHERE key = 'generation'"
                )
                self._db.execute("COMMIT")
            except BaseException as error:
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    hint = database_hint(error, "try again in a moment")
                    raise StoreError(f"the index in {self.folder} could not be written: {error}", hint=hint) from error
                raise

    # -- reading ---------------------------------------------------------------------------------------------------

    def generation(self) -> int:
        """A number that every write raises."""
        row = self._db.execute(
            "SELECT CAST(CAST(value AS TEXT) AS INTEGER) FROM meta WHERE key='generation'"
        ).fetchone()
        return int(row[0])

    def snapshot(self) -> Snapshot:
        """A consistent view. An index that turns out to be damaged is thrown away; the next refresh fills it again."""
        with self._lock:
            try:
                if self._snapshot is None or self._snapshot.generation != self.generation():
                    self._snapshot = self._loaded()
            except (StoreError, sqlite3.DatabaseError) as error:
                if isinstance(error, sqlite3.OperationalError):  # busy, or no access: not damage
                    raise StoreError(f"the index in {self.folder} cannot be read: {error}") from error
                self.reset(str(error).splitlines()[0])
                self._snapshot = self._load()
            return self._snapshot

    def _loaded(self) -> Snapshot:
        for _ in range(2):
            with contextlib.suppress(StoreError):
                return self._load()
        # A merge in another process may have removed a file between two looks, but not three times.
        return self._load()

    def _load(self) -> Snapshot:
        self._db.execute("BEGIN")
        try:
            generation = self.generation()
            names = self._db.execute("SELECT id, name FROM segment ORDER BY id").fetchall()
            rows = self._db.execute(
                "SELECT id, source, key, lang, role, time, digest, segment, first, count, in_file FROM item "
                "WHERE skipped = '' ORDER BY source, key"
            ).fetchall()
        finally:
            self._db.execute("COMMIT")
        self._open = {n: self._open.get(n) or open_segment(self.folder / "segments", n) for _, n in names}
        at = {number: index for index, (number, _) in enumerate(names)}
        items = [
            ItemInfo(
                row,
                source,
                key,
                lang,
                role,
                when,
                digest,
                -1 if segment is None else at[segment],
                first,
                count,
                bool(in_file),
            )
            for row, source, key, lang, role, when, digest, segment, first, count, in_file in rows
        ]
        return Snapshot(generation, list(self._open.values()), items)

    def known(self, source: str) -> dict[str, tuple[str, str]]:
        with self._lock:
            rows = self._db.execute("SELECT key, fingerprint, digest FROM item WHERE source = ?", (source,))
            return {key: (fingerprint, digest) for key, fingerprint, digest in rows}

    def meta(self, key: str) -> bytes | None:
        with self._lock:
            row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
            return bytes(row[0]) if row else None

    def units(self, items: Sequence[int]) -> dict[int, Sequence[Unit]]:
        with self._lock:
            missing = [item for item in dict.fromkeys(items) if item not in self._decoded]
            if len(self._decoded) + len(missing) > self.kept_items:
                self._decoded = {item: self._decoded[item] for item in items if item in self._decoded}
            for start in range(0, len(missing), 500):
                part = missing[start : start + 500]
                rows = self._db.execute(
                    "SELECT item.id, source, key, lang, in_file, blob FROM item JOIN unit ON unit.item = item.id "
                    f"WHERE item.id IN ({','.join('?' * len(part))})",
                    part,
                )
                for row, source, key, lang, in_file, blob in rows:
                    self._decoded[row] = decode_units(blob, source=source, path=key if in_file else None, lang=lang)
            return {item: self._decoded.get(item, []) for item in items}

    def memo(self, item: int) -> bytes | None:
        with self._lock:
            row = self._db.execute(
                "SELECT blob FROM item LEFT JOIN unit ON unit.item = item.id WHERE item.id = ? AND count = 0", (item,)
            ).fetchone()
            return bytes(row[0] or b"") if row else None

    def problems(self) -> tuple[Problem, ...]:
        with self._lock:
            return tuple(
                Problem(*r) for r in self._db.execute("SELECT place, what, fix FROM problem ORDER BY place, what")
            )

    def skipped(self) -> dict[str, list[str]]:
        with self._lock:
            # Every item is looked at, and every packet asks: once for each state of the index is enough.
            generation = self.generation()
            if self._skipped is None or self._skipped[0] != generation:
                out: dict[str, list[str]] = {}
                for reason, key in self._db.execute(
                    "SELECT skipped, key FROM item WHERE skipped != '' ORDER BY skipped, key"
                ):
                    out.setdefault(reason, []).append(key)
                self._skipped = generation, out
            return self._skipped[1]

    def counts(self) -> dict[str, int]:
        """Units by source."""
        with self._lock:
            return dict(
                self._db.execute(
                    "SELECT source, SUM(count) FROM item WHERE skipped = '' GROUP BY source ORDER BY source"
                )
            )

    def sizes(self) -> Sizes:
        with self._lock:
            items, units, text = self._db.execute(
                "SELECT COUNT(*), COALESCE(SUM(count), 0), COALESCE(SUM(size), 0) FROM item WHERE skipped = ''"
            ).fetchone()
            segments = [n for (n,) in self._db.execute("SELECT name FROM segment")]
        disk = 0
        for path in (*self.folder.glob(DATABASE + "*"), *(self.folder / "segments" / name for name in segments)):
            with contextlib.suppress(OSError):
                disk += path.stat().st_size
        return Sizes(items, units, len(segments), text, disk)

    def check(self) -> tuple[Problem, ...]:
        fix = "haversack index --rebuild"
        found = []
        with self._lock:
            try:
                for (line,) in self._db.execute("PRAGMA quick_check"):
                    if line != "ok":
                        found.append(Problem(DATABASE, line, fix))
                for (name,) in self._db.execute("SELECT name FROM segment").fetchall():
                    segment = open_segment(self.folder / "segments", name)
                    if len(segment.offsets) and int(segment.offsets[-1]) != len(segment.units):
                        found.append(Problem(name, "postings do not add up", fix))
            except (sqlite3.DatabaseError, StoreError) as error:
                found.append(Problem(DATABASE, str(error).splitlines()[0], fix))
        return tuple(found)

    # -- writing ---------------------------------------------------------------------------------------------------

    def write(self, batch: Batch) -> None:
        name = None
        if batch.rows is not None and len(batch.rows):
            try:
                name = write_segment(self.folder / "segments", batch.rows)
            except OSError as error:
                what = "the disk is full" if error.errno == errno.ENOSPC else str(error.strerror or error)
                raise StoreError(
                    f"cannot write the index in {self.folder}: {what}", hint="free some space, or use --data-dir"
                ) from error
        with self._writing() as db:
            segment = db.execute("INSERT INTO segment (name) VALUES (?)", (name,)).lastrowid if name else None
            first = 0
            for item in batch.items:
                self._put(db, item, segment if item.units else None, first)
                first += item.units
            for source, key in batch.gone:
                self._delete(db, source, key)
            for source, key, fingerprint in batch.restamped:
                db.execute("UPDATE item SET fingerprint = ? WHERE source = ? AND key = ?", (fingerprint, source, key))
            for key, value in batch.meta.items():
                db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def _put(self, db: sqlite3.Connection, item: ItemRow, segment: int | None, first: int) -> None:
        same = db.execute(
            "SELECT 1 FROM item WHERE source = ? AND key = ? AND fingerprint = ? AND digest = ?",
            (item.source, item.key, item.fingerprint, item.digest),
        ).fetchone()
        if same:  # another process was faster; our rows stay unowned, which is dead
            return
        if item.in_file:  # another source may have read this file before
            for (source,) in db.execute(
                "SELECT source FROM item WHERE key = ? AND in_file = 1", (item.key,)
            ).fetchall():
                self._delete(db, source, item.key)
        else:
            self._delete(db, item.source, item.key)
        number = db.execute(
            "INSERT INTO item (source, key, fingerprint, digest, lang, role, time, size, skipped, in_file, segment, "
            "first, count) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                item.source,
                item.key,
                item.fingerprint,
                item.digest,
                item.lang,
                item.role,
                item.time,
                item.size,
                item.skipped,
                int(item.in_file),
                segment,
                first,
                item.units,
            ),
        ).lastrowid
        if item.blob:
            db.execute("INSERT INTO unit VALUES (?, ?)", (number, item.blob))
        for problem in item.problems:
            db.execute("INSERT INTO problem VALUES (?, ?, ?, ?)", (number, problem.where, problem.what, problem.fix))

    def _delete(self, db: sqlite3.Connection, source: str, key: str) -> None:
        row = db.execute("SELECT id FROM item WHERE source = ? AND key = ?", (source, key)).fetchone()
        if row:
            for statement in (
                "DELETE FROM item WHERE id = ?",
                "DELETE FROM unit WHERE item = ?",
                "DELETE FROM problem WHERE item = ?",
            ):
                db.execute(statement, row)

    def compact(self) -> bool:
        """Merge segments that are small or mostly dead into one; drop files nobody refers to."""
        snapshot = self.snapshot()
        due = []
        for number, segment in enumerate(snapshot.segments):
            base = int(snapshot.bases[number])
            living = int(snapshot.alive[base : base + len(segment)].sum())
            if living < SMALL_UNITS or living * 2 < len(segment):
                due.append(segment.name)
        halves = [n for n in due if len(self._open[n]) >= SMALL_UNITS]
        if len(due) <= SMALL_SEGMENTS and not halves:
            return False
        self._merge(set(due))
        self._sweep_orphans()
        return True

    def _merge(self, names: set[str]) -> None:
        with self._writing() as db:
            numbers = [(i, n) for i, n in db.execute("SELECT id, name FROM segment ORDER BY id") if n in names]
            parts, moves, base = [], [], 0
            for number, name in numbers:
                segment = self._open.get(name) or open_segment(self.folder / "segments", name)
                alive = np.zeros(len(segment), dtype=bool)
                for item, first, count in db.execute(
                    "SELECT id, first, count FROM item WHERE segment = ? ORDER BY first", (number,)
                ):
                    alive[first : first + count] = True
                    moves.append((base, item))
                    base += count
                if alive.any():
                    parts.append(rows_of(segment, alive))
            if parts:
                merged = write_segment(self.folder / "segments", concatenate(parts))
                into = db.execute("INSERT INTO segment (name) VALUES (?)", (merged,)).lastrowid
                db.executemany("UPDATE item SET segment = ?, first = ? WHERE id = ?", [(into, f, i) for f, i in moves])
            db.executemany("DELETE FROM segment WHERE id = ?", [(number,) for number, _ in numbers])
        for _, name in numbers:
            with contextlib.suppress(
                OSError
            ):  # still mapped by a reader on systems that forbid this: an orphan for later
                (self.folder / "segments" / name).unlink(missing_ok=True)

    def _sweep_orphans(self) -> None:
        with self._lock:
            kept = {name for (name,) in self._db.execute("SELECT name FROM segment")}
        for path in (self.folder / "segments").glob(f"*{SUFFIX}*"):
            with contextlib.suppress(OSError):
                if path.name not in kept and time.time() - path.stat().st_mtime > ORPHAN_SECONDS:
                    path.unlink()

    def close(self) -> None:
        with self._lock:
            self._db.close()
            self._snapshot, self._open, self._decoded, self._skipped = None, {}, {}, None
