"""OpenCode: `opencode*.db` with sessions, messages and their parts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from haversack.sources.conversation.formats.stores import LONGEST_VALUE, Store, loaded
from haversack.sources.conversation.message import ASSISTANT, USER, Message, table, word
from haversack.sources.conversation.times import seconds

if TYPE_CHECKING:
    from haversack.sources.conversation.database import Database
    from haversack.sources.conversation.places import Places


def files(places: Places) -> Iterator[str]:
    """The databases of all channels."""
    try:
        names = sorted(os.listdir(places.opencode))
    except OSError:
        return
    for name in names:
        if name.startswith("opencode") and name.endswith(".db"):
            yield os.path.join(places.opencode, name)


def sessions(database: Database, places: Places) -> dict[str, str]:
    """Sessions in this project's directories, each with what changes when it goes on."""
    have = database.columns("session")
    if not {"id", "directory"} <= have:
        return {}
    updated = "time_updated" if "time_updated" in have else "NULL"
    # A session with a parent is one agent talking to another.
    only = " WHERE parent_id IS NULL" if "parent_id" in have else ""
    rows = database.rows(f"SELECT id, directory, {updated} FROM session{only} ORDER BY id")
    return {str(key): str(when) for key, folder, when in rows if isinstance(folder, str) and places.belongs(folder)}


def messages(database: Database, session: str) -> list[Message]:
    """The messages of a session in order."""
    texts: dict[str, list[str]] = {}
    parts = database.rows(
        "SELECT part.message_id, part.data FROM part JOIN message ON part.message_id = message.id "
        "WHERE message.session_id = ? AND length(part.data) < ? ORDER BY part.id",
        (session, LONGEST_VALUE),
    )
    for key, data in parts:
        part = loaded(data)
        if part.get("type") == "text" and part.get("synthetic") is not True:
            texts.setdefault(str(key), []).append(word(part, "text"))
    found = []
    for key, data in database.rows("SELECT id, data FROM message WHERE session_id = ? ORDER BY id", (session,)):
        record = loaded(data)
        role = {"user": USER, "assistant": ASSISTANT}.get(word(record, "role"))
        text = "\n\n".join(part for part in texts.get(str(key), ()) if part)
        if role and text:
            when = seconds(table(record, "time").get("created"))
            found.append(Message(role, text, when, pointer=f"{session}/{key!s}"))
    found.sort(key=lambda message: message.time or 0.0)  # stable: equal times keep the order of ids
    return found


STORE = Store("opencode", files, sessions, messages)
