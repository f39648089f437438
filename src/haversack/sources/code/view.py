"""A parsed file as the language rules see it: nodes, their fields and their text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Language
    from tree_sitter import Node as Syntax


class View:
    """One file's text beside its tree. Tree positions are bytes; for plain ASCII they are characters too."""

    __slots__ = ("_data", "_fields", "_language", "_text", "lines")

    def __init__(self, text: str, data: bytes, lines: list[str], language: Language) -> None:
        self.lines = lines
        self._text = text if text.isascii() and len(text) == len(data) else None
        self._data = data
        self._language = language
        self._fields: dict[str, int] = {}

    def cut(self, start: int, end: int) -> str:
        """The text between two byte positions."""
        if self._text is not None:
            return self._text[start:end]
        return self._data[start:end].decode("utf-8", "replace")

    def text(self, node: Syntax) -> str:
        """The text of a node."""
        return self.cut(node.start_byte, node.end_byte)

    def field(self, node: Syntax, name: str) -> Syntax | None:
        """The child in that field."""
        known = self._fields.get(name)
        if known is None:
            known = self._fields[name] = self._language.field_id_for_name(name) or 0
        return node.child_by_field_id(known) if known else None

    def field_text(self, node: Syntax, name: str) -> str:
        """The text of the child in that field, empty when there is none."""
        found = self.field(node, name)
        return self.text(found) if found is not None else ""

    def child(self, node: Syntax, *types: str) -> Syntax | None:
        """The first child of one of these types."""
        return next(self.children(node, *types), None)

    def children(self, node: Syntax, *types: str) -> Iterator[Syntax]:
        """The children of these types, in order."""
        return (child for child in node.children if child.type in types)


def first_child(node: Syntax) -> Syntax | None:
    """The first child; the library raises where there is none."""
    return node.child(0) if node.child_count else None


def span(node: Syntax) -> tuple[int, int]:
    """First and last line of a node, from 1. A node that ends with its newline does not reach the next line."""
    # By index: `.row` and `.column` of tree-sitter 0.26.0 give away a reference they do not own, and crash in time.
    first = node.start_point[0]
    last, column = node.end_point
    return first + 1, last if column == 0 and last > first else last + 1
