"""haversack score"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from haversack.cli.completing import FILE, profiles
from haversack.cli.output import columns, described, unit_json, write, write_json
from haversack.cli.session import Session, Verb
from haversack.cli.tasks import read_task

if TYPE_CHECKING:
    from haversack.assemble.rate import ScoredFile

OTHERS_SHOWN = 10


@click.command("score", cls=Verb)
@click.argument("file", type=FILE, metavar="FILE")
@click.option("--task", required=True, metavar="TEXT", help="The task to score it for; `-` reads standard input.")
@click.option("--profile", metavar="NAME", shell_complete=profiles, help="Weights of the score.")
@click.pass_obj
def command(session: Session, file: str, task: str, profile: str | None) -> None:
    """Show every factor of a file's score for a task.

    The best piece of the file comes with its factors: what each is, what it weighs, and the points it adds. The other
    pieces follow with their scores.
    """
    task = read_task(task, None)
    with session.indexed({"profile": profile}) as haversack:
        found = haversack.score(file, task)
        notes = haversack.config.relevance.notes
    if session.json:
        write_json({"path": file, "task": task, "units": [_json(each) for each in found]})
        return
    for best in found[:1]:
        _line(best)
        columns([("factor", "value", "weight", "points", ""), *_rows(best, notes)])
    for other in found[1 : OTHERS_SHOWN + 1]:
        _line(other)
    if len(found) > OTHERS_SHOWN + 1:
        write(f"and {len(found) - OTHERS_SHOWN - 1} more")


def _line(each: ScoredFile) -> None:
    write(f"{each.scored.score:.3f}  {described(each.scored.unit)}")


def _rows(each: ScoredFile, notes: Mapping[str, str]) -> list[tuple[str, ...]]:
    return [
        (
            part.factor,
            "-" if part.value is None else f"{part.value:.3f}",
            f"{part.weight:.2f}",
            f"{part.points:.3f}",
            notes.get(part.factor, ""),
        )
        for part in each.parts
    ]


def _json(each: ScoredFile) -> dict[str, object]:
    factors = {part.factor: {"value": part.value, "weight": part.weight, "points": part.points} for part in each.parts}
    return {
        **unit_json(each.scored.unit),
        "score": each.scored.score,
        "explicit": each.scored.explicit,
        "factors": factors,
    }
