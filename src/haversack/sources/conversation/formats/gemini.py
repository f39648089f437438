"""Gemini CLI: `tmp/<project>/chats/session-*.jsonl`, a log of operations; `.json` in older versions."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from haversack.sources.conversation.formats import Format
from haversack.sources.conversation.jsonlines import DAMAGED, decoded
from haversack.sources.conversation.message import ASSISTANT, USER, Counts, Message, table, text_of
from haversack.sources.conversation.times import seconds

if TYPE_CHECKING:
    from haversack.sources.conversation.lines import Line
    from haversack.sources.conversation.places import Places

ROLES = {"user": USER, "gemini": ASSISTANT}
QUIET = frozenset(("info", "error", "warning", "user_shell"))
REGISTRY = "projects.json"
PROJECT_ROOT = ".project_root"
REGISTRY_BYTES = 1 << 20


def whole(lines: Iterator[Line], counts: Counts) -> list[Message]:
    """The conversation as it stands after all operations: the same id replaces, a rewind takes its target away, too."""
    standing: dict[str, tuple[Mapping[str, object], int]] = {}
    document: list[bytes] = []  # of a file that is one JSON object over many lines, which its first line tells
    for line in lines:
        if document:
            document.append(line.body or b"")
            continue
        record = decoded(line, counts)
        if record is None:
            if counts.damaged and not counts.records:
                document.append(line.body or b"")
            continue
        rewound = record.get("$rewindTo")
        update = record.get("$set")
        if isinstance(rewound, str):
            order = list(standing)
            for key in order[order.index(rewound) :] if rewound in standing else order:
                del standing[key]
        elif isinstance(update, dict) or "sessionId" in record or "messages" in record:
            replaced = table(record, "$set").get("messages") if isinstance(update, dict) else record.get("messages")
            if isinstance(replaced, list) and (replaced or isinstance(update, dict)):
                standing = _listed(replaced, line.number)
        elif isinstance(record.get("id"), str):
            standing[str(record["id"])] = (record, line.number)
        else:
            counts.note_unknown(record.get("type"))
    if document:
        standing = _document(document, counts)
    return [message for record, line in standing.values() if (message := _message(record, line, counts))]


def _document(parts: list[bytes], counts: Counts) -> dict[str, tuple[Mapping[str, object], int]]:
    """The messages of one object; nothing when it is damaged, which the count of damaged lines says."""
    try:
        found = msgspec.json.decode(b"\n".join(parts))
    except DAMAGED:
        return {}
    counts.damaged.clear()
    messages = found.get("messages") if isinstance(found, dict) else None
    return _listed(messages, 1) if isinstance(messages, list) else {}


def _listed(records: list[object], line: int) -> dict[str, tuple[Mapping[str, object], int]]:
    return {
        str(record.get("id", number)): (record, line)
        for number, record in enumerate(records)
        if isinstance(record, dict)
    }


def _message(record: Mapping[str, object], line: int, counts: Counts) -> Message | None:
    kind = record.get("type")
    role = ROLES.get(kind) if isinstance(kind, str) else None
    if role is None:
        if kind not in QUIET:
            counts.note_unknown(kind)
        return None
    return Message(role, text_of(record.get("content")), seconds(record.get("timestamp")), line, line)


def folders(places: Places) -> Iterator[str]:
    """The chats of folders that stand for one of the project's directories: by hash, registry or their own note."""
    top = os.path.join(places.gemini, "tmp")
    try:
        names = sorted(os.listdir(top))
    except OSError:
        return
    hashes = {hashlib.sha256(os.fsencode(path)).hexdigest() for path in places.cwds}
    registered = _registered(places)
    for name in names:
        folder = os.path.join(top, name)
        path = registered.get(name)
        if name not in hashes and path is None and len(name) < 64:
            path = places.read_small(os.path.join(folder, PROJECT_ROOT)).decode("utf-8", "replace").strip()
        if name in hashes or (path and places.belongs(path)):
            yield os.path.join(folder, "chats")


def _registered(places: Places) -> dict[str, str]:
    try:
        found = msgspec.json.decode(places.read_small(os.path.join(places.gemini, REGISTRY), REGISTRY_BYTES) or b"{}")
    except DAMAGED:
        return {}
    listed = found.get("projects") if isinstance(found, dict) else None
    return {name: path for path, name in listed.items() if isinstance(name, str)} if isinstance(listed, dict) else {}


def transcript(entry: os.DirEntry[str]) -> str | None:
    """Sessions; folders hold what agents said among themselves."""
    return entry.path if entry.name.startswith("session-") and entry.name.endswith((".jsonl", ".json")) else None


FORMAT = Format("gemini", folders, transcript, whole=whole, certain=True)
