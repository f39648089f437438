"""haversack report"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from haversack.cli.output import safe, write, write_json
from haversack.cli.session import Session, Verb

if TYPE_CHECKING:
    from haversack.index.journal import Assembly


@click.command("report", cls=Verb)
@click.option("--session", "session_id", metavar="ID", help="Only packets of this session.")
@click.option("--log", is_flag=True, help="How each packet was made, newest first, one line each.")
@click.pass_obj
def command(session: Session, session_id: str | None, log: bool) -> None:
    """Summarise the packets made so far."""
    from haversack.receipt.report import report_json, report_text

    with session.open() as haversack:
        if log:
            _print_log(session, haversack.assemblies(session_id))
            return
        report = haversack.report(session_id)
    if session_id and not report.packets and not session.json:
        write(f"No packets of session {safe(session_id)}. `haversack pack TASK --session ID` makes one.")
        return
    if session.json:
        write_json(report_json(report))
    else:
        write(report_text(report).rstrip("\n"))


def _print_log(session: Session, assemblies: Sequence[Assembly]) -> None:
    if session.json:
        write_json([each._asdict() for each in assemblies])
        return
    for each in assemblies:
        made = datetime.fromtimestamp(each.created, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        write(
            f"{made} {each.task_id} {each.task_type}: {each.items_included} of {each.candidates_found} candidates from "
            f"{len(each.sources_queried)} sources, {each.tokens_used:,} of {each.tokens_budget:,} tokens, "
            f"{len(each.compression_applied)} shortened, {each.assembly_time_ms:.0f} ms"
        )
