"""haversack remember"""

from __future__ import annotations

from typing import Any

import click

from haversack.cli.memory_options import memory_options, read_text, remembered_json, show_remembered
from haversack.cli.output import write_json
from haversack.cli.session import Session, Verb


@click.command("remember", cls=Verb)
@click.argument("text")
@memory_options
@click.option("--no-merge", is_flag=True, help="Store it as it is, whatever is known already.")
@click.pass_obj
def command(session: Session, text: str, options: dict[str, Any], no_merge: bool) -> None:
    """Keep a statement: what says the same is counted, what it contradicts is superseded.

    TEXT may be - for standard input. Secrets in it are stored as their kind only.
    """
    with session.open() as haversack:
        done = haversack.remember(read_text(text), merge=not no_merge, **options)
    if session.json:
        write_json(remembered_json(done))
    else:
        show_remembered(done)
