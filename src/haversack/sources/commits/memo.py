"""What HEAD remembers: which lines of today's files past commits changed. Every packet asks, so it loads little."""

from __future__ import annotations

from zlib import crc32

import msgspec
from msgspec import Struct

MAX_LINES = 60_000  # of a file; lines are followed one by one, and a longer one is data


class Touched(Struct, frozen=True, array_like=True):
    """Which lines of today's files the newest commits of one history changed.

    `commits` are keys in the store, newest first, `sizes` how many files each changed. `files` are paths, each with as
    many of the ranges as `counts` says; `ranges` holds number of the commit, first and last line of each, one after the
    other, as 32-bit numbers. `committed` are the checksums of all files that HEAD has, in order. The rest is for the
    next time: what git said of each commit, of which ones it could say nothing, and the rules by which some of it was
    left out.
    """

    commits: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    files: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    ranges: bytes = b""
    committed: bytes = b""
    hunks: bytes = b""
    unreadable: tuple[str, ...] = ()
    rules: str = ""


def decode(memo: bytes) -> Touched:
    """What a memo says; nothing, where there is none or it is damaged."""
    try:
        return msgspec.msgpack.decode(memo, type=Touched) if memo else Touched()
    except (msgspec.DecodeError, msgspec.ValidationError):
        return Touched()


def checksum(path: str) -> int:
    """What a committed file is remembered by: thousands are, and only whether one is among them is asked."""
    return crc32(path.encode("utf-8", "surrogatepass"))
