"""From an open log to units: its format told, its lines counted, its secrets gone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

from haversack.model import MetaValue, Problem, Unit
from haversack.sources.logs import formats, otlp
from haversack.sources.logs.cleaning import clean
from haversack.sources.logs.formats import Format, format_of
from haversack.sources.logs.junit import read_report
from haversack.sources.logs.opening import (
    PACKED,
    PIECE_BYTES,
    SNIFFED,
    UnreadableError,
    is_binary,
    is_wide,
    read_some,
    unpacked,
)
from haversack.sources.logs.pieces import Place, Wanted, report_units, units_of
from haversack.sources.logs.reading import Digest, count_piece, read_log
from haversack.sources.logs.state import marks_of, remembered
from haversack.sources.protocol import CAUTION

MOST_DOCUMENT_BYTES: Final = 64 << 20  # of a document that has to be read whole
TIMELESS: Final = "no line says when it was written; all of it counts as recent"
LAST_BYTES: Final = 1 << 16  # where the newest line is looked for


def digest_log(
    raw: BinaryIO, name: str, place: Place, mtime: float, wanted: Wanted, known: Digest | None
) -> tuple[list[Unit], list[Problem]]:
    """The units of a log and what was wrong with it; `known` is what was read of it before."""
    try:
        raw.seek(0)
        file = unpacked(raw, name)
        sample = read_some(file, SNIFFED)
        if is_binary(sample):
            return [], [Problem(name, "is not text", "leave it out of files under [sources.logs]")]
        found = known.format if known else format_of(_narrow(sample))
        if isinstance(found, str):
            return _document(file, found, place, mtime, wanted)
        return _lines(raw, file, found, place, mtime, wanted, known, sample)
    except UnreadableError as error:
        return [], [Problem(name, error.what, error.fix)]


def _lines(
    raw: BinaryIO,
    file: BinaryIO,
    format_: Format,
    place: Place,
    mtime: float,
    wanted: Wanted,
    known: Digest | None,
    sample: bytes,
) -> tuple[list[Unit], list[Problem]]:
    digest = known or Digest.of(format_, mtime)
    packed = place.key.endswith(PACKED)
    # Up to where the file ends now: one that grows while it is read would never end.
    end = None if packed else raw.seek(0, 2)
    cutoff = _cutoff(raw, digest, mtime, wanted, end)
    file.seek(digest.offset)
    read_log(digest, file, end=end, cutoff=cutoff)
    clean(digest)
    meta: dict[str, MetaValue] = {}
    units = units_of(digest, place, wanted, meta)
    if not packed and not is_wide(sample) and place.key != "-":
        meta |= {**remembered(digest), "marks": marks_of(raw, digest.offset)}
        units[0] = _with_meta(units[0], meta)
    if units[0].time is None:
        units = [_with_meta(unit, {CAUTION: TIMELESS}) for unit in units]
    return units, _problems(digest, place.key)


def _with_meta(unit: Unit, meta: dict[str, MetaValue]) -> Unit:
    from msgspec.structs import replace

    return replace(unit, meta={**unit.meta, **meta})


def _cutoff(raw: BinaryIO, digest: Digest, mtime: float, wanted: Wanted, end: int | None) -> float | None:
    """The time before which lines are passed over: so many hours before the newest line."""
    if end is None:
        return mtime - wanted.window_hours * 3600
    raw.seek(max(0, end - LAST_BYTES))
    for line in reversed(raw.read(LAST_BYTES).split(b"\n")):
        when = digest.format.time(line, digest.year) if line.strip() else None
        if when is not None:
            return when - wanted.window_hours * 3600
    return None


def _document(
    file: BinaryIO, kind: str, place: Place, mtime: float, wanted: Wanted
) -> tuple[list[Unit], list[Problem]]:
    file.seek(0)
    if kind == formats.JUNIT:
        report = read_report(_blocks(file))
        problems = [Problem(place.key, report.problem)] if report.problem else []
        return (report_units(report, place) if report.tests else []), problems
    text = read_some(file, MOST_DOCUMENT_BYTES)
    digest = Digest.of(formats.OTLP_LINES, mtime)
    count_piece(digest, otlp.document(text))
    digest.lines = text.count(b"\n") + 1
    clean(digest)
    return units_of(digest, place, wanted, {}), _problems(digest, place.key)


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    left = MOST_DOCUMENT_BYTES
    while left > 0 and (block := read_some(file, min(PIECE_BYTES, left))):
        left -= len(block)
        yield block


def _narrow(sample: bytes) -> bytes:
    return sample.decode("utf-16", "replace").encode() if is_wide(sample) else sample


def _problems(digest: Digest, name: str) -> list[Problem]:
    found = []
    if digest.damage:
        found.append(Problem(name, digest.damage.what, digest.damage.fix))
    if digest.broken:
        what = f"{len(digest.broken)} lines are not complete {digest.format.name}, the first is line {digest.broken[0]}"
        found.append(Problem(name, what, "they are taken as text"))
    if digest.clipped:
        what = f"line {digest.clipped[0]} is too long: only its beginning is read"
        found.append(Problem(name, what, "write one line per event"))
    if digest.tally.dropped:
        what = f"has too many different lines: {digest.tally.dropped} of the rarest are left out"
        found.append(Problem(name, what, "raise the level under [sources.logs]"))
    return found
