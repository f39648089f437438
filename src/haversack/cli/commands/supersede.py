"""haversack supersede"""

from __future__ import annotations

from typing import Any

import click

from haversack.cli.memory_options import memory_options, read_text, remembered_json, show_remembered
from haversack.cli.output import write_json
from haversack.cli.session import Session, Verb


@click.command("supersede", cls=Verb)
@click.argument("memory", metavar="ID")
@click.argument("text")
@memory_options
@click.pass_obj
def command(session: Session, memory: str, text: str, options: dict[str, Any]) -> None:
    """Put a new statement in place of an old one: only the new one is served.

    The new one is of the same kind as the old unless options say otherwise. The old one stays on record.
    """
    with session.open() as haversack:
        done = haversack.supersede(memory, read_text(text), **options)
    if session.json:
        write_json(remembered_json(done))
    else:
        show_remembered(done)
