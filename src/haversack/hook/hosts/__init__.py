"""The hosts, each in a file of its own: which events it sends, how it is recognised, the shape of its answer."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from haversack.hook.hosts import claude_code, codex, cursor, gemini_cli
from haversack.hook.moment import Kind, Moment
from haversack.hook.outcome import outcome

# Claude Code's payload has nothing the others lack: it comes last.
HOSTS = (cursor, gemini_cli, codex, claude_code)
LONGEST_OUTPUT = 20_000
"""Characters of a command's output that are looked at, from its end: where failures are summed up."""


def recognise(payload: Mapping[str, object]) -> Moment | None:
    """The moment a payload tells of; None for a host or an event that is not known."""
    event = _text(payload.get("hook_event_name"))
    for host in HOSTS:
        kind = host.EVENTS.get(event)
        if kind is not None and host.sends(payload):
            return _moment(host.NAME, event, kind, payload)
    return None


def answer(moment: Moment, text: str) -> str:
    """The text in the shape of the moment's host, as one line of JSON."""
    host = next(each for each in HOSTS if moment.host == each.NAME)
    return json.dumps(host.answer(moment.event, text), ensure_ascii=False)


def _moment(host: str, event: str, kind: Kind, payload: Mapping[str, object]) -> Moment:
    command, output, failed = ("", "", None) if kind is not Kind.TOOL else outcome(event, payload)
    return Moment(
        host=host,
        event=event,
        kind=kind,
        session=_text(payload.get("session_id")) or _text(payload.get("conversation_id")),
        folder=_folder(payload),
        source=_text(payload.get("source")) or _text(payload.get("trigger")),
        prompt=_text(payload.get("prompt")) or _text(payload.get("user_prompt")),
        command=command,
        output=output[-LONGEST_OUTPUT:],
        failed=failed,
        compactions=gemini_cli.compactions(payload) if host == gemini_cli.NAME else 0,
    )


def _folder(payload: Mapping[str, object]) -> str:
    """The folder the session works in."""
    roots = payload.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else ""
    return _text(payload.get("cwd")) or _text(first) or os.environ.get("PWD", "")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
