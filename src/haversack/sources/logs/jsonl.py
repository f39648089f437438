"""JSON lines: one object a line, under the names that loggers use for time, level and message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from haversack.sources.logs.canonical import Piece, Record

_TIMES: Final = ("ts", "time", "timestamp", "at_timestamp", "datetime", "asctime", "t", "date")
_LEVELS: Final = ("level", "severity", "levelname", "lvl", "log_level", "level_name", "log_level_")
_MESSAGES: Final = ("message", "msg", "event", "text", "body", "log", "description")
_ERRORS: Final = ("error", "err", "exception")
_STACKS: Final = ("stack", "stacktrace", "stack_trace", "exc_info", "traceback", "error_stack", "exception_stack")
_RENAMED: Final = {
    "at_timestamp": "@timestamp",
    "log_level_": "log.level",
    "error_stack": "error.stack_trace",
    "exception_stack": "exception.stacktrace",
}
_NAMES: Final = (*_TIMES, *_LEVELS, *_MESSAGES, *_ERRORS, *_STACKS)
# Made from the lists above: decoding into it skips every other field without making objects of it.
_Line: Final[Any] = msgspec.defstruct("_Line", [(name, Any, None) for name in _NAMES], rename=_RENAMED)
_decoder: Final = msgspec.json.Decoder(_Line)


def piece(lines: Sequence[bytes], first: int) -> Piece:
    """The records of some lines; what is not JSON is taken as it stands and named as broken."""
    made = Piece(numbers=range(first, first + len(lines)), originals=lines)
    for number, (line, row) in enumerate(zip(lines, _rows(lines), strict=True), start=first):
        if row is None:
            made.lines.append(line)
            if line.strip():
                made.broken.append(number)
            continue
        record = _record(row)
        made.lines.append(record.line())
        if record.stack:
            made.stacks.append((number, record.time, record.stack))
    return made


def _rows(lines: Sequence[bytes]) -> list[Any]:
    """Each line decoded, None where it is not an object; at once when all are."""
    try:
        rows = _decoder.decode_lines(b"\n".join(lines))
        if len(rows) == len(lines):
            return rows
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        pass
    return [_row(line) for line in lines]


def _row(line: bytes) -> Any:
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def _record(row: Any) -> Record:
    message = next((found for name in _MESSAGES if (found := text_of(getattr(row, name)))), "")
    stack = next((found for name in _STACKS if (found := text_of(getattr(row, name)))), "")
    for name in _ERRORS:
        error = getattr(row, name)
        if isinstance(error, dict):
            stack = stack or next((s for key in _STACKS if (s := text_of(error.get(key)))), "")
            kind, what = text_of(error.get("type") or error.get("name")), text_of(error.get("message"))
            message += f" {kind}: {what}" if kind and what else f" {kind or what}"
        elif isinstance(error, str) and error:
            stack, message = (stack or error, message) if "\n" in error else (stack, f"{message} {error}")
    if not stack and "\n" in message:
        message, stack = message.partition("\n")[0], message
    time = next((found for name in _TIMES if (found := text_of(getattr(row, name)))), "")
    level = next((found for name in _LEVELS if (found := text_of(getattr(row, name)))), "")
    return Record(time, level, message.strip(), stack)


def text_of(value: object) -> str:
    """A field's value as text; nothing for what is empty or not a plain value."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(text_of(each) for each in value[:1000])
    if value is None or isinstance(value, bool | Mapping):
        return ""
    return str(value)
