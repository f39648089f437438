"""Transcripts that lie in a database: sessions with something that changes when they go on, and their messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from haversack.sources.conversation.jsonlines import DAMAGED
from haversack.sources.conversation.message import Message

if TYPE_CHECKING:
    from haversack.sources.conversation.database import Database
    from haversack.sources.conversation.places import Places

LONGEST_VALUE: Final = 16 << 20


class Store(Struct, frozen=True):
    """One program's way to keep conversations."""

    name: str
    files: Callable[[Places], Iterable[str]]
    sessions: Callable[[Database, Places], dict[str, str]]
    messages: Callable[[Database, str], list[Message]]


def loaded(value: object) -> dict[str, object]:
    """A JSON object of a cell; an empty one where there is none."""
    if not isinstance(value, str | bytes) or not value:
        return {}
    try:
        found = msgspec.json.decode(value)
    except DAMAGED:
        return {}
    return found if isinstance(found, dict) else {}
