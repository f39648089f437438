"""Copilot CLI: `.mcp.json`, which it shares with Claude Code, or `~/.copilot/mcp-config.json`; the server only."""

from __future__ import annotations

from haversack.install.agent import Agent, Entry, Machine, Place, Scope, server


def _places(machine: Machine, scope: Scope) -> tuple[Place, ...]:
    path = ("mcpServers", "haversack")
    if scope == "project":
        return (Place(machine.root / ".mcp.json", (Entry(path, server(machine, scope, type="stdio")),)),)
    if machine.home is None:
        return ()
    value = server(machine, scope, type="local") | {"tools": ["*"]}
    return (Place(machine.home / ".copilot" / "mcp-config.json", (Entry(path, value),)),)


AGENT = Agent("copilot-cli", "Copilot CLI", ("copilot",), lambda machine: (machine.folder("", ".copilot"),), _places)
