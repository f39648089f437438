"""What install and uninstall share: the machine they work on, and how they show what becomes of files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from haversack.cli.output import dim, note, safe, write, write_json
from haversack.cli.session import Session

if TYPE_CHECKING:
    from haversack.install import FileChange, Machine

COLORS = {"+": "green", "-": "red", "@": "cyan"}

Command = TypeVar("Command", bound=Callable[..., object])


def install_options(command: Command) -> Command:
    """The options both take."""
    for option in (
        click.option("--dry-run", is_flag=True, help="Show what would change and write nothing."),
        click.option(
            "--scope",
            type=click.Choice(["project", "user"]),
            default="project",
            show_default=True,
            help="The project's files, or your own.",
        ),
        click.option(
            "--agent", "names", multiple=True, metavar="NAME", help="Only this agent; may be given several times."
        ),
    ):
        command = option(command)
    return command


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
