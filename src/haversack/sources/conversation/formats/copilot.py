"""Copilot CLI: `session-state/<uuid>/events.jsonl`, a log of events."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from haversack.sources.conversation.formats import Format
from haversack.sources.conversation.message import ASSISTANT, USER, Said, table, text_of, word
from haversack.sources.conversation.times import seconds

if TYPE_CHECKING:
    from haversack.sources.conversation.places import Places

EVENTS = "events.jsonl"
KNOWN = ("session.", "assistant.", "user.", "tool.", "subagent.", "hook.", "system.", "skill.", "permission.", "abort")


def said(record: Mapping[str, object]) -> Said | None:
    """What an event says."""
    kind = record.get("type")
    if not isinstance(kind, str) or not kind.startswith(KNOWN):
        return None
    data = table(record, "data")
    context = table(data, "context")
    cwd = word(context, "cwd", "gitRoot") or word(data, "cwd")
    role = {"user.message": USER, "assistant.message": ASSISTANT}.get(kind, "")
    text = text_of(data.get("content")) if role else ""
    return Said(role, text, seconds(record.get("timestamp")), group=word(data, "messageId"), cwd=cwd)


def folders(places: Places) -> Iterator[str]:
    """The folder of all sessions."""
    yield places.copilot


def transcript(entry: os.DirEntry[str]) -> str | None:
    """The events of a session's folder; the first versions wrote one file a session."""
    if entry.name.endswith(".jsonl"):
        return entry.path
    path = os.path.join(entry.path, EVENTS)
    return path if os.path.exists(path) else None


FORMAT = Format("copilot", folders, transcript, said=said)
