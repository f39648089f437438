"""haversack premortem"""

from __future__ import annotations

import click

from haversack.cli.output import note, problems, write, write_json
from haversack.cli.session import Session, Verb


@click.command("premortem", cls=Verb)
@click.argument("domain")
@click.option("--strategy", metavar="WORD", help="Also how this strategy went, wherever it was tried.")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="Most items of a kind.")
@click.option("--max-tokens", type=click.IntRange(0), default=1500, show_default=True, help="Tokens of the whole text.")
@click.pass_obj
def command(session: Session, domain: str, strategy: str | None, limit: int, max_tokens: int) -> None:
    """Say what went wrong before in a domain: failures, surprises, root causes, principles.

    DOMAIN is debugging, refactoring, feature, testing, configuration, documentation, performance, security or
    integration.
    """
    with session.indexed() as haversack:
        found = haversack.recall.get_premortem_context(domain, strategy, limit, max_tokens)
    if session.json:
        write_json(found.as_json())
        return
    problems(found.problems)
    if found.markdown:
        write(found.markdown.rstrip("\n"))
    else:
        note("no experience speaks of this yet")
