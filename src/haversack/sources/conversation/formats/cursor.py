"""Cursor: `state.vscdb`, a table of keys and JSON values; a conversation is a composer, a message a bubble."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from haversack.sources.conversation.formats.stores import LONGEST_VALUE, Store, loaded
from haversack.sources.conversation.message import ASSISTANT, USER, Message, table, word
from haversack.sources.conversation.times import seconds

if TYPE_CHECKING:
    from haversack.sources.conversation.database import Database
    from haversack.sources.conversation.places import Places

ROLES = {1: USER, 2: ASSISTANT}
COMPOSER = "composerData:"
HEADERS = "composer.composerHeaders"


def files(places: Places) -> Iterator[str]:
    """The database of all conversations."""
    path = os.path.join(places.cursor, "globalStorage", "state.vscdb")
    if os.path.exists(path):
        yield path


def sessions(database: Database, places: Places) -> dict[str, str]:
    """Composers of this project's folders, each with what changes when it goes on.

    Where a composer's folder is written down has moved: into the composer itself, into a list of headers, and before
    that into the state of each workspace.
    """
    if not {"key", "value"} <= database.columns("cursorDiskKV"):
        return {}
    listed = _listed(database, places)
    found: dict[str, str] = {}
    rows = database.rows(
        "SELECT key, value FROM cursorDiskKV WHERE key >= ? AND key < ? AND length(value) < ? ORDER BY key",
        (COMPOSER, COMPOSER[:-1] + ";", LONGEST_VALUE),
    )
    for key, value in rows:
        composer = loaded(value)
        name = str(key).removeprefix(COMPOSER)
        folder = _folder(composer) or listed.get(name, "")
        if folder and places.belongs(folder):
            found[name] = f"{composer.get('lastUpdatedAt')}:{len(_order(composer))}"
    return found


def messages(database: Database, session: str) -> list[Message]:
    """The bubbles of a composer that hold words, in the order it gives them."""
    start = f"bubbleId:{session}:"
    rows = database.rows(
        "SELECT key, value FROM cursorDiskKV WHERE key >= ? AND key < ? AND length(value) < ? ORDER BY rowid",
        (start, start[:-1] + ";", LONGEST_VALUE),
    )
    bubbles = {str(key).removeprefix(start): loaded(value) for key, value in rows}
    (composer,) = [*(loaded(v) for (v,) in _value(database, f"{COMPOSER}{session}")), {}][:1]
    inline = composer.get("conversation")
    if isinstance(inline, list):  # old versions keep the bubbles inside the composer
        bubbles |= {word(each, "bubbleId"): each for each in inline if isinstance(each, dict)}
    order = [key for key in _order(composer) if key in bubbles]
    order += [key for key in bubbles if key not in set(order)]
    found = []
    for key in order:
        bubble = bubbles[key]
        kind = bubble.get("type")
        role = ROLES.get(kind) if isinstance(kind, int) else None
        text = word(bubble, "text")
        if role and text:
            when = seconds(bubble.get("createdAt")) or seconds(table(bubble, "timingInfo").get("clientStartTime"))
            found.append(Message(role, text, when, pointer=f"{session}/{key}"))
    return found


def _value(database: Database, key: str) -> list[tuple[object]]:
    return [(row[0],) for row in database.rows("SELECT value FROM cursorDiskKV WHERE key = ?", (key,))]


def _order(composer: Mapping[str, object]) -> list[str]:
    headers = composer.get("fullConversationHeadersOnly") or composer.get("conversation")
    return [word(each, "bubbleId") for each in headers if isinstance(each, dict)] if isinstance(headers, list) else []


def _folder(record: Mapping[str, object]) -> str:
    uri = table(record, "workspaceIdentifier").get("uri")
    if isinstance(uri, dict):
        return word(uri, "fsPath", "path") or _path(word(uri, "external"))
    return _path(uri if isinstance(uri, str) else word(record, "workspaceUri"))


def _path(uri: str) -> str:
    from urllib.parse import unquote, urlsplit

    return unquote(urlsplit(uri).path) if uri.startswith("file:") else ""


def _listed(database: Database, places: Places) -> dict[str, str]:
    """Folder by composer, from the list of headers and from each workspace's own state."""
    found: dict[str, str] = {}
    if "key" in database.columns("ItemTable"):
        for (value,) in database.rows("SELECT value FROM ItemTable WHERE key = ?", (HEADERS,)):
            for each in _composers(loaded(value)):
                found[word(each, "composerId")] = _folder(each)
    if "value" in database.columns("composerHeaders"):
        for key, value in database.rows("SELECT composerId, value FROM composerHeaders"):
            found[str(key)] = _folder(loaded(value))
    return {**_by_workspace(places), **{key: folder for key, folder in found.items() if folder}}


def _by_workspace(places: Places) -> dict[str, str]:
    from haversack.errors import SourceError
    from haversack.sources.conversation.database import opened

    top = os.path.join(places.cursor, "workspaceStorage")
    try:
        names = sorted(os.listdir(top))
    except OSError:
        return {}
    found: dict[str, str] = {}
    for name in names:
        folder = _path(word(loaded(places.read_small(os.path.join(top, name, "workspace.json"))), "folder"))
        if not folder or not places.belongs(folder):
            continue
        try:
            with opened(os.path.join(top, name, "state.vscdb"), places.declared) as database:
                rows = database.rows("SELECT value FROM ItemTable WHERE key = 'composer.composerData'")
                found |= {word(each, "composerId"): folder for (value,) in rows for each in _composers(loaded(value))}
        except SourceError:  # the conversations themselves are elsewhere, and most say where they belong
            continue
    return found


def _composers(record: Mapping[str, object]) -> list[Mapping[str, object]]:
    listed = record.get("allComposers")
    return [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []


STORE = Store("cursor", files, sessions, messages)
