"""haversack summarize"""

from __future__ import annotations

import click

from haversack.cli.completing import FILE
from haversack.cli.output import safe, write, write_json
from haversack.cli.session import Session, Verb


@click.command("summarize", cls=Verb)
@click.argument("file", type=FILE, metavar="FILE")
@click.option(
    "--level",
    type=click.Choice(["full", "light", "detailed", "medium", "summary", "heavy", "stub"]),
    help="How much of it; medium is detailed, heavy is summary. Without it: what --tokens needs, or a summary.",
)
@click.option("--tokens", type=click.IntRange(0), help="Most tokens it may take.")
@click.pass_obj
def command(session: Session, file: str, level: str | None, tokens: int | None) -> None:
    """Print a file at a level of detail, or in so many tokens."""
    with session.indexed() as haversack:
        made = haversack.summarize(file, level, tokens=tokens)
    if session.json:
        write_json({"path": made.path, "level": made.level, "tokens": made.tokens, "text": made.text})
    else:
        write(safe(made.text).removesuffix("\n"))
