"""Codex: Claude Code's events and answer, checked against a schema that admits nothing extra."""

from __future__ import annotations

from collections.abc import Mapping

from haversack.hook.hosts import claude_code

NAME = "codex"
EVENTS = {name: kind for name, kind in claude_code.EVENTS.items() if name != "PostToolUseFailure"}
answer = claude_code.answer


def sends(payload: Mapping[str, object]) -> bool:
    """It names the turn; at a session's start, which has none, its transcript is a rollout or not there yet."""
    if "turn_id" in payload:
        return True
    transcript = payload.get("transcript_path", "")
    if isinstance(transcript, str):
        return ".codex" in transcript or "rollout-" in transcript
    return transcript is None and "model" in payload
