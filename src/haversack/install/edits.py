"""Changes to a text that can be taken back: insertions only, each with where it went."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

EMPTY = "\ufeff \t\r\n"
"""A file of nothing but these says nothing."""


class UnreadableError(Exception):
    """The file is not what its name says; the message names the line."""


class NotPossibleError(Exception):
    """The file is readable, and yet what is wanted cannot be written into it."""


class Insertion(Struct, frozen=True):
    """Text put at an offset of the text as it was just before."""

    offset: int
    text: str


def insert(text: str, insertions: Iterable[Insertion]) -> str:
    """The text with all of them, one after the other."""
    for each in insertions:
        text = text[: each.offset] + each.text + text[each.offset :]
    return text


def take_back(text: str, insertions: Iterable[Insertion]) -> str | None:
    """The text before they were made, or None when one is not where it was put."""
    for each in reversed(tuple(insertions)):
        end = each.offset + len(each.text)
        if text[each.offset : end] != each.text:
            return None
        text = text[: each.offset] + text[end:]
    return text


def cut_out(text: str, insertions: Iterable[Insertion]) -> str | None:
    """The text without what was inserted, wherever it now stands, or None when that is not clear."""
    for each in reversed(tuple(insertions)):
        if text.count(each.text) != 1:
            return None
        text = text.replace(each.text, "")
    return text


def line_end(text: str) -> str:
    """How the lines of the text end."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"
