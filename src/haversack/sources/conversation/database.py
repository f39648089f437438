"""Other programs' SQLite files: opened to read only, never waited for long, never written beside."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeAlias

from haversack.errors import SourceError
from haversack.sources.outside import open_declared

MOST_BYTES: Final = 64 << 30  # Cursor's grow to tens of gigabytes, of which a few rows are read
BUSY_SECONDS: Final = 0.3  # a packet waits this long for another program's write
MOST_SECONDS: Final = 4.0  # a query that takes longer is given up
_STEPS: Final = 20_000  # of SQLite's machine between two looks at the clock
_WAL_VERSION: Final = 2
_WAL_BYTE: Final = 18

Row: TypeAlias = tuple[str | int | float | bytes | None, ...]


class Database:
    """One open database of another program."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, statement: str, values: Sequence[str | int | float] = ()) -> Iterator[Row]:
        """What a query finds."""
        yield from self._connection.execute(statement, values)

    def columns(self, table: str) -> frozenset[str]:
        """The columns a table has; none when there is no such table."""
        return frozenset(str(row[1]) for row in self.rows(f"PRAGMA table_info({table})"))


@contextmanager
def opened(path: str, declared: Sequence[str]) -> Iterator[Database]:
    """The database, read-only; SourceError says why it cannot be read."""
    with open_declared(path, declared, most_bytes=MOST_BYTES) as file:
        head = file.read(_WAL_BYTE + 1)
    # Without its log a database in WAL mode has no writer, and asking for locks would create files beside it.
    quiet = head[_WAL_BYTE:] == bytes([_WAL_VERSION]) and not os.path.exists(f"{path}-wal")
    # Imported late: this module is loaded before every packet and seldom has something to open.
    from urllib.parse import quote

    source = f"file:{quote(path)}?mode=ro" + ("&immutable=1" if quiet else "")
    connection = None
    try:
        connection = sqlite3.connect(source, uri=True, timeout=BUSY_SECONDS)
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        connection.execute("PRAGMA query_only=ON")
        deadline = time.monotonic() + MOST_SECONDS
        connection.set_progress_handler(lambda: int(time.monotonic() > deadline), _STEPS)
        yield Database(connection)
    except sqlite3.OperationalError as error:
        fix = "It is tried again with the next packet; close the program that holds it if this stays."
        raise SourceError(f"{path} cannot be read now: {error}", hint=fix) from None
    except sqlite3.DatabaseError as error:
        raise SourceError(
            f"{path} is no sound database: {error}", hint="Its own program may be able to repair it."
        ) from None
    finally:
        if connection is not None:
            connection.close()


def stamp_of(path: str) -> str:
    """What changes when the database or its log does; empty when there is none."""
    stamps = []
    for each in (path, f"{path}-wal"):
        try:
            found = Path(each).stat()
            stamps.append(f"{found.st_size}:{found.st_mtime_ns}")
        except OSError:
            stamps.append("")
    return "|".join(stamps) if stamps[0] else ""
