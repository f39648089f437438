"""Claude Code: the shape others have taken over. A command that fails comes as an event of its own."""

from __future__ import annotations

from collections.abc import Mapping

from haversack.hook.moment import Kind

NAME = "claude-code"
EVENTS = {
    "SessionStart": Kind.START,
    "UserPromptSubmit": Kind.PROMPT,
    "PostToolUse": Kind.TOOL,
    "PostToolUseFailure": Kind.TOOL,
    "PreCompact": Kind.COMPACT,
    "SessionEnd": Kind.END,
}


def sends(_payload: Mapping[str, object]) -> bool:
    """Whatever has these events and is none of the others."""
    return True


def answer(event: str, text: str) -> dict[str, object]:
    """Text beside what the user or the tool said."""
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
