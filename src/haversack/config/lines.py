"""Which line of a TOML text sets a key. The parser of the standard library does not say."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PART = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*""")
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')
_BLOCKS = ('"""', "'''")


def line_of(text: str, path: tuple[str, ...]) -> int | None:
    """The line that sets `path` or begins it, or else the nearest table or inline table that holds it."""
    best: tuple[int, int] | None = None
    for key, line in _keys(text):
        if key[: len(path)] == path:
            return line
        if path[: len(key)] == key and (best is None or len(key) > best[0]):
            best = (len(key), line)
    return best[1] if best else None


def _keys(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every table header and key with its line, in order."""
    table: tuple[str, ...] = ()
    lines = iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        stripped = line.strip()
        if stripped.startswith("["):
            table, _ = _dotted(stripped.lstrip("["))
            yield table, number
            continue
        key, rest = _dotted(stripped)
        if key and rest.startswith("="):
            yield table + key, number
            _skip_value(rest[1:].strip(), lines)


def _dotted(text: str) -> tuple[tuple[str, ...], str]:
    """A dotted key at the start of the text, and what follows it."""
    parts: list[str] = []
    position = 0
    while match := _PART.match(text, position):
        parts.append(next(group for group in match.groups() if group is not None))
        position = match.end()
        if text[position : position + 1] != ".":
            break
        position += 1
    return tuple(parts), text[position:]


def _skip_value(value: str, lines: Iterator[tuple[int, str]]) -> None:
    """Move past a value that goes on over several lines."""
    for quotes in _BLOCKS:
        if value.startswith(quotes):
            if quotes not in value[3:]:
                next((number for number, line in lines if quotes in line), None)
            return
    depth = _depth(value)
    while depth > 0:
        following = next(lines, None)
        if following is None:
            return
        depth += _depth(following[1])


def _depth(line: str) -> int:
    """How many more brackets the line opens than it closes, outside strings and comments."""
    bare = _STRINGS.sub("", line).partition("#")[0]
    return sum(bare.count(mark) for mark in "[{") - sum(bare.count(mark) for mark in "]}")
