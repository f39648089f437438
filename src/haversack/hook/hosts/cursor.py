"""Cursor: events in lower camel case, conversations for sessions, and an answer of one key."""

from __future__ import annotations

from collections.abc import Mapping

from haversack.hook.moment import Kind

NAME = "cursor"
EVENTS = {
    "sessionStart": Kind.START,
    "beforeSubmitPrompt": Kind.PROMPT,
    "postToolUse": Kind.TOOL,
    "postToolUseFailure": Kind.TOOL,
    "preCompact": Kind.COMPACT,
    "sessionEnd": Kind.END,
}


def sends(_payload: Mapping[str, object]) -> bool:
    """No other host spells its events so. Where it runs hooks made for Claude Code, it wants Claude Code's answers."""
    return True


def answer(_event: str, text: str) -> dict[str, object]:
    """Text beside the prompt or the result."""
    return {"additional_context": text}
