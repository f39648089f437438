"""YAML and JSON by their lines: every key and value with its place, nothing resolved.

What hides secrets must not depend on a file being well formed: manifests hold templates, are cut off, or are made to
blow up a parser. This reading takes time and memory by the length of the text: anchors are never expanded, nesting is
followed to a fixed depth, and a line that makes no sense belongs to the value before it.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from haversack.patterns import lazily

DEEPEST: Final = 40  # levels of nesting that are told apart; what is deeper counts as this deep


class Entry(Struct, frozen=True):
    """A key or list item. `start` and `end` are where its own value stands in the text, without quotes; equal when
    it has none. Lines count from 0; `last` is the last line of its value, not of what is nested below it."""

    path: tuple[str, ...]
    document: int
    line: int
    last: int
    indent: int
    start: int
    end: int
    anchor: str = ""

    @property
    def key(self) -> str:
        """The nearest name: a list item goes by the name of its list."""
        return next((part for part in reversed(self.path) if not part.startswith("#")), "")


_KEY: Final = lazily(
    r"""(?P<key>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\n]|'')*+'|[^\s#&*!|>%@`"'{\[,\]}-][^\n:#]*+(?:(?::(?=\S)|(?<!\s)\#)[^\n:#]*+)*+
      |-(?=\S)[^\n:]*+|<<)\s*+:(?=\s|$)""",
    re.VERBOSE,
)
_TEMPLATE_LINE: Final = lazily(r"(?:\{\{.*\}\}|\{%.*%\})$")
_PROPERTIES: Final = lazily(r"(?:(?:!\S*|&(?P<anchor>[^\s,\]}]+))[ \t]*)+")
_BLOCK: Final = lazily(r"[|>][0-9+-]{0,3}[ \t]*(?:#.*)?$")
_COMMENT: Final = lazily(r"(?:^|[ \t])#")
_DOCUMENT: Final = lazily(r"(?:---|\.\.\.)(?=\s|$)")
_ITEM: Final = lazily(r"-(?:[ \t]+|$)")
_TOKEN: Final = lazily(
    r"""(?P<string>"(?:[^"\\]|\\.)*+"|'(?:[^']|'')*+')|(?P<mark>(?!\[redacted:)[{}\[\],]|:)|\#(?<=\s\#)[^\n]*
      |(?P<plain>\[redacted:[\w-]+\]|\{\{[^\n]*?\}\}[^\n,\]}]*|[^\s,{}\[\]:"'\#](?:[^,{}\[\]:\n]|:(?=[^\s,{}\[\]]))*)""",
    re.VERBOSE | re.DOTALL,
)


def entries(text: str) -> Iterator[Entry]:
    """Every key and list item in order of appearance."""
    return _Reader(text).entries()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.document = 0
        self.stack: list[tuple[int, str]] = []  # indent and name of what is open
        self.counts: dict[int, int] = {}  # list items seen so far, by indent
        self.last: Entry | None = None

    def entries(self) -> Iterator[Entry]:
        at, number, text = 0, 0, self.text
        while at < len(text):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            line = text[at:end]
            bare = line.strip()
            if not bare or bare[0] == "#" or (bare[0] == "%" and not line[0].isspace()) or _TEMPLATE_LINE.match(bare):
                at, number = end + 1, number + 1
                continue
            if _DOCUMENT.match(line):
                yield from self._flush()
                self.document += 1
                self.stack, self.counts = [], {}
                at += 3  # what stands on the same line belongs to the new document
                continue
            after = yield from self._line(at, end, number)
            number += text.count("\n", at, after)
            at = after
        yield from self._flush()

    def _flush(self) -> Iterator[Entry]:
        if self.last is not None:
            yield self.last
            self.last = None

    def _line(self, at: int, end: int, number: int) -> Generator[Entry, None, int]:
        """Read what begins on this line; returns where the next line to read begins."""
        text = self.text
        column = at
        while column < end and text[column] in " \t":
            column += 1
        opened = 0
        while opened < DEEPEST and (item := _ITEM.match(text, column, end)) is not None:
            indent = column - at
            self._close(indent, item=True)
            self.counts[indent] = self.counts.get(indent, -1) + 1
            self.stack.append((indent, f"#{self.counts[indent]}"))
            column = item.end()
            opened += 1
        key = _KEY.match(text, column, end)
        if key is None and self._opens_flow(column):
            yield from self._flush()
            return (yield from self._flow(column, number, column - at))
        if key is None and not opened:
            if self.last is not None:  # goes on with the value before it
                begins = column if self.last.start == self.last.end else self.last.start
                self.last = replace(self.last, last=number, start=begins, end=end)
            return end + 1
        yield from self._flush()
        if key is not None:
            if opened:  # an item that begins with its first key has no value of its own
                yield self._entry(number, number, self.stack[-1][0], column, column, "")
            indent = key.start() - at
            self._close(indent, item=False)
            self.stack.append((indent, _unquoted(key["key"].strip())))
            column = key.end()
            while column < end and text[column] in " \t":
                column += 1
        return (yield from self._value(column, end, number, self.stack[-1][0]))

    def _value(self, column: int, end: int, number: int, indent: int) -> Generator[Entry, None, int]:
        text = self.text
        anchor = ""
        if (found := _PROPERTIES.match(text, column, end)) is not None:
            anchor, column = found["anchor"] or "", found.end()
        if _BLOCK.match(text, column, end):
            after, count = self._block_end(end + 1, indent)
            first = end + 1
            place = min(first, after, len(text))
            yield self._entry(number, number + count, indent, place, max(place, after - 1), anchor)
            return min(after, len(text)) if after > first else end + 1
        begins = text[column : column + 1]
        if self._opens_flow(column):
            yield self._entry(number, number, indent, column, column, anchor)
            return (yield from self._flow(column, number, indent))
        if begins in {'"', "'"} and (close := self._string_end(column, indent)):
            yield self._entry(number, number + text.count("\n", column, close), indent, column + 1, close - 1, anchor)
            following = text.find("\n", close)
            return len(text) if following < 0 else following + 1
        stop = end
        if (comment := _COMMENT.search(text, max(column - 1, 0), end)) is not None:
            stop = comment.start()
        while stop > column and text[stop - 1] in " \t":
            stop -= 1
        self.last = self._entry(number, number, indent, column, max(stop, column), anchor)
        return end + 1

    def _string_end(self, column: int, indent: int) -> int:
        """Where a quoted value ends; 0 when its quote is never closed before something else begins."""
        string = _TOKEN.match(self.text, column)
        if string is None or not string["string"]:
            return 0
        more = string[0].split("\n")[1:]
        return string.end() if all(not line.strip() or len(line) - len(line.lstrip()) > indent for line in more) else 0

    def _block_end(self, at: int, indent: int) -> tuple[int, int]:
        """Where a block scalar that begins at a line ends, and how many lines it has."""
        text, count, done, lines = self.text, 0, at, 0
        while at < len(text):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            line = text[at:end]
            lines += 1
            stripped = line.lstrip(" \t")
            if stripped:
                if len(line) - len(stripped) <= indent:
                    break
                done, count = end + 1, lines
            at = end + 1
        return done, count

    def _flow(self, at: int, number: int, indent: int) -> Generator[Entry, None, int]:
        """Read `{…}` or `[…]`, over as many lines as it takes; returns where the next line begins."""
        text = self.text
        base = tuple(name for _, name in self.stack[:DEEPEST])
        nest = _Nest()
        pending: re.Match[str] | None = None
        line, counted, stop = number, at, len(text)
        for token in _TOKEN.finditer(text, at):
            mark = token["mark"]
            if mark is None:
                pending = token if token["string"] or token["plain"] else pending
                continue
            line += text.count("\n", counted, token.start())
            counted = token.start()
            if mark == ":":
                if pending is not None and nest.name(pending[0]):
                    pending = None
                continue
            if mark in "{[":
                nest.open(mark)
            else:
                if pending is not None:
                    nest.count()
                    quoted = bool(pending["string"])
                    begin, end = pending.start() + quoted, pending.start() + len(pending[0].rstrip()) - quoted
                    here = line - text.count("\n", pending.start(), token.start())
                    path = (*base, *nest.path[: DEEPEST - len(base)])
                    last = here + text.count("\n", begin, end)
                    yield Entry(path, self.document, here, last, indent, begin, end)
                if nest.end(mark):
                    stop = token.end()
                    break
            pending = None
        following = text.find("\n", stop)
        return len(text) if following < 0 else following + 1

    def _opens_flow(self, column: int) -> bool:
        """Whether `{…}` or `[…]` begins here: not a template, not a masked value."""
        return self.text[column : column + 1] in {"{", "["} and not self.text.startswith(("{{", "[redacted:"), column)

    def _entry(self, line: int, last: int, indent: int, start: int, end: int, anchor: str) -> Entry:
        path = tuple(name for _, name in self.stack[:DEEPEST])
        return Entry(path, self.document, line, last, indent, start, end, anchor)

    def _close(self, indent: int, *, item: bool) -> None:
        """Leave what this line is not inside of. A list may stand at the indent of its own key."""
        stack = self.stack
        while stack and (stack[-1][0] > indent or (stack[-1][0] == indent and (not item or stack[-1][1][:1] == "#"))):
            stack.pop()
        for deeper in [known for known in self.counts if known > indent or (known == indent and not item)]:
            del self.counts[deeper]


class _Nest:
    """Where one is inside `{…}` and `[…]`."""

    def __init__(self) -> None:
        self.path: list[str] = []
        self._open: list[tuple[str, int]] = []  # what is open, and how many items it had
        self._named = False  # whether the last part of the path is the name of what comes next

    def open(self, mark: str) -> None:
        if self._open and not self._named:
            self.count()
            if not self._named:  # a mapping as a key: it has no name one could write
                self.path.append("")
        self._open.append((mark, 0))
        self._named = False

    def name(self, key: str) -> bool:
        """Take a key, where one can stand."""
        if not self._open or self._open[-1][0] != "{" or self._named:
            return False
        self.path.append(_unquoted(key.strip()))
        self._named = True
        return True

    def count(self) -> None:
        """Take the next place in a list."""
        if self._open and self._open[-1][0] == "[":
            mark, number = self._open[-1]
            self._open[-1] = (mark, number + 1)
            self.path.append(f"#{number}")
            self._named = True

    def end(self, mark: str) -> bool:
        """A value ends at `,`, a value and what it stands in at `}` and `]`; whether nothing is open any more."""
        if self._named:
            self.path.pop()
            self._named = False
        if mark == ",":
            return False
        del self._open[-1:]
        del self.path[-1:]
        return not self._open


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] in "\"'" and text[-1] == text[0] else text
