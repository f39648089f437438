"""Lines of a file that may be growing, without end, or cut off: streamed, bounded, with their numbers and offsets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

from msgspec import Struct

BLOCK: Final = 1 << 20
# Transcripts carry pictures and whole files in one line; what is longer than this is no message anybody wrote.
LONGEST_LINE: Final = 16 << 20


class Line(Struct, frozen=True):
    """One line: its number, where it ends, its bytes (None when it is too long), whether a line break ended it."""

    number: int
    end: int
    body: bytes | None
    complete: bool = True


def read_lines(file: BinaryIO, offset: int = 0, breaks: int = 0, *, longest: int = LONGEST_LINE) -> Iterator[Line]:
    """Lines from `offset` on, which `breaks` line breaks come before. The last one may be torn."""
    kept: list[bytes] = []
    size = 0
    start = offset
    while block := file.read(BLOCK):
        at = 0
        while (end := block.find(b"\n", at)) >= 0:
            size += end - at
            if size <= longest:
                kept.append(block[at:end])
            breaks += 1
            start += size + 1
            yield Line(breaks, start, b"".join(kept) if size <= longest else None)
            kept, size, at = [], 0, end + 1
        size += len(block) - at
        if size <= longest:
            kept.append(block[at:])
        else:
            kept.clear()
    if size:
        yield Line(breaks + 1, start + size, b"".join(kept) if size <= longest else None, complete=False)
