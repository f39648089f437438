"""haversack forget"""

from __future__ import annotations

import click

from haversack.cli.output import bold, write, write_json
from haversack.cli.session import Session, Verb


@click.command("forget", cls=Verb)
@click.argument("record", metavar="ID")
@click.pass_obj
def command(session: Session, record: str) -> None:
    """Remove a memory or an experience for good.

    ID may be the beginning of one. To keep it on record and serve something else, use `supersede`.
    """
    with session.open() as haversack:
        gone = haversack.forget(record)
    if session.json:
        write_json({"forgotten": gone.id})
    else:
        write(f"{bold(gone.id)}  forgotten")
