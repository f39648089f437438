"""haversack summarize"""

from __future__ import annotations

import click

from haversack.cli.output import safe, write, write_json
from haversack.cli.session import Session, Verb


@click.command("summarize", cls=Verb)
@click.argument("file", metavar="FILE")
@click.option(
    "--level",
    type=click.Choice(["full", "detailed", "summary", "stub"]),
    default="summary",
    show_default=True,
    help="How much of it.",
)
@click.pass_obj
def command(session: Session, file: str, level: str) -> None:
    """Print a file at a level of detail."""
    with session.indexed() as haversack:
        text = haversack.summarize(file, level)
    if session.json:
        write_json({"path": file, "level": level, "text": text})
    else:
        write(safe(text).removesuffix("\n"))
