"""haversack status"""

from __future__ import annotations

import click
from msgspec import to_builtins

from haversack.cli.output import columns, problems, problems_json, size_text, write_json
from haversack.cli.session import Session, Verb


@click.command("status", cls=Verb)
@click.pass_obj
def command(session: Session) -> None:
    """Say how the index stands against the files on disk.

    Nothing is changed: the next search, packet or `haversack index` reads what is new.
    """
    with session.open() as haversack:
        status = haversack.status()
    if session.json:
        write_json({**to_builtins(status), "fresh": status.fresh, "problems": problems_json(status.problems)})
        return
    sizes = status.sizes
    changed, gone = len(status.changed), len(status.gone)
    rows = [("project", root) for root in status.roots]
    rows += [
        ("index", status.folder),
        ("fresh", "yes" if status.fresh else f"no: {changed:,} files to read, {gone:,} gone"),
        ("files", f"{status.files:,}"),
        ("units", f"{sizes.units:,}"),
        ("size", f"{size_text(sizes.disk_bytes)} for {size_text(sizes.text_bytes)} of text"),
    ]
    rows += [(f"source {name}", f"{count:,}") for name, count in sorted(status.sources.items())]
    rows += [("skipped", f"{count:,} {reason}") for reason, count in sorted(status.skipped.items())]
    columns(rows)
    problems(status.problems)
