"""haversack inside the agents people use: writes their MCP and hook settings, and takes them out again.

The files belong to others. Every change is an insertion, what surrounds it keeps its bytes, and a record of what was
inserted makes `uninstall` exact; where the file has changed since, only our entries go.
"""

from __future__ import annotations

from haversack.install.agent import SCOPES, Agent, Machine, Scope
from haversack.install.agents import AGENTS
from haversack.install.run import FileChange, also_in, choose, install, plugin_folder, uninstall

__all__ = [
    "AGENTS",
    "SCOPES",
    "Agent",
    "FileChange",
    "Machine",
    "Scope",
    "also_in",
    "choose",
    "install",
    "plugin_folder",
    "uninstall",
]
