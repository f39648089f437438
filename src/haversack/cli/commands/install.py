"""haversack install"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from haversack.cli.output import dim, note, safe, write, write_json
from haversack.cli.session import Session, Verb

if TYPE_CHECKING:
    from haversack.install import Agent, FileChange, Machine, Scope

COLORS = {"+": "green", "-": "red", "@": "cyan"}


@click.command("install", cls=Verb)
@click.option("--agent", "names", multiple=True, metavar="NAME", help="Only this agent; may be given several times.")
@click.option(
    "--scope",
    type=click.Choice(["project", "user"]),
    default="project",
    show_default=True,
    help="Write the project's files, or the user's own.",
)
@click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")
@click.option("--plugin-path", is_flag=True, help="Print the folder of the plugin that ships with haversack.")
@click.pass_obj
def command(session: Session, names: tuple[str, ...], scope: str, dry_run: bool, plugin_path: bool) -> int:
    """Set up the MCP server and the hooks in the agents found here.

    Comments, order and everything else in their files stay as they are, the change is shown, and `haversack
    uninstall` takes it back. Exit code 1 when a file had to be left alone.
    """
    from haversack.install import choose, install, plugin_folder

    if plugin_path:
        write(str(plugin_folder()))
        return 0
    machine, where = here(session), cast("Scope", scope)
    agents = choose(names, machine)
    changes = install(machine, agents, where, dry_run=dry_run)
    if not session.json:
        for agent in agents:
            if not agent.places(machine, where):
                note(f"{agent.title} has no files for --scope {scope}")
    show(session, changes, scope, dry_run)
    if not session.json and not dry_run:
        told(agents, changes)
    return int(any(change.action == "left alone" for change in changes))


def here(session: Session) -> Machine:
    """This machine, with the project the options name."""
    from haversack.install import Machine
    from haversack.project import find_project

    return Machine.here(find_project(Path(session.project)).root)


def show(session: Session, changes: Sequence[FileChange], scope: str, dry_run: bool) -> None:
    """What became of each file, or would."""
    from haversack.install.diff import diff

    if session.json:
        files = [
            {
                "path": str(change.path),
                "agents": list(change.agents),
                "action": change.action,
                "diff": "".join(f"{line}\n" for line in diff(change)),
                "note": change.note,
                "fix": change.fix,
            }
            for change in changes
        ]
        write_json({"scope": scope, "dry_run": dry_run, "files": files})
        return
    for change in changes:
        for line in diff(change):
            write(click.style(safe(line), fg=COLORS.get(line[:1])))
        would = "would be " if dry_run and change.action not in ("unchanged", "left alone") else ""
        write(f"{safe(str(change.path))}: {would}{change.action}" + dim(f" ({', '.join(change.agents)})"))
        if change.note:
            note(f"  {safe(change.note)}" + (f"\n  {safe(change.fix)}" if change.fix else ""))


def told(agents: Sequence[Agent], changes: Sequence[FileChange]) -> None:
    """What is left for the user to do in the agents whose files changed."""
    touched = {name for change in changes if change.action in ("made", "changed") for name in change.agents}
    for agent in agents:
        if agent.after and agent.name in touched:
            write(agent.after)
