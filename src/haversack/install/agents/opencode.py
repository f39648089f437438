"""OpenCode: `opencode.json` or `opencode.jsonc`, whichever is there; the server only, hooks there are plugins."""

from __future__ import annotations

from pathlib import Path

from haversack.install.agent import Agent, Entry, Machine, Place, Scope


def _folder(machine: Machine) -> Path | None:
    config = machine.folder("XDG_CONFIG_HOME", ".config")
    return config / "opencode" if config else None


def _places(machine: Machine, scope: Scope) -> tuple[Place, ...]:
    folder = machine.root if scope == "project" else _folder(machine)
    if folder is None:
        return ()
    names = ("opencode.json", "opencode.jsonc")
    path = next((folder / name for name in names if (folder / name).exists()), folder / names[0])
    entry = Entry(("mcp", "haversack"), {"type": "local", "command": [machine.program(scope), "mcp"], "enabled": True})
    return (Place(path, (entry,), blank='{\n  "$schema": "https://opencode.ai/config.json"\n}\n'),)


AGENT = Agent(
    "opencode", "OpenCode", ("opencode",), lambda machine: (_folder(machine), machine.root / ".opencode"), _places
)
