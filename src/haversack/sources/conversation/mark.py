"""How far a transcript was read: what the index remembers of it between two readings."""

from __future__ import annotations

import os
from hashlib import blake2b
from typing import BinaryIO, Final

import msgspec

TAIL: Final = 256  # bytes before the place where reading stopped, by which it is recognised again
VERSION: Final = 1  # raise when transcripts are to be read anew


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """The state of one transcript.

    `stamp` is the file by stat, `offset` and `breaks` what was read of it, `tail` a digest of the bytes before that,
    `leaf` the record that the next one follows, `chunks` how many pieces it is kept in. `decided` is False while no
    record has told yet whose transcript this is.
    """

    stamp: str = ""
    offset: int = 0
    breaks: int = 0
    tail: str = ""
    leaf: str = ""
    chunks: int = 0
    decided: bool = False
    messages: int = 0
    unknown: int = 0
    version: int = VERSION


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Mark).decode


def encode_mark(mark: Mark) -> str:
    """The mark as the index keeps it."""
    return _encode(mark).decode()


def decode_mark(text: str) -> Mark:
    """The mark as it was kept; an empty one when it is none, or of another version."""
    try:
        mark = _decode(text)
    except (msgspec.MsgspecError, ValueError):
        return Mark()
    return mark if mark.version == VERSION else Mark()


def stamp_of(found: os.stat_result) -> str:
    """What changes when a file does."""
    return f"{found.st_size}:{found.st_mtime_ns}:{found.st_ino}"


def tail_of(file: BinaryIO, offset: int) -> str:
    """A digest of the bytes before an offset; the file is left at the offset."""
    start = max(0, offset - TAIL)
    file.seek(start)
    return blake2b(file.read(offset - start), digest_size=8).hexdigest()
