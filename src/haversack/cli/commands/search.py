"""haversack search"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from haversack.cli.output import described, dim, note, safe, unit_json, write, write_json
from haversack.cli.session import Session, Verb
from haversack.cli.when import MOMENT

if TYPE_CHECKING:
    from haversack.retrieve.search import View

VIEWS = ("hybrid", "lexical", "semantic", "symbolic", "relational", "exact", "regex")
"""As the library has them; a test keeps the two equal, so that `--help` need not import the library."""


@click.command("search", cls=Verb)
@click.argument("query")
@click.option("--kind", metavar="KIND", help="Only units of this kind: function, class, section, commit, …")
@click.option("--path", metavar="GLOB", help="Only in files that match, or below this folder.")
@click.option("--lang", metavar="LANG", help="Only files in this language.")
@click.option("--since", metavar="WHEN", type=MOMENT, help="Only what changed since: 2026-01-31, 12h, 7d, 3w, 6m, 1y.")
@click.option(
    "--view",
    type=click.Choice(VIEWS),
    default="hybrid",
    show_default=True,
    help="Which index to ask.",
)
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="Most hits to print.")
@click.pass_obj
def command(
    session: Session,
    query: str,
    kind: str | None,
    path: str | None,
    lang: str | None,
    since: float | None,
    view: View,
    limit: int,
) -> None:
    """Find code, documentation and commits.

    Words, identifiers, paths and phrases all work; --view exact and --view regex look for QUERY as it is written.
    """
    if not query.strip():
        raise click.UsageError("the query is empty")
    with session.indexed() as haversack:
        hits = haversack.search(query, kind=kind, path=path, lang=lang, since=since, view=view, limit=limit)
    if session.json:
        write_json(
            [
                {**unit_json(hit.unit), "score": hit.score, "why": hit.why, "line": hit.line, "snippet": hit.snippet}
                for hit in hits
            ]
        )
        return
    for hit in hits:
        write(f"{hit.score:.2f}  {described(hit.unit)}")
        for line in (hit.snippet or hit.unit.doc.strip().partition("\n")[0]).splitlines():
            write(dim(f"      {safe(line)}"))
    if not hits:
        note("nothing found")
