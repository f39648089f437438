"""What hosts send, field by field as they do."""

from __future__ import annotations

from typing import Any

Payload = dict[str, Any]


def claude(event: str, cwd: str = "/shop", **more: object) -> Payload:
    transcript = "/home/ann/.claude/projects/-shop/0a1b2c3d.jsonl"
    return {
        "session_id": "0a1b2c3d", "transcript_path": transcript, "cwd": cwd, "permission_mode": "default",
        "hook_event_name": event, **more,
    }  # fmt: skip


def codex(event: str, cwd: str = "/shop", **more: object) -> Payload:
    turn = {} if event == "SessionStart" else {"turn_id": "turn-1"}
    transcript = "/home/ann/.codex/sessions/2026/11/16/rollout-2026-11-16T02-00-00-c0de.jsonl"
    return {
        "session_id": "c0de", "transcript_path": transcript, "cwd": cwd, "hook_event_name": event, "model": "gpt-5",
        "permission_mode": "default", **turn, **more,
    }  # fmt: skip


def cursor(event: str, cwd: str = "/shop", **more: object) -> Payload:
    return {
        "conversation_id": "c0ffee", "generation_id": "1", "model": "auto", "hook_event_name": event,
        "cursor_version": "2.6.0", "workspace_roots": [cwd], "user_email": None, "transcript_path": None, **more,
    }  # fmt: skip


def gemini(event: str, cwd: str = "/shop", **more: object) -> Payload:
    return {
        "session_id": "9e31", "transcript_path": "/home/ann/.gemini/tmp/shop/chats/9e31.jsonl", "cwd": cwd,
        "hook_event_name": event, "timestamp": "2026-11-16T02:00:00.000Z", **more,
    }  # fmt: skip
