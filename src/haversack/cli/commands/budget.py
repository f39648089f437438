"""haversack budget"""

from __future__ import annotations

import sys

import click
from msgspec import to_builtins

from haversack.cli.output import allocation, problems, write, write_json
from haversack.cli.session import Session, Verb
from haversack.cli.tasks import Request, packet_options


@click.command("budget", cls=Verb)
@packet_options
@click.pass_obj
def command(session: Session, request: Request) -> None:
    """Show how the budget of a task would be spent.

    The table names every piece with its level of detail, its tokens and its relevance, section by section.
    """
    from haversack.receipt.budget import allocation_of

    with session.indexed(request.flags) as haversack:
        request.add_logs(haversack)
        packet = haversack.budget(request.task, include=request.include, exclude=request.exclude, pin=request.pin)
    if session.json:
        write_json(to_builtins(allocation_of(packet.receipt)))
        return
    write(allocation(packet.receipt, sys.stdout))
    problems(packet.receipt.problems)
