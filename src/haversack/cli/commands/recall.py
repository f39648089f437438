"""haversack recall"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from haversack.cli.output import dim, note, safe, write, write_json
from haversack.cli.session import Session, Verb

if TYPE_CHECKING:
    from haversack.recall.answer import Answer


@click.command("recall", cls=Verb)
@click.argument("query")
@click.option("--intent", metavar="WORD", help="how_to, what_happened, known_issues, environment or code_structure.")
@click.option("--limit", type=click.IntRange(1, 1000), help="Most results; as many as QUERY is complex without it.")
@click.option("--scope", metavar="WORD", help="Only what holds in a task, worktree, project or org.")
@click.option("--within", metavar="NAME", help="Which task or worktree --scope means.")
@click.option("--max-tokens", type=click.IntRange(0), metavar="N", help="Tokens that all results together may take.")
@click.option("--alpha", type=float, default=0.7, show_default=True, help="What likeness to QUERY counts.")
@click.option("--beta", type=float, default=0.2, show_default=True, help="What proved useful before counts.")
@click.option("--cited", is_flag=True, help="Only what can be looked up.")
@click.pass_obj
def command(
    session: Session,
    query: str,
    intent: str | None,
    limit: int | None,
    scope: str | None,
    within: str | None,
    max_tokens: int | None,
    alpha: float,
    beta: float,
    cited: bool,
) -> None:
    """Search what is remembered: memories, experiences and values, a line each.

    `haversack timeline ID` shows what happened around a result, `haversack details ID` the whole of it.
    """
    with session.indexed() as haversack:
        answer = haversack.recall.search_memory(
            query,
            intent=intent,
            limit=limit,
            scope=scope,
            within=within,
            max_tokens=max_tokens,
            alpha=alpha,
            beta=beta,
            requires_citations=cited,
        )
    if session.json:
        write_json(answer.as_json())
    else:
        _print(answer)


def _print(answer: Answer) -> None:
    for result in answer.results:
        write(f"{result.score:.2f}  {safe(result.text)}")
    if not answer.results:
        note("nothing found")
    known = answer.certificate.completeness
    complete = "" if known is None else f", {known:.0%} of the question covered"
    facts = answer.metadata
    write(dim(f"{answer.packet}: {answer.intent}, {facts.strategy}{complete}, {facts.tokens} tokens"))
    if answer.suggestion:
        note(safe(answer.suggestion))
