"""Codex: `config.toml` and `hooks.json` in `.codex`, of the project or of the user."""

from __future__ import annotations

from pathlib import Path

from haversack.install.agent import HOOK_SECONDS, Agent, Entry, Json, Machine, Place, Scope, hooks, server

EVENTS = {"SessionStart": "", "UserPromptSubmit": "", "PostToolUse": "Bash"}
END_SECONDS = 3
"""What Codex waits for at a session's end; where the settings say more, it warns at every start."""


def _folder(machine: Machine) -> Path | None:
    return machine.folder("CODEX_HOME", ".codex")


def _places(machine: Machine, scope: Scope) -> tuple[Place, ...]:
    folder = machine.root / ".codex" if scope == "project" else _folder(machine)
    if folder is None:
        return ()
    handler: dict[str, Json] = {"type": "command", "command": machine.hook(scope), "timeout": HOOK_SECONDS}
    handlers = (*hooks(EVENTS, handler), *hooks({"SessionEnd": ""}, {**handler, "timeout": END_SECONDS}))
    return (
        Place(folder / "config.toml", (Entry(("mcp_servers", "haversack"), server(machine, scope)),), blank=""),
        Place(folder / "hooks.json", handlers),
    )


AGENT = Agent(
    "codex",
    "Codex",
    ("codex",),
    lambda machine: (_folder(machine), machine.root / ".codex"),
    _places,
    "Codex reads a project's files once the project is trusted; `/hooks` there shows the hooks for review.",
)
