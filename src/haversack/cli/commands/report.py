"""haversack report"""

from __future__ import annotations

import click

from haversack.cli.output import write, write_json
from haversack.cli.session import Session, Verb


@click.command("report", cls=Verb)
@click.option("--session", "session_id", metavar="ID", help="Only packets of this session.")
@click.pass_obj
def command(session: Session, session_id: str | None) -> None:
    """Summarise the packets made so far."""
    from haversack.receipt.report import report_json, report_text

    with session.open() as haversack:
        report = haversack.report(session_id)
    if session.json:
        write_json(report_json(report))
    else:
        write(report_text(report).rstrip("\n"))
