"""haversack why"""

from __future__ import annotations

import re

import click

from haversack.cli.completing import FILE
from haversack.cli.output import write, write_json
from haversack.cli.session import Session, Verb

# A symbol or an item's id may be all hexadecimal digits, too; what is as long as a packet's id is meant as one.
PACKET_ID = re.compile(r"last|[0-9a-f]{12}")


@click.command("why", cls=Verb)
@click.argument("packet", type=FILE, required=False)
@click.argument("target", type=FILE, required=False)
@click.pass_obj
def command(session: Session, packet: str | None, target: str | None) -> None:
    """Say why something is in a packet, or is not.

    PACKET is a packet's id, the beginning of one, or `last`, which it also is when left out. TARGET is a path,
    path:lines, symbol or id; without one the packet as a whole is explained.
    """
    with session.open() as haversack:
        alone = packet is not None and target is None
        if alone and not PACKET_ID.fullmatch(str(packet)) and not haversack.journal.begins(str(packet)):
            packet, target = None, packet
        answer = haversack.why(packet or "last", target)
    if session.json:
        write_json({"packet": packet or "last", "target": target, "answer": answer})
    else:
        write(answer)
