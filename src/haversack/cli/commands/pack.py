"""haversack pack"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from haversack.cli.completing import FILE
from haversack.cli.output import allocation, note, problems, safe, write_json
from haversack.cli.session import Session, Verb
from haversack.cli.tasks import Request, packet_options
from haversack.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from haversack.receipt.packet import Packet

PATHS_SHOWN = 3


@click.command("pack", cls=Verb)
@packet_options
@click.option("--explain", is_flag=True, help="Print the table of what was chosen after it, on standard error.")
@click.option("--copy", is_flag=True, help="Put the packet on the clipboard, too.")
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write the packet to FILE instead of standard output.")
@click.option(
    "--for",
    "reader",
    type=click.Choice(["aider"]),
    help="Write the packet to a file for this program, and print its path: aider --read takes it.",
)
@click.pass_obj
def command(
    session: Session, request: Request, explain: bool, copy: bool, output: str | None, reader: str | None
) -> None:
    """Choose what a model should read for a task, within a budget.

    TASK is a sentence, an issue, an error message with its stack trace. `-` reads it from standard input. The packet
    goes to standard output; everything else goes to standard error.
    """
    with session.indexed(request.flags) as haversack:
        request.add_logs(haversack)
        packet = haversack.pack(request.task, include=request.include, exclude=request.exclude, pin=request.pin)
        if reader is not None and output is None:
            # Always the same file: aider reads a file it was given again when it changes.
            output = str(haversack.folder / f"{reader}.md")
    _log(session, packet)
    if session.json:
        from haversack.receipt.packet import packet_json

        write_json(packet_json(packet))
    elif output is None:
        # Byte for byte: what was counted is what is printed.
        sys.stdout.write(packet.text)
    if output is not None:
        _save(packet.text, output)
        if reader is not None and not session.json:
            click.echo(str(Path(output).absolute()))
    if copy:
        from haversack.cli.clipboard import copy as to_clipboard

        note(f"copied {packet.tokens:,} tokens through {to_clipboard(packet.text)}")
    if explain:
        note(allocation(packet.receipt, sys.stderr))
    if packet.budget_exceeded:
        note(f"warning: {packet.tokens:,} tokens exceed the budget of {packet.budget:,}")
    if not packet.items:
        note(f"warning: the packet is empty: {_nothing(packet)}")
    if packet.receipt.not_found:
        note(f"not found here: {_some(packet.receipt.not_found)}")
    problems(packet.receipt.problems)


def _some(paths: Sequence[str]) -> str:
    """The first paths, and how many more there are."""
    more = f" and {len(paths) - PATHS_SHOWN} more" if len(paths) > PATHS_SHOWN else ""
    return ", ".join(map(safe, paths[:PATHS_SHOWN])) + more


def _nothing(packet: Packet) -> str:
    """Why a packet holds nothing."""
    entrances = [each.enters_at_budget for each in packet.omitted if each.enters_at_budget is not None]
    if entrances:
        return f"the first piece enters at a budget of {min(entrances):,} tokens"
    if packet.omitted:
        return "nothing here bears enough on the task; --fill takes in what comes closest"
    return "nothing here bears on the task"


def _save(text: str, output: str) -> None:
    try:
        Path(output).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise UsageError(f"{output} cannot be written: {why}", hint="-o takes the path of a file.") from None
    note(f"wrote {safe(output)}")


def _log(session: Session, packet: Packet) -> None:
    if not session.logging:
        return
    from haversack import logs

    logs.event(
        "packed",
        packet=packet.packet_id,
        tokens=packet.tokens,
        budget=packet.budget,
        counter=packet.counter,
        items=len(packet.items),
        omitted=len(packet.omitted),
        exceeded=packet.budget_exceeded,
    )
    again = packet.receipt.reranked
    if again is not None:
        logs.event("reranked", by=again.by, candidates=again.candidates, seen=again.seen, known=again.known)
    for stage, milliseconds in packet.timings.items():
        logs.detail("stage", name=stage, ms=milliseconds)
    for problem in packet.receipt.problems:
        logs.warning(problem.what, where=problem.where, fix=problem.fix)
