"""Gemini CLI: events named after the agent's loop, each with the time it happened."""

from __future__ import annotations

from collections.abc import Mapping

from haversack.hook.hosts import claude_code
from haversack.hook.moment import Kind

NAME = "gemini-cli"
OWN = {"BeforeAgent": Kind.PROMPT, "AfterTool": Kind.TOOL}
EVENTS = {"SessionStart": Kind.START, "SessionEnd": Kind.END, **OWN}
REWRITTEN, SUMMED_UP = b'{"$set":{"messages":', b"<state_snapshot>"
"""How a line of its transcript begins that takes the place of all before, and what marks a summary in it."""
LARGEST = 64_000_000
"""Bytes of a transcript. Reading them takes a few milliseconds; what is larger than this is not one."""
answer = claude_code.answer


def sends(payload: Mapping[str, object]) -> bool:
    """Its own events, or those it shares with others beside a time of day or one of its transcripts."""
    transcript = payload.get("transcript_path")
    return (
        payload.get("hook_event_name") in OWN
        or "timestamp" in payload
        or (isinstance(transcript, str) and ".gemini" in transcript)
    )


def compactions(payload: Mapping[str, object]) -> int:
    """How often the conversation was compacted: its own event for that comes before every turn, compacted or not."""
    path = payload.get("transcript_path")
    if not isinstance(path, str) or payload.get("hook_event_name") != "BeforeAgent":
        return 0
    try:
        with open(path, "rb") as file:
            lines = file.read(LARGEST).splitlines()
    except (OSError, ValueError):
        return 0
    return sum(1 for line in lines if line.startswith(REWRITTEN) and SUMMED_UP in line)
