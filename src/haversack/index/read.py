"""Read project files into item rows and numeric rows: the part of indexing that runs side by side."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from haversack.index.records import encode_units
from haversack.index.store import ItemRow
from haversack.model import Problem, Unit
from haversack.sources.protocol import FileSource, Reading, TakesByText, TextFile

if TYPE_CHECKING:
    from haversack.index.embed import Embedder
    from haversack.index.segment import Rows
    from haversack.project import Project, Skipped

RACY_NS = 2_000_000_000  # a file written this shortly before it was read may change again within one clock tick
UNCLAIMED = "none"  # the source of files that were looked at and set aside
MOST_UNITS = 5_000  # of one file; the rest of it is reachable through the file unit


class Wanted(Struct, frozen=True):
    """A file to read, its fingerprint by stat, and the digest it had when it was read last."""

    path: str
    stamp: str = ""
    digest: str = ""


class Prepared(Struct, frozen=True):
    """What reading some items gave: rows for the store, and items whose content turned out to be the same."""

    items: tuple[ItemRow, ...]
    rows: Rows
    restamped: tuple[tuple[str, str, str], ...] = ()


def fingerprint(size: int, mtime_ns: int, now_ns: int | None = None) -> str:
    """Changes when the file does. One that may still be changing unnoticed never equals a later one."""
    racy = now_ns is not None and now_ns - mtime_ns < RACY_NS
    stamp = f"{size}:{mtime_ns}"
    return uncertain(stamp) if racy else stamp


def uncertain(stamp: str) -> str:
    """The fingerprint of a file that was so young when it was read that it may have changed since without a trace."""
    return f"{stamp}?"


def read_files(
    project: Project, sources: Sequence[FileSource], wanted: Sequence[Wanted], embedder: Embedder | None
) -> Prepared:
    """Read, cut and prepare files; a file that cannot be read becomes an item that says why."""
    from haversack.index.prepare import prepare
    from haversack.project import Skipped, read_text

    items: list[ItemRow] = []
    restamped: list[tuple[str, str, str]] = []
    units: list[Unit] = []
    for want in wanted:
        now = time.time_ns()
        file = read_text(project, want.path)
        if isinstance(file, Skipped):
            items.append(_set_aside(project, file, now))
            continue
        stamp = fingerprint(file.size, file.mtime_ns, now)
        source = next((s for s in sources if _reads(s, file)), None)
        if source is None:
            items.append(ItemRow(UNCLAIMED, file.path, stamp, file.digest, skipped="no source reads it"))
            continue
        if want.digest == file.digest:
            restamped.append((source.name, file.path, stamp))
            continue
        row, cut = _cut(source, file, stamp)
        items.append(row)
        units.extend(cut)
    return Prepared(tuple(items), prepare(units, embedder), tuple(restamped))


def _reads(source: FileSource, file: TextFile) -> bool:
    if not source.claims(file.path, file.lang):
        return False
    return source.takes(file) if isinstance(source, TakesByText) else True


def prepare_reading(source: str, readings: Sequence[tuple[Reading, str]], embedder: Embedder | None) -> Prepared:
    """The same for readings of a source that is not made of files, each with its fingerprint."""
    from haversack.index.prepare import prepare

    items: list[ItemRow] = []
    units: list[Unit] = []
    for reading, stamp in readings:
        blob = encode_units(reading.units, keep_text=True) if reading.units else reading.memo
        when = max((unit.time for unit in reading.units if unit.time is not None), default=None)
        size = sum(len(unit.text) for unit in reading.units)
        items.append(
            ItemRow(source, reading.key, stamp, stamp, time=when, size=size, units=len(reading.units), blob=blob,
                    in_file=False, problems=reading.problems)
        )  # fmt: skip
        units.extend(reading.units)
    return Prepared(tuple(items), prepare(units, embedder))


def set_aside(want: Wanted, reason: str) -> Prepared:
    """A file that cannot be read at all, as an item that says so and is not tried again until it changes."""
    from haversack.index.prepare import prepare

    problem = Problem(want.path, reason, "add it to .haversackignore, and please report its shape as a bug")
    return Prepared(
        (ItemRow(UNCLAIMED, want.path, want.stamp, "", skipped=reason, problems=(problem,)),), prepare([], None)
    )


def _cut(source: FileSource, file: TextFile, stamp: str) -> tuple[ItemRow, list[Unit]]:
    problems: tuple[Problem, ...] = ()
    try:
        units = list(source.units(file))[:MOST_UNITS]
    except Exception as error:  # one broken source never breaks the index: the file is named, the rest goes on
        units = []
        problems = (Problem(file.path, f"source {source.name} failed: {error!r}", "report this file's shape as a bug"),)
    row = ItemRow(
        source=source.name,
        key=file.path,
        fingerprint=stamp,
        digest=file.digest,
        lang=file.lang,
        role=str(file.role),
        time=file.mtime_ns / 1e9,
        size=file.size,
        units=len(units),
        blob=encode_units(units, keep_text=False) if units else b"",
        problems=problems,
    )
    return row, units


def _set_aside(project: Project, skipped: Skipped, now: int) -> ItemRow:
    try:
        found = project.resolve(skipped.path).lstat()
        stamp = fingerprint(found.st_size, found.st_mtime_ns, now)
    except OSError:
        stamp = "?"
    problems = (Problem(skipped.path, skipped.detail or skipped.reason),) if skipped.reason == "unreadable" else ()
    return ItemRow(UNCLAIMED, skipped.path, stamp, "", skipped=skipped.reason, problems=problems)
