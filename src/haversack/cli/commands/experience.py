"""haversack experience"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from haversack.cli.output import bold, columns, note, safe, write, write_json
from haversack.cli.session import Session, Verb
from haversack.errors import UsageError

if TYPE_CHECKING:
    from haversack.api import Haversack
    from haversack.memory.nouns import Experience

_STORY = ("domain", "strategy", "goal", "hypothesis", "action", "prediction")
_REVISION = ("hypothesis", "action", "prediction", "strategy", "note")
_ENDING = (
    "result", "surprise", "root_cause", "root_cause_description", "what_worked", "takeaway", "auto_captured", "tier"
)  # fmt: skip
_FILTER = ("domain", "strategy", "outcome")
_USED = {
    "start": {*_STORY, "session_name"},
    "update": {*_REVISION},
    "resolve": {*_ENDING, "outcome"},
    "list": {*_FILTER, "limit"},
    "show": set(),
}


@click.command("experience", cls=Verb)
@click.argument("verb", metavar="start|update|resolve|list|show", type=click.Choice(list(_USED)))
@click.argument("experience", metavar="[ID]", required=False)
@click.option("--domain", metavar="WORD", help="debugging, refactoring, feature, testing, configuration, …")
@click.option("--strategy", metavar="WORD", help="systematic-elimination, read-the-error, check-assumptions, …")
@click.option("--goal", metavar="TEXT", help="What is wanted.")
@click.option("--hypothesis", metavar="TEXT", help="What is believed.")
@click.option("--action", metavar="TEXT", help="What is done about it.")
@click.option("--prediction", metavar="TEXT", help="What should happen.")
@click.option("--session", "session_name", metavar="ID", help="The session it belongs to.")
@click.option("--note", metavar="TEXT", help="Something worth noting on the way.")
@click.option("--outcome", metavar="WORD", help="confirmed, falsified or abandoned.")
@click.option("--result", metavar="TEXT", help="What happened.")
@click.option("--surprise", metavar="TEXT", help="What was not expected.")
@click.option("--root-cause", metavar="WORD", help="wrong-assumption, missing-knowledge, oversight, wrong-scope, …")
@click.option("--root-cause-description", metavar="TEXT", help="The root cause in a sentence.")
@click.option("--what-worked", metavar="TEXT", help="What helped.")
@click.option("--takeaway", metavar="TEXT", help="What to remember.")
@click.option("--auto-captured", is_flag=True, default=None, help="A program saw the outcome: confidence gold.")
@click.option("--tier", metavar="WORD", help="Confidence, if not by the way it was captured: gold, silver, bronze.")
@click.option("--limit", type=click.IntRange(1), help="Most to list: the newest.")
@click.pass_obj
def command(session: Session, /, verb: str, experience: str | None, **given: Any) -> None:
    """Record what was believed, tried and learnt, or list it.

    start needs a domain, a strategy, a goal, a hypothesis, an action and a prediction. update and resolve take the
    newest experience under way unless ID names another; resolve needs an outcome.
    """
    said = {name: value for name, value in given.items() if value is not None}
    unused = sorted(said.keys() - _USED[verb])
    if unused:
        raise UsageError(f"`experience {verb}` has no --{unused[0].replace('_name', '').replace('_', '-')}")
    with session.open() as haversack:
        if verb == "list":
            _print_list(session, haversack.experiences(**said))
            return
        done = _done(haversack, verb, experience, said)
    if session.json:
        write_json(done.record)
    elif verb == "show":
        from haversack.memory.axes import full_text

        write(f"{bold(done.id)}  {safe(done.domain)}, {safe(done.strategy)}, {safe(done.status)}")
        write("\n".join(map(safe, full_text(done).split("\n"))))
    else:
        write(f"{bold(done.id)}  {safe(done.status)}, iteration {done.iteration_count}")


def _done(haversack: Haversack, verb: str, experience: str | None, said: dict[str, Any]) -> Experience:
    if verb == "start":
        missing = [name for name in _STORY if name not in said]
        if missing:
            raise UsageError(f"`experience start` needs --{', --'.join(missing)}")
        return haversack.start_experience(session=said.pop("session_name", ""), **said)
    if verb == "update":
        return haversack.update_experience(experience, **said)
    if verb == "show":
        if experience is None:
            raise UsageError("which experience? `haversack experience list` lists them")
        return haversack.memory.experience(experience)
    if "outcome" not in said:
        raise UsageError("`experience resolve` needs --outcome: confirmed, falsified or abandoned")
    return haversack.resolve_experience(experience, **said)


def _print_list(session: Session, found: list[Experience]) -> None:
    if session.json:
        write_json([each.record for each in found])
    elif found:
        columns([each.id, each.domain, each.status, each.confidence_tier or "-", each.goal] for each in found)
    else:
        note("no experiences; `haversack experience start --help` says how one is recorded")
