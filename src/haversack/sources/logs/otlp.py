"""OpenTelemetry's JSON: `resourceLogs[].scopeLogs[].logRecords[]`, one document, or one a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from haversack.sources.logs.canonical import Piece, Record

MARK: Final = b'"resourceLogs"'
# Severities come in groups of four: trace, debug, info, warn, error, fatal.
_GROUPS: Final = ("debug", "debug", "info", "warning", "error", "fatal")


class _LogRecord(msgspec.Struct, rename="camel"):
    time_unix_nano: Any = None
    observed_time_unix_nano: Any = None
    severity_text: Any = None
    severity_number: Any = None
    body: Any = None
    attributes: Any = None


class _ScopeLogs(msgspec.Struct, rename="camel"):
    log_records: list[_LogRecord] = []


class _ResourceLogs(msgspec.Struct, rename="camel"):
    scope_logs: list[_ScopeLogs] = []


class _Document(msgspec.Struct, rename="camel"):
    resource_logs: list[_ResourceLogs] = []


_decoder: Final = msgspec.json.Decoder(_Document)


def piece(lines: Sequence[bytes], first: int) -> Piece:
    """The records of documents that stand in one line each."""
    made = Piece(numbers=[], originals=None)
    for number, line in enumerate(lines, start=first):
        if line.strip():
            _add(made, line, number, number)
    return made


def document(text: bytes) -> Piece:
    """The records of one document, each at the line its message stands in as far as that can be found."""
    made = Piece(numbers=[], originals=None)
    _add(made, text, 1, 1)
    return made


def _add(made: Piece, text: bytes, number: int, line: int) -> None:
    numbers = made.numbers
    assert isinstance(numbers, list)
    try:
        records = list(_records(_decoder.decode(text)))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        made.broken.append(number)
        return
    at = 0
    for said, record in records:
        if b"\n" in text:  # printed over many lines: find the message again, each after the one before
            found = text.find(said[:60].encode("utf-8", "replace"), at) if said else -1
            if found >= 0:
                line += text.count(b"\n", at, found)
                at = found
        made.lines.append(record.line())
        numbers.append(line)
        if record.stack:
            made.stacks.append((line, record.time, record.stack))


def _records(document: _Document) -> Iterator[tuple[str, Record]]:
    """What each record says as it stands there, and the record."""
    for resource in document.resource_logs:
        for scope in resource.scope_logs:
            for record in scope.log_records:
                attributes = _attributes(record.attributes)
                body = _value(record.body)
                kind, what = attributes.get("exception.type", ""), attributes.get("exception.message", "")
                error = f"{kind}: {what}" if kind and what else kind or what
                stack = attributes.get("exception.stacktrace", "") or (body if "\n" in body else "")
                said = body.partition("\n")[0]
                message = " ".join(part for part in (said, error) if part)
                time = str(record.time_unix_nano or record.observed_time_unix_nano or "")
                yield said, Record(time, _severity(record), message, stack)


def _severity(record: _LogRecord) -> str:
    if isinstance(record.severity_text, str) and record.severity_text:
        return record.severity_text
    number = record.severity_number
    return _GROUPS[(number - 1) // 4] if isinstance(number, int) and 1 <= number <= 24 else ""


def _attributes(given: object) -> dict[str, str]:
    if not isinstance(given, list):
        return {}
    return {str(each.get("key")): _value(each.get("value")) for each in given if isinstance(each, dict)}


def _value(value: object) -> str:
    """What an AnyValue holds, as text."""
    if isinstance(value, dict):
        found = next(iter(value.values()), "")
        if isinstance(found, dict | list):
            return msgspec.json.encode(found).decode()
        return str(found)
    return value if isinstance(value, str) else ""
