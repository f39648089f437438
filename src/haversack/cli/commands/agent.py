"""haversack agent"""

from __future__ import annotations

import sys

import click

from haversack.cli.output import note, problems
from haversack.cli.session import Session, Verb
from haversack.cli.tasks import Tokens


@click.command("agent", cls=Verb)
@click.option("--budget", type=Tokens(), metavar="N", help="Tokens the text may cost; 8000 unless set.")
@click.option("--format", "shape", type=click.Choice(["md", "json"]), help="How it is written; Markdown unless set.")
@click.option("--task", metavar="TEXT", help="What entries are ranked for; the open tasks unless given.")
@click.option("--session", "name", metavar="ID", help="The session this is for.")
@click.option(
    "--cooldown",
    type=click.FloatRange(min=0),
    default=0.0,
    metavar="MINUTES",
    help="Print nothing when the session had the same packet within that time.",
)
@click.option("--profile", metavar="NAME", help="How entries are scored; `ctx` is the formula of ctx.")
@click.option("--strict", is_flag=True, help="Leave out entries that name files or symbols which are gone.")
@click.pass_obj
def command(
    session: Session,
    budget: int | None,
    shape: str | None,
    task: str | None,
    name: str | None,
    cooldown: float,
    profile: str | None,
    strict: bool,
) -> None:
    """Print the project's own rules, tasks, conventions, decisions and learnings.

    They come from .context/ and from decision records, ranked for the task, within the budget. The constitution comes
    first; what does not fit is named by its title. A budget of 0 gives the constitution and the instruction.
    """
    with session.indexed() as haversack:
        packet = haversack.agent(
            budget=budget,
            format="json" if session.json and shape is None else shape or "md",
            task=task,
            session=name,
            cooldown=cooldown,
            profile=profile,
            strict=strict,
        )
    # Byte for byte: what was counted is what is printed.
    sys.stdout.write(packet.text)
    if packet.budget_exceeded and packet.budget:
        note(f"warning: {packet.tokens:,} tokens exceed the budget of {packet.budget:,}")
    problems(packet.problems)
