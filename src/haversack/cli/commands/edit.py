"""haversack edit"""

from __future__ import annotations

from typing import Any

import click

from haversack.cli.memory_options import memory_options, read_text, remembered_json, warn
from haversack.cli.output import bold, write, write_json
from haversack.cli.session import Session, Verb


@click.command("edit", cls=Verb)
@click.argument("memory", metavar="ID")
@click.option("--text", metavar="TEXT", help="What it says from now on; - for standard input.")
@click.option("--status", metavar="WORD", help="live brings back what was superseded; superseded and stale retire it.")
@memory_options
@click.pass_obj
def command(session: Session, memory: str, text: str | None, status: str | None, options: dict[str, Any]) -> None:
    """Change what a memory says, or what is said about it.

    ID may be the beginning of one. What is not given stays as it is.
    """
    if text is None and status is None and not options:
        raise click.UsageError("nothing to change: give --text or another option")
    with session.open() as haversack:
        done = haversack.edit(memory, text=None if text is None else read_text(text), status=status, **options)
    if session.json:
        write_json(remembered_json(done))
    else:
        write(f"{bold(done.memory.id)}  changed")
        warn(done.problems)
