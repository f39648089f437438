"""haversack score"""

from __future__ import annotations

import click

from haversack.cli.output import bold, columns, safe, write, write_json
from haversack.cli.session import Session, Verb
from haversack.cli.tasks import read_task


@click.command("score", cls=Verb)
@click.argument("file", metavar="FILE")
@click.option("--task", required=True, metavar="TEXT", help="The task to score it for; `-` reads it.")
@click.option("--profile", metavar="NAME", help="Weights of the score.")
@click.pass_obj
def command(session: Session, file: str, task: str, profile: str | None) -> None:
    """Show every factor of a file's score for a task."""
