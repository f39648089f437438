"""Plain JSON lines of `{role, content, timestamp}`: what anybody can write, named in the settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from haversack.sources.conversation.formats import Format, claude, codex, copilot, no_folders
from haversack.sources.conversation.message import ASSISTANT, USER, Said, text_of, word
from haversack.sources.conversation.times import seconds

ROLES = {"user": USER, "human": USER, "assistant": ASSISTANT, "model": ASSISTANT, "ai": ASSISTANT, "agent": ASSISTANT}
QUIET = frozenset(("system", "developer", "tool", "function"))


def said(record: Mapping[str, object]) -> Said | None:
    """What a record says; one that another agent wrote is read as that agent writes."""
    reader = _written_by(record)
    if reader is not None:
        return reader(record)
    role = record.get("role")
    if role in QUIET:
        return Said()
    if not isinstance(role, str) or role not in ROLES:
        return None
    when = next((record[key] for key in ("timestamp", "created_at", "time", "ts") if key in record), None)
    return Said(ROLES[role], text_of(record.get("content")) or word(record, "text"), seconds(when))


def _written_by(record: Mapping[str, object]) -> Callable[[Mapping[str, object]], Said | None] | None:
    if "role" in record:
        return None
    if "uuid" in record or "sessionId" in record:
        return claude.said
    if "payload" in record:
        return codex.said
    kind = record.get("type")
    return copilot.said if isinstance(kind, str) and "." in kind else None


FORMAT = Format("plain", no_folders, lambda _: None, said=said, certain=True)
