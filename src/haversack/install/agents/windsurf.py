"""Windsurf: one list of servers for the user; it reads none from a project."""

from __future__ import annotations

from pathlib import Path

from haversack.install.agent import Agent, Entry, Machine, Place, Scope, server


def _folder(machine: Machine) -> Path | None:
    return machine.folder("", ".codeium", "windsurf")


def _places(machine: Machine, scope: Scope) -> tuple[Place, ...]:
    folder = _folder(machine)
    if scope == "project" or folder is None:
        return ()
    return (Place(folder / "mcp_config.json", (Entry(("mcpServers", "haversack"), server(machine, scope)),)),)


AGENT = Agent("windsurf", "Windsurf", ("windsurf",), lambda machine: (_folder(machine),), _places)
