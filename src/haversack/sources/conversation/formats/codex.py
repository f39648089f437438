"""Codex: `sessions/YYYY/MM/DD/rollout-*.jsonl`, older ones packed as `.jsonl.zst`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from haversack.patterns import lazily
from haversack.sources.conversation.formats import Format
from haversack.sources.conversation.message import ASSISTANT, SUMMARY, USER, Said, table, text_of, word
from haversack.sources.conversation.times import seconds

if TYPE_CHECKING:
    from haversack.sources.conversation.places import Places

DEPTH = 3  # year, month, day
# Prompts stand in `response_item` and again in `event_msg`; the second is for the screen.
BOOKKEEPING = frozenset(("event_msg", "turn_context", "ghost_snapshot", "world_state", "inter_agent_communication"))
# The oldest sessions are bare items, and tell their directory only to the model.
ITEMS = frozenset(("message", "reasoning", "function_call", "function_call_output", "local_shell_call"))
_CWD = lazily(r"<cwd>([^<>]{1,4096})</cwd>|Current working directory: ([^\n]{1,4096})")


def said(record: Mapping[str, object]) -> Said | None:
    """What a record says."""
    kind = record.get("type")
    when = seconds(record.get("timestamp"))
    payload = table(record, "payload")
    if kind == "session_meta":
        return Said(cwd=word(payload, "cwd"))
    if kind == "compacted":
        return Said(SUMMARY, word(payload, "message"), when)
    if kind == "response_item":
        return _item(payload, when)
    if kind in BOOKKEEPING:
        return Said(cwd=word(payload, "cwd"))
    if kind in ITEMS:
        return _item(record, when)
    if kind is None and ("id" in record or "record_type" in record):  # the head of the oldest sessions
        return Said(cwd=word(record, "cwd"))
    return None


def _item(item: Mapping[str, object], when: float | None) -> Said:
    role = item.get("role")
    if item.get("type") != "message" or role not in (USER, ASSISTANT):
        return Said()
    text = text_of(item.get("content"))
    if "<environment_context>" in text:
        found = _CWD.search(text)
        return Said(USER, text, when, cwd=((found[1] or found[2]).strip() if found else ""))
    return Said(str(role), text, when)


def folders(places: Places) -> Iterator[str]:
    """Every day's folder."""
    for top in places.codex:
        yield from _deeper(top, DEPTH)


def _deeper(folder: str, levels: int) -> Iterator[str]:
    if not levels:
        yield folder
        return
    try:
        with os.scandir(folder) as entries:
            inside = sorted(entry.path for entry in entries if entry.name.isdigit() and entry.is_dir())
    except OSError:
        return
    if levels == DEPTH:
        yield folder  # archived and old sessions lie flat
    for path in inside:
        yield from _deeper(path, levels - 1)


def transcript(entry: os.DirEntry[str]) -> str | None:
    """Rollouts, packed or not."""
    return entry.path if entry.name.startswith("rollout-") and entry.name.endswith((".jsonl", ".jsonl.zst")) else None


FORMAT = Format("codex", folders, transcript, said=said)
