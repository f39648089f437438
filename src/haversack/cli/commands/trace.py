"""haversack trace"""

from __future__ import annotations

import click

from haversack.cli.output import bold, dim, note, place, safe, unit_json, write, write_json
from haversack.cli.session import Session, Verb


@click.command("trace", cls=Verb)
@click.argument("target", metavar="PATH[:LINES]")
@click.pass_obj
def command(session: Session, target: str) -> None:
    """List the decisions, tasks, requirements and commits that bear on code.

    Each with where it stands and what led there: it names the file or a symbol in these lines, the code names it, or a
    commit that changed the file does.
    """
    with session.indexed() as haversack:
        found = haversack.trace(target)
        commits = haversack.commits_of(target)
    if session.json:
        write_json([{**unit_json(each.unit), "kind": each.kind, "edge": each.edge} for each in found])
        return
    if not found:
        note("nothing written down here bears on it")
    kind = ""
    for each in found:
        if each.kind != kind:
            kind = each.kind
            write(bold(kind))
        write(f"  {each.unit.id}  {safe(place(each.unit))}  {safe(each.unit.title)}  {dim(safe(each.edge))}")
    shown = sum(each.kind == "commit" for each in found)
    if shown < commits:
        write(dim(f"  the newest {shown} of {commits:,} commits; `git log -- PATH` has all"))
