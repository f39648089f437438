"""haversack eval"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from msgspec import to_builtins

from haversack.cli.output import columns, dim, note, problems, problems_json, write, write_json
from haversack.cli.session import Session, Verb

if TYPE_CHECKING:
    from haversack.evaluate.recall import AtBudget, Evaluation

BAR = 40
FEW = 10  # commits: one more or less would move every figure by a tenth


@click.command("eval", cls=Verb)
@click.option("--commits", type=click.IntRange(1), metavar="N", help="How many recent commits to measure on (50).")
@click.option("--budget", "budgets", type=click.IntRange(1), multiple=True, metavar="TOKENS",
              help="Size of a packet; give it again for more sizes (2000, 4000, 8000, 16000).")  # fmt: skip
@click.option("--each", is_flag=True, help="List every commit, too.")
@click.pass_obj
def command(session: Session, commits: int | None, budgets: tuple[int, ...], each: bool) -> None:
    """Measure how often packets would have held what recent commits changed.

    Each commit's message is the task; its packet is made from the project as of its parent, nothing later can be seen.
    The table has the means over all commits: of the changed files and lines, the share that the packet shows; and the
    share of commits of which it shows all lines (`everything` in JSON).
    """
    with session.indexed() as haversack:
        found = haversack.evaluate(commits=commits, budgets=budgets)
    if session.json:
        write_json(_json(found))
        return
    problems(found.problems)
    if not found.tasks:
        note("no commit here can be measured on: it takes a message of four words or more and one to five source files")
        return
    _table(found)
    if each:
        write()
        rows = [[task.commit[:12], *(f"{at.lines:.0%}" for at in task.shown), task.title] for task in found.tasks]
        columns([["commit", *(f"lines at {at.budget:,}" for at in found.budgets), "message"], *rows])


def _table(found: Evaluation) -> None:
    from haversack.evaluate.tune import NEEDED

    write(f"{len(found.tasks)} commits; shares of what each changed that its packet shows")
    write()
    columns(
        [
            ["budget", "tokens", "files", "lines", "all lines", ""],
            *([f"{at.budget:,}", f"{at.tokens:,.0f}", f"{at.files:.0%}", f"{at.lines:.0%}", f"{at.everything:.0%}",
               _bar(at)] for at in found.budgets),
        ]
    )  # fmt: skip
    write()
    write(
        f"Of all files, one that was changed is ranked first for {found.is_first:.0%} of the commits, "
        f"among the first three for {found.among_three:.0%}"
    )
    if len(found.tasks) < FEW:
        write("So few commits say little")
    if len(found.tasks) >= NEEDED:
        write(dim("`haversack tune` fits the ranking to this project's commits and keeps it if that helps"))


def _bar(at: AtBudget) -> str:
    """Lines shown, as a bar: the plot of recall over budget."""
    filled = round(BAR * at.lines)
    return "█" * filled + "░" * (BAR - filled)


def _json(found: Evaluation) -> dict[str, object]:
    return {
        "budgets": [to_builtins(at) for at in found.budgets],
        "first": found.first,
        "is_first": found.is_first,
        "among_three": found.among_three,
        "tasks": [to_builtins(task) for task in found.tasks],
        "problems": problems_json(found.problems),
    }
