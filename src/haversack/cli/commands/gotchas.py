"""haversack gotchas"""

from __future__ import annotations

import click

from haversack.cli.output import bold, dim, note, safe, write, write_json
from haversack.cli.session import Session, Verb


@click.command("gotchas", cls=Verb)
@click.argument("query", required=False, default="")
@click.option("--file", "files", multiple=True, metavar="PATH", help="Only what concerns this file; more than once.")
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True, help="Most to print.")
@click.pass_obj
def command(session: Session, query: str, files: tuple[str, ...], limit: int) -> None:
    """Find what went wrong before, when, how often, and what helped."""
    with session.indexed() as haversack:
        found = haversack.recall.search_gotchas(query, files=files, limit=limit)
    if session.json:
        write_json([each.as_json() for each in found])
        return
    for each in found:
        write(f"{bold(safe(each.title))}  {each.id}, seen {each.occurrence_count}×")
        write("\n".join(f"  {safe(line)}" for line in each.description.split("\n")))
        if each.resolution:
            write(f"  what helped: {safe(' '.join(each.resolution.split()))}")
        if each.trigger_conditions:
            write(dim(f"  when: {safe('; '.join(each.trigger_conditions))}"))
    if not found:
        note("nothing found")
