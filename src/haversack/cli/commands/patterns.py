"""haversack patterns"""

from __future__ import annotations

import click

from haversack.cli.output import bold, note, safe, write, write_json
from haversack.cli.session import Session, Verb


@click.command("patterns", cls=Verb)
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True, help="Most to print.")
@click.pass_obj
def command(session: Session, query: str, limit: int) -> None:
    """Find what worked before, and how often."""
    with session.indexed() as haversack:
        found = haversack.recall.search_patterns(query, limit=limit)
    if session.json:
        write_json([each.as_json() for each in found])
        return
    for each in found:
        write(f"{bold(safe(each.title))}  {each.id}, worked {each.success_count}×")
        write("\n".join(f"  {safe(line)}" for line in each.description.split("\n")))
    if not found:
        note("nothing found")
