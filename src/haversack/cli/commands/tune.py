"""haversack tune"""

from __future__ import annotations

import click

from haversack.cli.output import problems, problems_json, write, write_json
from haversack.cli.session import Session, Verb


@click.command("tune", cls=Verb)
@click.option("--commits", type=click.IntRange(1), metavar="N", help="How many past commits to use (120).")
@click.option("--reset", is_flag=True, help="Go back to the weights that ship.")
@click.pass_obj
def command(session: Session, commits: int | None, reset: bool) -> None:
    """Fit the ranking to this project's older commits; keep it only if it serves the newer ones better.

    What counts is recall: the shares of changed files and of changed lines that packets of 8,000 tokens show.
    """
    from haversack.evaluate.tune import BUDGET, FEWEST, NEEDED

    with session.indexed() as haversack:
        if reset:
            had = haversack.untune()
            said = "back to the weights that ship" if had else "this project has no weights of its own"
            write_json({"reset": had}) if session.json else write(said)
            return
        tuned = haversack.tune(commits=commits)
    if session.json:
        write_json(
            {
                "enough": tuned.enough,
                "kept": tuned.kept,
                "before": tuned.before,
                "after": tuned.after,
                "budget": BUDGET,
                "found": tuned.found,
                "needed": NEEDED,
                "learned_from": tuned.learned_from,
                "judged_on": tuned.judged_on,
                "weights": dict(tuned.weights),
                "problems": problems_json(tuned.problems),
            }
        )
        return
    problems(tuned.problems)
    if tuned.before is None or tuned.after is None:
        many = tuned.found >= NEEDED
        told = f"{tuned.learned_from} older ones change code that is found here, it takes {FEWEST}" if many else (
            f"{tuned.found} say what they change in a few source files, it takes {NEEDED}"
        )  # fmt: skip
        write(f"too few commits to learn from: {told}; nothing was changed")
        return
    write(
        f"recall of changed files and lines in packets of {BUDGET:,} tokens, on {tuned.judged_on} newer commits: "
        f"{tuned.before:.1%} before, {tuned.after:.1%} with new weights"
    )
    write("kept; `haversack tune --reset` undoes it" if tuned.kept else "not kept: that is not better")
