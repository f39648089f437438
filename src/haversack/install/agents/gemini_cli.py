"""Gemini CLI: `settings.json` in `.gemini`, of the project or of the user, holds servers and hooks."""

from __future__ import annotations

from haversack.install.agent import HOOK_SECONDS, Agent, Entry, Json, Machine, Place, Scope, hooks, server

EVENTS = {"SessionStart": "", "BeforeAgent": "", "AfterTool": "run_shell_command", "SessionEnd": ""}


def _places(machine: Machine, scope: Scope) -> tuple[Place, ...]:
    top = machine.root if scope == "project" else machine.home
    if top is None:
        return ()
    # Alone among them, Gemini CLI counts in milliseconds.
    handler: dict[str, Json] = {
        "name": "haversack",
        "type": "command",
        "command": machine.hook(scope),
        "timeout": HOOK_SECONDS * 1000,
    }
    entries = (Entry(("mcpServers", "haversack"), server(machine, scope)), *hooks(EVENTS, handler))
    return (Place(top / ".gemini" / "settings.json", entries),)


AGENT = Agent(
    "gemini-cli",
    "Gemini CLI",
    ("gemini",),
    lambda machine: (machine.folder("", ".gemini"), machine.root / ".gemini"),
    _places,
    "Gemini CLI reads a project's settings once the folder is trusted.",
)
