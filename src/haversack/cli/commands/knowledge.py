"""haversack knowledge"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from haversack.cli.output import columns, note, write_json
from haversack.cli.session import Session, Verb
from haversack.cli.when import MOMENT

if TYPE_CHECKING:
    from haversack.retrieve.knowledge import Entry


@click.command("knowledge", cls=Verb)
@click.option("--kind", metavar="KIND", help="Only decision, learning, convention, task, rule, adr, term, ...")
@click.option("--since", type=MOMENT, metavar="DATE", help="Only entries written down since then: 2026-01-31, 7d.")
@click.option("--all", "ended", is_flag=True, help="Entries that no longer hold, too.")
@click.pass_obj
def command(session: Session, kind: str | None, since: float | None, ended: bool) -> None:
    """List decisions, learnings, conventions, tasks and rules, one line each.

    `haversack show ID` prints an entry in full.
    """
    with session.indexed() as haversack:
        found = haversack.knowledge(kind=kind, since=since, ended=ended)
    if session.json:
        write_json([_json(entry) for entry in found])
    elif found:
        columns([entry.unit.id, entry.kind, entry.date or "-", _title(entry)] for entry in found)
    else:
        note("no entries; they are read from .context/ and from decision records such as docs/adr/0001-title.md")


def _title(entry: Entry) -> str:
    return entry.unit.title if entry.status == "live" else f"[{entry.status}] {entry.unit.title}"


def _json(entry: Entry) -> dict[str, object]:
    unit = entry.unit
    return {
        "id": unit.id,
        "kind": entry.kind,
        "title": unit.title,
        "date": entry.date or None,
        "status": entry.status,
        "path": unit.path,
        "line": unit.span.start if unit.span else None,
    }
