"""A log read from a point on: lines counted, traces joined, up to where the next reading goes on."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO, Final

from msgspec import Struct, field
from msgspec.structs import replace

from haversack.sources.logs.canonical import Piece
from haversack.sources.logs.formats import Format, line_time
from haversack.sources.logs.opening import Lines, UnreadableError, read_lines
from haversack.sources.logs.tally import Key, Tally
from haversack.sources.logs.traces import MOST_LINES, Block, Trace, find_blocks, trace_in, understand_block

MOST_TRACES: Final = 500  # different ones of one file; further ones are counted as lines
LINES_BEFORE: Final = 3  # where the time of a trace may stand
TIMELESS_LINES: Final = 50  # that may stand between two lines with a time


class TraceSeen(Struct, frozen=True):
    """A trace: how often, its lines the first and the last time, and when."""

    trace: Trace
    count: int
    first: int
    last: int
    last_end: int
    began: float | None
    ended: float | None

    def then(self, later: TraceSeen) -> TraceSeen:
        """Both together, the later one shown."""
        began = self.began if self.began is not None else later.began
        ended = later.ended if later.ended is not None else self.ended
        return replace(later, count=self.count + later.count, first=self.first, began=began, ended=ended)


class Digest(Struct):
    """What is known of a log: counted lines, traces, and where reading stopped."""

    format: Format
    year: int
    tally: Tally
    traces: dict[str, TraceSeen] = field(default_factory=dict)
    lines: int = 0
    offset: int = 0
    """Everything before is counted for good; what follows is counted, too, and taken back before it is read again."""
    tail_lines: int = 0
    tail_keys: list[Key] = field(default_factory=list)
    tail_traces: list[str] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)
    clipped: list[int] = field(default_factory=list)
    damage: UnreadableError | None = None

    @classmethod
    def of(cls, format_: Format, mtime: float) -> Digest:
        """Nothing yet, of a log last written at that time."""
        return cls(format_, time.gmtime(mtime).tm_year, Tally(format_.head))


def read_log(digest: Digest, file: BinaryIO, *, end: int | None, cutoff: float | None) -> None:
    """Read on from the digest's offset to `end`; lines older than `cutoff` are passed over."""
    forget_tail(digest)
    carry: list[bytes] = []
    started = cutoff is None or digest.offset > 0
    pieces = read_lines(file, start=digest.offset, number=digest.lines + 1, end=end)
    for piece in _until_damaged(pieces, digest):
        digest.clipped += piece.clipped
        lines, first = [*carry, *piece.lines], piece.first - len(carry)
        if not started and cutoff is not None:
            skip = _older(digest, lines, cutoff)
            lines, first = lines[skip:], first + skip
            started = bool(lines)
        blocks = [] if digest.format.piece else find_blocks(lines)
        keep = _whole(lines, blocks, piece.finished)
        _count(digest, lines[:keep], first, [block for block in blocks if block.start < keep])
        carry = lines[keep:]
        digest.lines = first + keep - 1
        digest.offset = piece.end - sum(len(line) + 1 for line in carry) + (0 if piece.finished or not carry else 1)
    if carry:
        _count_tail(digest, carry, digest.lines + 1)


def forget_tail(digest: Digest) -> None:
    """Take back what was counted after the offset."""
    for key in digest.tail_keys:
        digest.tally.take_back(key)
    for signature in digest.tail_traces:
        have = digest.traces.get(signature)
        if have and have.count > 1:
            digest.traces[signature] = replace(have, count=have.count - 1)
        elif have:
            del digest.traces[signature]
    digest.tail_lines, digest.tail_keys, digest.tail_traces = 0, [], []


def _until_damaged(pieces: Iterator[Lines], digest: Digest) -> Iterator[Lines]:
    try:
        yield from pieces
    except UnreadableError as error:
        digest.damage = error


def _older(digest: Digest, lines: Sequence[bytes], cutoff: float) -> int:
    """How many lines at the beginning are older, in a log whose times never go back; 0 where it tells no times."""

    def first_time(some: Iterable[bytes]) -> float | None:
        times = (digest.format.time(line, digest.year) for line in some)
        return next((when for when in times if when is not None), None)

    def is_recent(at: int) -> bool:
        when = first_time(lines[at : at + TIMELESS_LINES])
        return when is None or when >= cutoff

    newest = first_time(reversed(lines[-TIMELESS_LINES:]))
    if newest is None:
        return 0
    return len(lines) if newest < cutoff else bisect_left(range(len(lines)), True, key=is_recent)


def _whole(lines: Sequence[bytes], blocks: Sequence[Block], finished: bool) -> int:
    """How many lines can be counted for good: not a trace that may go on, not a line that is still being written."""
    keep = len(lines) if finished else len(lines) - 1
    if blocks and blocks[-1].end >= keep and blocks[-1].end - blocks[-1].start < MOST_LINES:
        keep = min(keep, max(0, blocks[-1].start - LINES_BEFORE))  # with the lines its time may stand in
    return keep


def _count(digest: Digest, lines: Sequence[bytes], first: int, blocks: Sequence[Block]) -> None:
    if digest.format.piece:
        _count_records(digest, lines, first)
    elif not blocks:
        digest.tally.add(lines, range(first, first + len(lines)))
    else:
        inside = bytearray(len(lines))
        for block in blocks:
            when = _time_near(digest, lines, block.start)
            trace = understand_block(block)
            # A test that only printed something is a block, too.
            is_trace = bool(trace.frames) or block.language.begins is None
            if is_trace and _put(digest, trace, first + block.start, first + block.end - 1, when):
                inside[block.start : block.end] = b"\1" * (block.end - block.start)
        outside = [number for number, mark in enumerate(inside) if not mark]
        digest.tally.add([lines[number] for number in outside], [first + number for number in outside])


def _count_records(digest: Digest, lines: Sequence[bytes], first: int) -> None:
    assert digest.format.piece is not None
    count_piece(digest, digest.format.piece(lines, first))


def count_piece(digest: Digest, piece: Piece) -> None:
    """Count records and the traces in them."""
    digest.tally.add(piece.lines, piece.numbers, piece.originals)
    digest.broken += piece.broken
    for number, said, text in piece.stacks:
        trace = trace_in(text)
        if trace and trace.frames:
            _put(digest, trace, number, number, line_time(f"{said}\x1f".encode(), digest.year))


def _count_tail(digest: Digest, lines: Sequence[bytes], first: int) -> None:
    digest.tail_lines = len(lines)
    before = {signature: seen.count for signature, seen in digest.traces.items()}
    blocks = [] if digest.format.piece else find_blocks(lines)
    _count(digest, lines, first, blocks)
    inside = {number for block in blocks for number in range(block.start, block.end)}
    digest.tail_keys = [
        digest.tally.key_of(made)
        for number, line in enumerate(lines)
        if number not in inside
        for made in (digest.format.piece([line], 1).lines if digest.format.piece else [line])
    ]
    digest.tail_traces = [
        signature for signature, seen in digest.traces.items() for _ in range(seen.count - before.get(signature, 0))
    ]


def _time_near(digest: Digest, lines: Sequence[bytes], start: int) -> float | None:
    for line in reversed(lines[max(0, start - LINES_BEFORE) : start + 1]):
        when = line_time(line, digest.year)
        if when is not None:
            return when
    return None


def _put(digest: Digest, trace: Trace, first: int, last: int, when: float | None) -> bool:
    have = digest.traces.get(trace.signature)
    if have is None and len(digest.traces) >= MOST_TRACES:
        return False
    seen = TraceSeen(trace, 1, first, first, last, when, when)
    digest.traces[trace.signature] = have.then(seen) if have else seen
    return True
