"""haversack import"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from haversack.cli.output import note, problems_json, safe, write, write_json
from haversack.cli.session import Session, Verb

if TYPE_CHECKING:
    from haversack.memory.exchange import Imported


@click.command("import", cls=Verb)
@click.argument("path")
@click.pass_obj
def command(session: Session, path: str) -> None:
    """Take in what was remembered elsewhere; the same again changes nothing.

    PATH is an export of haversack, a CLAMS or CALM journal (a file or its folder), a database of agentdb or
    ringmaster, a Markdown note or a folder of them. What it is, is told by its contents.
    """
    with session.open() as haversack:
        done = haversack.import_memory(path)
    if session.json:
        write_json(
            {
                "added": dict(done.added),
                "changed": dict(done.changed),
                "known": dict(done.known),
                "skipped": dict(done.skipped),
                "problems": problems_json(done.problems),
                "more_problems": done.more_problems,
            }
        )
        return
    _print(done)


def _print(done: Imported) -> None:
    for words, counted in (("new", done.added), ("changed", done.changed), ("known already", done.known)):
        if counted:
            write(
                f"{words}: " + ", ".join(f"{count:,} {_many(kind, count)}" for kind, count in sorted(counted.items()))
            )
    for words, count in sorted(done.skipped.items()):
        note(f"passed over: {count:,} times {safe(words)}")
    for problem in done.problems:
        note(f"warning: {safe(str(problem))}")
    if done.more_problems:
        note(f"warning: {done.more_problems:,} more problems of this kind")
    if not (done.added or done.changed or done.known):
        note("nothing in it could be remembered")


def _many(kind: str, count: int) -> str:
    if count == 1:
        return kind
    return "memories" if kind == "memory" else f"{kind}s"
