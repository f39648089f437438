"""Every agent haversack can be installed into, one file each."""

from __future__ import annotations

from haversack.install.agents import (
    claude_code,
    codex,
    copilot_cli,
    cursor,
    gemini_cli,
    opencode,
    vscode,
    windsurf,
)

AGENTS = {
    module.AGENT.name: module.AGENT
    for module in (claude_code, codex, cursor, gemini_cli, opencode, copilot_cli, vscode, windsurf)
}
