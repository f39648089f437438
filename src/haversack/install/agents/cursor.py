"""Cursor: `mcp.json` and `hooks.json` in `.cursor`, of the project or of the user."""

from __future__ import annotations

from haversack.install.agent import HOOK_SECONDS, Agent, Entry, Json, Machine, Place, Scope, server

EVENTS = {
    "sessionStart": "",
    "beforeSubmitPrompt": "",
    "postToolUse": "Shell",
    "postToolUseFailure": "Shell",
    "preCompact": "",
    "sessionEnd": "",
}


def _places(machine: Machine, scope: Scope) -> tuple[Place, ...]:
    top = machine.root if scope == "project" else machine.home
    if top is None:
        return ()
    handler: dict[str, Json] = {"command": machine.hook(scope), "timeout": HOOK_SECONDS}
    handlers = tuple(
        Entry(("hooks", event), {**handler, **({"matcher": matcher} if matcher else {})}, element=True)
        for event, matcher in EVENTS.items()
    )
    return (
        Place(top / ".cursor" / "mcp.json", (Entry(("mcpServers", "haversack"), server(machine, scope)),)),
        Place(top / ".cursor" / "hooks.json", handlers, blank='{\n  "version": 1\n}\n'),
    )


AGENT = Agent(
    "cursor",
    "Cursor",
    ("cursor", "cursor-agent"),
    lambda machine: (machine.folder("", ".cursor"), machine.root / ".cursor"),
    _places,
    "Cursor lists the server under Settings, MCP, where it is turned on.",
)
