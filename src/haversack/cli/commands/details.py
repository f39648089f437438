"""haversack details"""

from __future__ import annotations

import click

from haversack.cli.output import dim, safe, write, write_json
from haversack.cli.session import Session, Verb


@click.command("details", cls=Verb)
@click.argument("record", metavar="ID")
@click.pass_obj
def command(session: Session, record: str) -> None:
    """Print one memory, experience or value whole, and what belongs to it."""
    with session.indexed() as haversack:
        found = haversack.recall.get_details(record)
    if session.json:
        write_json(found.as_json())
        return
    write("\n".join(map(safe, found.text.split("\n"))))
    if found.related:
        write(dim(f"belongs to it: {', '.join(found.related)}"))
