"""haversack timeline"""

from __future__ import annotations

import click

from haversack.cli.output import safe, write, write_json
from haversack.cli.session import Session, Verb


@click.command("timeline", cls=Verb)
@click.argument("record", metavar="ID")
@click.option("--window", type=float, default=7.0, show_default=True, metavar="DAYS", help="Days before and after.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="Most to print: the nearest.")
@click.pass_obj
def command(session: Session, record: str, window: float, limit: int) -> None:
    """Show what was remembered before and after a memory or experience."""
    with session.indexed() as haversack:
        moments = haversack.recall.get_timeline(record, window, limit=limit)
    if session.json:
        write_json([each.as_json() for each in moments])
        return
    for each in moments:
        reward = "" if each.reward is None else f" (reward {each.reward:.2f})"
        write(safe(f"{each.text}{reward}"))
