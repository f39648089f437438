"""haversack install"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import click

from haversack.cli.installing import here, install_options, show
from haversack.cli.output import note, write
from haversack.cli.session import Session, Verb

if TYPE_CHECKING:
    from haversack.install import Agent, FileChange, Scope


@click.command("install", cls=Verb)
@install_options
@click.option("--plugin-path", is_flag=True, help="Print the folder of the plugin that ships with haversack.")
@click.pass_obj
def command(session: Session, names: tuple[str, ...], scope: str, dry_run: bool, plugin_path: bool) -> int:
    """Set up the MCP server and the hooks in the agents found here.

    Comments, order and everything else in their files stay as they are, the change is shown, and `haversack
    uninstall` takes it back. Exit code 1 when a file had to be left alone.
    """
    from haversack.install import also_in, choose, install, plugin_folder
    from haversack.install.agent import PROGRAM

    if plugin_path:
        write(str(plugin_folder()))
        return 0
    machine, where = here(session), cast("Scope", scope)
    agents = choose(names, machine)
    changes = install(machine, agents, where, dry_run=dry_run)
    show(session, changes, scope, dry_run)
    for agent in agents:
        if not agent.places(machine, where):
            note(f"{agent.title} has no files for --scope {scope}")
    other: Scope = "user" if where == "project" else "project"
    for agent in also_in(machine, agents, other):
        note(f"warning: {agent.title} has haversack in its {other} files, too, and would run it twice")
        note(f"  `haversack uninstall --scope {other} --agent {agent.name}` takes that out.")
    if where == "project" and machine.finds(PROGRAM) is None:
        note(f"warning: {PROGRAM} is not on the PATH, and a project's files start it by its name")
        note(f"  `pipx install {PROGRAM}` puts it there, as does `uv tool`; --scope user writes its full path.")
    if not session.json and not dry_run:
        _told(agents, changes)
    return int(any(change.action == "left alone" for change in changes))


def _told(agents: Sequence[Agent], changes: Sequence[FileChange]) -> None:
    """What is left for the user to do in the agents whose files changed."""
    touched = {name for change in changes if change.action in ("made", "changed") for name in change.agents}
    for agent in agents:
        if agent.after and agent.name in touched:
            write(agent.after)
