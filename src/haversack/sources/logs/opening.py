"""Log files as pieces of whole lines: plain or compressed, however long, however fast they grow."""

from __future__ import annotations

import codecs
import gzip
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final, TypeAlias, cast

from msgspec import Struct

PIECE_BYTES: Final = 4 << 20
LONGEST_LINE: Final = 1 << 18  # bytes of a line that are kept; what follows is passed over
MOST_BYTES: Final = 1 << 30  # of one file, unpacked: more is read from its end, or not at all when it is packed
SNIFFED: Final = 1 << 16
PACKED: Final = (".gz", ".zst")
_CONTROL: Final = bytes(code for code in range(32) if code not in (9, 10, 12, 13, 27, 31))
_BINARY_SHARE: Final = 0.05  # of bytes no text has: random bytes hold twice that, a log that broke off keeps a few


_Decode: TypeAlias = Callable[[bytes, bool], bytes]


class UnreadableError(Exception):
    """Why a file cannot be read, and the way out."""

    def __init__(self, what: str, fix: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix


class Lines(Struct, frozen=True):
    """Whole lines of a file: their bytes without line breaks, the first one's number, and where they begin and end."""

    lines: list[bytes]
    first: int
    start: int
    end: int
    finished: bool
    """Whether the last line ends in a line break."""
    clipped: tuple[int, ...] = ()
    """Numbers of lines of which only the beginning is here."""


def unpacked(file: BinaryIO, name: str) -> BinaryIO:
    """The bytes of a log, by the ending of its name."""
    if name.endswith(".gz"):
        return cast("BinaryIO", gzip.GzipFile(fileobj=file, mode="rb"))
    if name.endswith(".zst"):
        from haversack.sources.zstd import unpacked as unzstd

        return unzstd(file)
    return file


def is_wide(sample: bytes) -> bool:
    """Whether bytes begin as UTF-16."""
    return sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def is_binary(sample: bytes) -> bool:
    """Whether bytes are no text in any encoding read here."""
    if not sample or is_wide(sample):
        return False
    return len(sample) - len(sample.translate(None, _CONTROL)) > _BINARY_SHARE * len(sample)


def read_some(file: BinaryIO, size: int) -> bytes:
    """The next bytes, fewer only at the end; UnreadableError when they cannot be unpacked."""
    parts = []
    try:
        while size > 0 and (part := file.read(size)):
            parts.append(part)
            size -= len(part)
    except Exception as error:  # a packed file that is damaged raises what its format likes
        if not parts:
            raise UnreadableError(f"cannot be read further: {error}", "what came before is used") from None
    return b"".join(parts)


def read_lines(file: BinaryIO, *, start: int = 0, number: int = 1, end: int | None = None) -> Iterator[Lines]:
    """Pieces of whole lines from `start` (whose line has that number) to `end`, or to where the file ends now."""
    left = MOST_BYTES if end is None else max(0, end - start)
    decode = _decoder_of(file, start)
    rest = b""
    passed_over = 0  # bytes of the line at the head of `rest`
    clipped: tuple[int, ...] = ()
    at, last = start, False
    while not last:
        block = read_some(file, min(PIECE_BYTES, left)) if left else b""
        left -= len(block)
        last = not block
        text = decode(block, last)
        if passed_over:
            cut = text.find(b"\n")
            passed_over += len(text) if cut < 0 else cut
            text = b"" if cut < 0 else text[cut:]
        text = rest + text
        stop = len(text) if last else text.rfind(b"\n") + 1
        whole, rest = text[:stop], text[stop:]
        if whole:
            lines = whole.removesuffix(b"\n").split(b"\n")
            end_at = at + len(whole) + passed_over
            if len(whole) > LONGEST_LINE and max(map(len, lines)) > LONGEST_LINE:
                clipped += tuple(n for n, line in enumerate(lines, number) if len(line) > LONGEST_LINE)
                lines = [line[:LONGEST_LINE] for line in lines]
            yield Lines(lines, number, at, end_at, whole.endswith(b"\n"), clipped)
            number += len(lines)
            at, passed_over, clipped = end_at, 0, ()
        if len(rest) > LONGEST_LINE:
            passed_over += len(rest) - LONGEST_LINE
            rest, clipped = rest[:LONGEST_LINE], (number,)


def _decoder_of(file: BinaryIO, start: int) -> _Decode:
    """UTF-16, as some systems write logs, becomes UTF-8; anything else stays as it is."""
    if start == 0:
        mark = read_some(file, 2)
        file.seek(0)
        if is_wide(mark):
            wide = codecs.getincrementaldecoder("utf-16")("replace")
            return lambda block, last: wide.decode(block, last).encode("utf-8", "replace")
    return lambda block, _: block
