"""Which format a log is in, told from its beginning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from haversack.sources.logs import canonical, journald, jsonl, junit, logfmt, otlp, plain, syslog
from haversack.sources.logs.canonical import SEPARATOR, Piece
from haversack.sources.logs.stamps import time_of, time_said
from haversack.sources.logs.tally import Head

SAMPLED_LINES: Final = 50


class Format(Struct, frozen=True):
    """A format of lines. `piece` makes lines of its records; text needs none."""

    name: str
    head: Head
    piece: Callable[[Sequence[bytes], int], Piece] | None = None

    def time(self, line: bytes, year: int) -> float | None:
        """When a line of the file was written."""
        made = self.piece([line], 1).lines if self.piece else [line]
        return line_time(made[-1], year) if made else None


PLAIN: Final = Format("text", plain.head)
SYSLOG: Final = Format("syslog", syslog.head)
LOGFMT: Final = Format("logfmt", logfmt.head)
JSON_LINES: Final = Format("json lines", canonical.head, jsonl.piece)
JOURNALD: Final = Format("journald", canonical.head, journald.piece)
OTLP_LINES: Final = Format("otlp", canonical.head, otlp.piece)
OTLP_DOCUMENT: Final = "otlp document"
JUNIT: Final = "junit"


def format_of(sample: bytes) -> Format | str:
    """The format of a log that begins like this; a name for what is one document and not lines."""
    begin = sample.lstrip(b"\xef\xbb\xbf \t\r\n")
    # Syslog begins with `<34>`.
    if begin.startswith(b"<") and (junit.MARK in sample or begin.startswith((b"<?xml", b"<!"))):
        return JUNIT
    if begin.startswith(b"{"):
        return _json(begin, sample)
    lines = [line.decode("utf-8", "replace") for line in sample.split(b"\n")[:SAMPLED_LINES] if line.strip()]
    for found, test in ((SYSLOG, syslog.is_syslog), (LOGFMT, logfmt.is_logfmt)):
        if lines and sum(map(test, lines)) * 2 > len(lines):
            return found
    if lines and sum(line.startswith("{") for line in lines) * 2 > len(lines):
        return JSON_LINES
    return PLAIN


def _json(begin: bytes, sample: bytes) -> Format | str:
    first = begin.split(b"\n", 1)[0].rstrip()
    if otlp.MARK in sample:
        return OTLP_LINES if first.endswith(b"}") and otlp.MARK in first else OTLP_DOCUMENT
    return JOURNALD if journald.MARK in sample else JSON_LINES


def line_time(line: bytes, year: int) -> float | None:
    """When a line was written, be it text or made from a record."""
    text = line[:400].decode("utf-8", "replace")
    said, found, _ = text.partition(SEPARATOR)
    return time_said(said, year) if found else time_of(text, year)
