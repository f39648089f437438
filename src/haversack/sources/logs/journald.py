"""`journalctl -o json`: one object a line, fields in capitals, a message of odd bytes as a list of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from haversack.sources.logs.canonical import Piece, Record

MARK: Final = b"__REALTIME_TIMESTAMP"


class _Entry(msgspec.Struct, rename={"time": "__REALTIME_TIMESTAMP", "own_time": "_SOURCE_REALTIME_TIMESTAMP"}):
    """The fields of an entry that are used."""

    MESSAGE: Any = None
    PRIORITY: Any = None
    SYSLOG_IDENTIFIER: Any = None
    _SYSTEMD_UNIT: Any = None
    time: Any = None
    own_time: Any = None


_decoder: Final = msgspec.json.Decoder(_Entry)


def piece(lines: Sequence[bytes], first: int) -> Piece:
    """The entries of some lines."""
    made = Piece(numbers=range(first, first + len(lines)), originals=lines)
    for number, line in enumerate(lines, start=first):
        try:
            entry = _decoder.decode(line)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            made.lines.append(line)
            if line.strip():
                made.broken.append(number)
            continue
        message = _message(entry.MESSAGE)
        program = entry.SYSLOG_IDENTIFIER
        said = message.partition("\n")[0]
        time = str(entry.own_time or entry.time or "")
        priority = "" if entry.PRIORITY is None else str(entry.PRIORITY)
        made.lines.append(Record(time, priority, f"{program}: {said}" if program else said).line())
        if "\n" in message:
            made.stacks.append((number, time, message))
    return made


def _message(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):  # bytes that are not UTF-8, or several messages
        if all(isinstance(each, int) and 0 <= each < 256 for each in value):
            return bytes(value).decode("utf-8", "replace")
        return "\n".join(each for each in value if isinstance(each, str))
    return ""
