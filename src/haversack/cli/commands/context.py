"""haversack context"""

from __future__ import annotations

import click

from haversack.cli.output import note, problems, write, write_json
from haversack.cli.session import Session, Verb

TYPES = ("memories", "code", "experiences", "values", "commits")
"""As the library has them; a test keeps the two equal, so that `--help` need not import the library."""


@click.command("context", cls=Verb)
@click.argument("query")
@click.option("--from", "types", type=click.Choice(TYPES), multiple=True, help="Only these sources; all without it.")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="Most items of a source.")
@click.option("--max-tokens", type=click.IntRange(0), default=2000, show_default=True, help="Tokens of the whole text.")
@click.option("--soft", is_flag=True, help="Show the best of every source even if that takes more tokens.")
@click.pass_obj
def command(session: Session, query: str, types: tuple[str, ...], limit: int, max_tokens: int, soft: bool) -> None:
    """Gather memories, code, experiences, values and commits for a task, within a budget."""
    with session.indexed() as haversack:
        found = haversack.recall.assemble_context(query, types or TYPES, limit, max_tokens, soft=soft)
    if session.json:
        write_json(found.as_json())
        return
    problems(found.problems)
    write(found.markdown.rstrip("\n")) if found.markdown else note("nothing found")
    if found.exceeded:
        note(f"{found.token_count} tokens, {found.token_count - max_tokens} over the limit")
