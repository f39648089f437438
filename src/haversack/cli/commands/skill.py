"""haversack skill"""

from __future__ import annotations

import click

from haversack.cli.output import note, safe, write, write_json
from haversack.cli.session import Session, Verb


@click.command("skill", cls=Verb)
@click.argument("topic")
@click.pass_obj
def command(session: Session, topic: str) -> None:
    """Say what is known about a topic: principles, pitfalls, how it is done here.

    Drawn from memories, experiences, values, decision records and code, with citations.
    """
    with session.indexed() as haversack:
        found = haversack.recall.get_skill(topic)
    if session.json:
        write_json(found.as_json())
        return
    write("\n".join(map(safe, found.text.rstrip().split("\n"))))
    if not found.confidence:
        note("nothing is known about this yet")
