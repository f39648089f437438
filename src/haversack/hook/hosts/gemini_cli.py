"""Gemini CLI: events named after the agent's loop, each with the time it happened."""

from __future__ import annotations

from collections.abc import Mapping

from haversack.hook.hosts import claude_code
from haversack.hook.moment import Kind

NAME = "gemini-cli"
OWN = {"BeforeAgent": Kind.PROMPT, "AfterTool": Kind.TOOL, "PreCompress": Kind.COMPACT}
EVENTS = {"SessionStart": Kind.START, "SessionEnd": Kind.END, **OWN}
answer = claude_code.answer


def sends(payload: Mapping[str, object]) -> bool:
    """Its own events, or those it shares with others beside a time of day or one of its transcripts."""
    transcript = payload.get("transcript_path")
    return (
        payload.get("hook_event_name") in OWN
        or "timestamp" in payload
        or (isinstance(transcript, str) and ".gemini" in transcript)
    )
