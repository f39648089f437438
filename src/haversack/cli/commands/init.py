"""haversack init"""

from __future__ import annotations

from pathlib import Path

import click

from haversack.cli.output import safe, write, write_json
from haversack.cli.session import Session, Verb
from haversack.errors import UsageError


@click.command("init", cls=Verb)
@click.option("--force", is_flag=True, help="Replace a haversack.toml that exists.")
@click.option("--print", "show", is_flag=True, help="Print the file instead of writing it.")
@click.pass_obj
def command(session: Session, force: bool, show: bool) -> None:
    """Write a commented haversack.toml.

    Every setting is there with what it does and its default, commented out: the file changes nothing until you do.
    """
    from haversack.config.files import PROJECT_FILE
    from haversack.config.template import commented
    from haversack.project import find_project

    text = commented()
    if show:
        write(text.removesuffix("\n"))
        return
    path = find_project(Path(session.project)).root / PROJECT_FILE
    try:
        with path.open("w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"{path} exists already", hint="Edit it, or replace it with --force.") from None
    if session.json:
        write_json({"path": str(path)})
    else:
        write(f"wrote {safe(str(path))}")
