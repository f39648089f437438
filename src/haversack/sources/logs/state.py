"""What must be remembered of a log so that its next lines can be counted to the others."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import BinaryIO, Final

import msgspec

from haversack.model import MetaValue
from haversack.sources.logs.formats import JOURNALD, JSON_LINES, LOGFMT, OTLP_LINES, PLAIN, SYSLOG, Format
from haversack.sources.logs.reading import Digest, TraceSeen
from haversack.sources.logs.tally import Key, Seen, Tally
from haversack.sources.logs.traces import Trace
from haversack.units.frames import Frame

MOST_REMEMBERED: Final = 3_000  # masked lines: some 300 kB packed; beyond, templates stand for their lines
HEAD_BYTES: Final = 4_096  # by which a log is known to be the one that was read before
TAIL_BYTES: Final = 256
FORMATS: Final[Mapping[str, Format]] = {
    each.name: each for each in (PLAIN, SYSLOG, LOGFMT, JSON_LINES, JOURNALD, OTLP_LINES)
}


class _Line(msgspec.Struct, array_like=True):
    level: str
    words: tuple[str, ...]
    count: int
    first: int
    last: int
    begins: str
    ends: str
    example: str


class _Trace(msgspec.Struct, array_like=True):
    language: str
    error: str
    frames: tuple[tuple[str, int, str], ...]
    text: str
    count: int
    first: int
    last: int
    last_end: int
    began: float | None
    ended: float | None


class _State(msgspec.Struct, array_like=True):
    format: str
    year: int
    lines: int
    offset: int
    dropped: int
    seen: list[_Line]
    traces: list[_Trace]
    tail_keys: list[tuple[str, tuple[str, ...]]]
    tail_traces: list[str]


def remembered(digest: Digest) -> Mapping[str, MetaValue]:
    """The digest as metadata of a unit. It must be redacted before."""
    if len(digest.tally.seen) > MOST_REMEMBERED:
        digest.tally.merge_down(MOST_REMEMBERED)
    state = _State(
        digest.format.name,
        digest.year,
        digest.lines,
        digest.offset,
        digest.tally.dropped,
        [
            _Line(
                key.level, key.words, seen.count, seen.first, seen.last,
                _text(seen.begins), _text(seen.ends), _text(seen.example),
            )
            for key, seen in digest.tally.seen.items()
        ],
        [
            _Trace(
                seen.trace.language, seen.trace.error,
                tuple((frame.path, frame.line, frame.function) for frame in seen.trace.frames),
                seen.trace.text, seen.count, seen.first, seen.last, seen.last_end, seen.began, seen.ended,
            )
            for seen in digest.traces.values()
        ],
        [(key.level, key.words) for key in digest.tail_keys],
        digest.tail_traces,
    )  # fmt: skip
    return {"state": msgspec.json.encode(state).decode()}


def recalled(meta: Mapping[str, MetaValue]) -> Digest | None:
    """The digest that was remembered; None when there is none that this version understands."""
    try:
        state = msgspec.json.decode(str(meta.get("state", "")), type=_State)
        format_ = FORMATS[state.format]
    except (msgspec.DecodeError, KeyError):
        return None
    tally = Tally(format_.head)
    tally.dropped = state.dropped
    for line in state.seen:
        seen = Seen(line.count, line.first, line.last, line.begins.encode(), line.ends.encode(), line.example.encode())
        tally.put(Key(line.level, line.words), seen)
    traces = {}
    for each in state.traces:
        trace = Trace(each.language, each.error, tuple(Frame(*frame) for frame in each.frames), each.text)
        traces[trace.signature] = TraceSeen(
            trace, each.count, each.first, each.last, each.last_end, each.began, each.ended
        )
    return Digest(
        format_,
        state.year,
        tally,
        traces,
        state.lines,
        state.offset,
        tail_keys=[Key(level, words) for level, words in state.tail_keys],
        tail_traces=state.tail_traces,
    )


def marks_of(file: BinaryIO, offset: int) -> str:
    """What tells a file from another up to that point, without reading it all."""
    file.seek(0)
    head = file.read(min(HEAD_BYTES, offset))
    file.seek(max(0, offset - TAIL_BYTES))
    tail = file.read(min(TAIL_BYTES, offset))
    return blake2b(head + b"\0" + tail, digest_size=12).hexdigest()


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace")
