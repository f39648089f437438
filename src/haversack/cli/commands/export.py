"""haversack export"""

from __future__ import annotations

import click

from haversack.cli.output import note, write
from haversack.cli.session import Session, Verb


@click.command("export", cls=Verb)
@click.argument("file", required=False)
@click.option("--kind", metavar="WORD", help="Only memory, experience or reward.")
@click.pass_obj
def command(session: Session, file: str | None, kind: str | None) -> None:
    """Write everything that is remembered as JSON lines, to FILE or to standard output.

    Experiences are written as entries of a CLAMS journal. `haversack import` reads it all back.
    """
    with session.open() as haversack:
        lines = haversack.export_memory(file, kind=kind)
    if file is None:
        for line in lines:
            write(line)
    else:
        note(f"{len(lines):,} lines written to {file}")
