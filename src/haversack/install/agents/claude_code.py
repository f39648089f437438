"""Claude Code: `.mcp.json` and `.claude/settings.json`, or `~/.claude.json` and `~/.claude/settings.json`."""

from __future__ import annotations

from pathlib import Path

from haversack.install.agent import HOOK_SECONDS, Agent, Entry, Machine, Place, Scope, hooks, server

# A command that fails is reported as PostToolUseFailure; one that ends well as PostToolUse, also when its output tells
# of failed tests.
EVENTS = {
    "SessionStart": "",
    "UserPromptSubmit": "",
    "PostToolUse": "Bash",
    "PostToolUseFailure": "Bash",
    "SessionEnd": "",
}


def _folder(machine: Machine) -> Path | None:
    return machine.folder("CLAUDE_CONFIG_DIR", ".claude")


def _places(machine: Machine, scope: Scope) -> tuple[Place, ...]:
    servers = Entry(("mcpServers", "haversack"), server(machine, scope, type="stdio"))
    handler = hooks(EVENTS, {"type": "command", "command": machine.hook(scope), "timeout": HOOK_SECONDS})
    if scope == "project":
        return (
            Place(machine.root / ".mcp.json", (servers,)),
            Place(machine.root / ".claude" / "settings.json", handler),
        )
    folder = _folder(machine)
    if folder is None or machine.home is None:
        return ()
    # The list of servers stands beside the folder, not in it, unless a variable has moved the folder.
    own = folder / ".claude.json" if machine.env.get("CLAUDE_CONFIG_DIR") else machine.home / ".claude.json"
    return Place(own, (servers,)), Place(folder / "settings.json", handler)


AGENT = Agent(
    "claude-code",
    "Claude Code",
    ("claude",),
    lambda machine: (_folder(machine), machine.root / ".claude"),
    _places,
    "Claude Code asks once whether the project's server may run.",
)
