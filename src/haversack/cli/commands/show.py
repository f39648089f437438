"""haversack show"""

from __future__ import annotations

import click

from haversack.cli.output import bold, described, note, safe, unit_json, write, write_json
from haversack.cli.session import Session, Verb

ALTERNATIVES_SHOWN = 5


@click.command("show", cls=Verb)
@click.argument("target", metavar="ID|PATH[:LINES]|SYMBOL|COMMIT")
@click.pass_obj
def command(session: Session, target: str) -> None:
    """Print a unit, a file, lines of a file, a symbol or a commit.

    The text goes to standard output as it is on disk now, secrets redacted; where it stands and what else TARGET could
    mean goes to standard error.
    """
    with session.indexed() as haversack:
        shown = haversack.show(target)
    if session.json:
        write_json(
            {
                "title": shown.title,
                "lang": shown.lang,
                "citation": shown.citation.as_json(),
                "text": shown.text,
                "unit": unit_json(shown.unit) if shown.unit else None,
                "alternatives": [unit_json(unit) for unit in shown.alternatives],
            }
        )
        return
    note(bold(safe(str(shown.citation))) + f"  {safe(shown.title)}")
    write(safe(shown.text).removesuffix("\n"))
    for unit in shown.alternatives[:ALTERNATIVES_SHOWN]:
        note(f"also {described(unit)}")
    if len(shown.alternatives) > ALTERNATIVES_SHOWN:
        note(f"also {len(shown.alternatives) - ALTERNATIVES_SHOWN} more")
