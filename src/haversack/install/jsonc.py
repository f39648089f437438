"""JSON as people keep it: comments, commas at the end, a byte order mark; read with the place of each item."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from msgspec import Struct, field

from haversack.install.agent import Json
from haversack.install.edits import UnreadableError

OPEN_DEPTH = 3
"""Containers nested less deeply are opened item by item: as deep as any entry of ours stands."""

MAX_DEPTH = 200
"""More brackets than this are no settings file; Python would run out of stack."""

_SPACE = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}


def _refuse(name: str) -> Json:
    raise ValueError(f"{name} is not JSON")


_DECODE = json.JSONDecoder(parse_constant=_refuse).raw_decode


class Node(Struct):
    """A value and where it stands; a container that was opened has its items, any other its value."""

    start: int
    end: int = 0
    scalar: Json = None
    items: list[Item] = field(default_factory=list)
    opened: str = ""
    anchor: int = 0
    """In a container: where the last thing before the closing bracket ends, be it an item, a comma or a comment."""

    def last(self, key: str) -> Node | None:
        """The value under a key; of two with the same key the last, as every reader of JSON takes it."""
        return next((item.node for item in reversed(self.items) if item.key == key), None)

    @property
    def value(self) -> Json:
        """The value without its place."""
        if self.opened == "{":
            return {item.key: item.node.value for item in self.items}
        if self.opened == "[":
            return [item.node.value for item in self.items]
        return self.scalar


class Item(Struct):
    """A member or an element: its key ("" in a list), where the space before it begins, and its comma if it has one."""

    key: str
    start: int
    lead: int
    node: Node
    comma: int | None = None


def parse(text: str) -> Node:
    """The whole text; raises UnreadableError with the line and column of what is wrong."""
    reader = _Reader(text)
    start, _ = reader.skip(1 if text.startswith("\ufeff") else 0)
    if text[start : start + 1] != "{":
        raise reader.wrong(start, "settings begin with {")
    root = reader.value(start, 0)
    end, _ = reader.skip(root.end)
    if end != len(text):
        raise reader.wrong(end, "something follows the settings")
    return root


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.plain = True  # until the fast decoder has met a comment or a comma at the end

    def wrong(self, at: int, what: str) -> UnreadableError:
        line = self.text.count("\n", 0, at) + 1
        return UnreadableError(f"line {line}, column {at - self.text.rfind(chr(10), 0, at)}: {what}")

    def skip(self, at: int) -> tuple[int, int]:
        """Past space and comments: where the next thing begins, and where the last comment ended."""
        anchor = at
        while True:
            space = _SPACE.match(self.text, at)
            at = space.end() if space else at
            comment = _COMMENT.match(self.text, at)
            if comment is None:
                return at, anchor
            at = anchor = comment.end()

    def value(self, at: int, depth: int) -> Node:
        if self.text[at : at + 1] not in _CLOSING:
            return self.decoded(at)
        if depth >= OPEN_DEPTH and self.plain:
            try:
                return self.decoded(at)
            except UnreadableError:
                self.plain = False
        if depth > MAX_DEPTH:
            raise self.wrong(at, "brackets are nested too deeply")
        return self.container(at, depth)

    def decoded(self, at: int) -> Node:
        try:
            value, end = _DECODE(self.text, at)
        except (ValueError, RecursionError) as error:
            where = error.pos if isinstance(error, json.JSONDecodeError) else at
            raise self.wrong(where, "this is not a JSON value") from None
        return Node(at, end, value)

    def container(self, at: int, depth: int) -> Node:
        node = Node(at, opened=self.text[at])
        closing = _CLOSING[node.opened]
        for item in self.items(node, closing, depth):
            node.items.append(item)
        return node

    def items(self, node: Node, closing: str, depth: int) -> Iterator[Item]:
        at, anchor = self.skip(node.start + 1)
        while self.text[at : at + 1] != closing:
            item = self.item(at, anchor, node.opened == "{", depth)
            at, anchor = self.skip(item.node.end)
            if self.text[at : at + 1] == ",":
                item.comma = at
                at, anchor = self.skip(at + 1)
            elif self.text[at : at + 1] != closing:
                raise self.wrong(at, f"expected a comma or {closing}")
            yield item
        node.anchor, node.end = anchor, at + 1

    def item(self, at: int, lead: int, keyed: bool, depth: int) -> Item:
        if not keyed:
            return Item("", at, lead, self.value(at, depth + 1))
        key = self.decoded(at) if self.text[at : at + 1] == '"' else None
        if key is None:
            raise self.wrong(at, "expected a key in double quotes")
        colon, _ = self.skip(key.end)
        if self.text[colon : colon + 1] != ":":
            raise self.wrong(colon, "expected a colon")
        return Item(str(key.scalar), at, lead, self.value(self.skip(colon + 1)[0], depth + 1))
