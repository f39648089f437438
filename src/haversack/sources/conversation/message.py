"""What every agent's transcript comes down to: who said what, when, and where it is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

NAME: Final = "conversation"
USER: Final = "user"
ASSISTANT: Final = "assistant"
SUMMARY: Final = "summary"
"""A model's summary of what came before, which agents write when a conversation gets too long."""


class Said(Struct, frozen=True):
    """What one record of a transcript says; empty text where it only keeps the books.

    `parent` is the record it follows, `group` tells records that are parts of one message.
    """

    role: str = ""
    text: str = ""
    time: float | None = None
    id: str = ""
    parent: str = ""
    group: str = ""
    cwd: str = ""


class Message(Struct, frozen=True):
    """Something that was said. `first` and `last` are lines of the file; a database has `pointer` instead."""

    role: str
    text: str
    time: float | None
    first: int = 0
    last: int = 0
    pointer: str = ""


class Counts(Struct):
    """What was passed over while reading, and why."""

    records: int = 0
    unknown: dict[str, int] = field(default_factory=dict)
    damaged: list[int] = field(default_factory=list)
    too_long: list[int] = field(default_factory=list)

    def note_unknown(self, kind: object) -> None:
        name = str(kind)[:40]
        self.unknown[name] = self.unknown.get(name, 0) + 1


def text_of(content: object, kinds: tuple[str, ...] = ("text", "input_text", "output_text")) -> str:
    """The words of a message's content: a string, or blocks of which those of these kinds hold text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = []
    for block in content:
        if isinstance(block, str):
            parts.append(block)
        elif isinstance(block, Mapping):
            text = block.get("text")
            if isinstance(text, str) and block.get("type", "text") in kinds:
                parts.append(text)
    return "\n".join(part for part in parts if part.strip())


def word(record: Mapping[str, object], *keys: str) -> str:
    """The first of these fields that is a string and not empty."""
    for key in keys:
        value = record.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def table(record: Mapping[str, object], key: str) -> Mapping[str, object]:
    """That field if it is an object, else an empty one."""
    value = record.get(key)
    return value if isinstance(value, dict) else {}
