"""VS Code: `.vscode/mcp.json`, or `mcp.json` beside the user's settings; the server only."""

from __future__ import annotations

from pathlib import Path

from haversack.install.agent import Agent, Entry, Machine, Place, Scope, server


def _folder(machine: Machine) -> Path | None:
    if machine.platform == "win32":
        base = machine.folder("APPDATA", "AppData", "Roaming")
    elif machine.platform == "darwin":
        base = machine.folder("", "Library", "Application Support")
    else:
        base = machine.folder("XDG_CONFIG_HOME", ".config")
    return base / "Code" / "User" if base else None


def _places(machine: Machine, scope: Scope) -> tuple[Place, ...]:
    folder = machine.root / ".vscode" if scope == "project" else _folder(machine)
    if folder is None:
        return ()
    return (Place(folder / "mcp.json", (Entry(("servers", "haversack"), server(machine, scope, type="stdio")),)),)


AGENT = Agent("vscode", "VS Code", ("code",), lambda machine: (_folder(machine),), _places)
