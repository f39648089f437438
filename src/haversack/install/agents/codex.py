"""Codex: `config.toml` and `hooks.json` in `.codex`, of the project or of the user."""

from __future__ import annotations

from pathlib import Path

from haversack.install.agent import HOOK_SECONDS, Agent, Entry, Machine, Place, Scope, hooks, server

EVENTS = {"SessionStart": "", "UserPromptSubmit": "", "PostToolUse": "Bash", "SessionEnd": ""}


def _folder(machine: Machine) -> Path | None:
    return machine.folder("CODEX_HOME", ".codex")


def _places(machine: Machine, scope: Scope) -> tuple[Place, ...]:
    folder = machine.root / ".codex" if scope == "project" else _folder(machine)
    if folder is None:
        return ()
    handler = hooks(EVENTS, {"type": "command", "command": machine.hook(scope), "timeout": HOOK_SECONDS})
    return (
        Place(folder / "config.toml", (Entry(("mcp_servers", "haversack"), server(machine, scope)),), blank=""),
        Place(folder / "hooks.json", handler),
    )


AGENT = Agent(
    "codex",
    "Codex",
    ("codex",),
    lambda machine: (_folder(machine), machine.root / ".codex"),
    _places,
    "Codex reads a project's files once the project is trusted; `/hooks` there shows the hooks for review.",
)
