"""Claude Code: `projects/<slug>/<session>.jsonl`, a tree of records in the order they were written."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from haversack.sources.conversation.formats import Format
from haversack.sources.conversation.message import ASSISTANT, SUMMARY, USER, Said, table, text_of, word
from haversack.sources.conversation.times import seconds

if TYPE_CHECKING:
    from haversack.sources.conversation.places import Places

# Records that keep the books. Their place in the tree counts, their content is nobody's message.
BOOKKEEPING = frozenset(
    [
        "system",
        "attachment",
        "progress",
        "summary",
        "ai-title",
        "custom-title",
        "agent-name",
        "file-history-snapshot",
        "queue-operation",
        "last-prompt",
        "mode",
        "permission-mode",
        "pr-link",
        "tag",
        "result",
        "started",
        "worktree-state",
        "content-replacement",
    ]
)
# Past this many characters a slug is cut and a hash takes the rest.
SLUG_COMPARED = 180


def said(record: Mapping[str, object]) -> Said | None:
    """What a record says."""
    kind = record.get("type")
    side = record.get("isSidechain") is True
    identity = "" if side else word(record, "uuid")
    parent = word(record, "parentUuid", "logicalParentUuid")
    cwd = word(record, "cwd")
    if kind in BOOKKEEPING:
        return Said(id=identity, parent=parent, cwd=cwd)
    if kind not in ("user", "assistant"):
        return None
    summary = record.get("isCompactSummary") is True
    hidden = side or (record.get("isMeta") is True and not summary)
    message = table(record, "message")
    return Said(
        role=SUMMARY if summary else USER if kind == "user" else ASSISTANT,
        text="" if hidden else text_of(message.get("content"), ("text",)),
        time=seconds(record.get("timestamp")),
        id=identity,
        parent=parent,
        group=word(message, "id") if kind == "assistant" else "",
        cwd=cwd,
    )


def slug(path: str) -> str:
    """The name of the folder that holds a working directory's sessions."""
    return "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in path)


def folders(places: Places) -> Iterator[str]:
    """Folders whose name begins as one of the project's would; the recorded directory tells which are meant."""
    top = places.claude
    try:
        names = sorted(os.listdir(top))
    except OSError:
        return
    wanted = tuple(slug(path)[:SLUG_COMPARED] for path in places.cwds)
    for name in names:
        if name.startswith(wanted):
            yield os.path.join(top, name)


def transcript(entry: os.DirEntry[str]) -> str | None:
    """Sessions; what `agent-` files hold was said between agents."""
    return entry.path if entry.name.endswith(".jsonl") and not entry.name.startswith("agent-") else None


FORMAT = Format("claude", folders, transcript, said=said, branches=True)
