"""haversack memories"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from haversack.cli.memory_options import memory_json
from haversack.cli.output import columns, note, safe, write, write_json
from haversack.cli.session import Session, Verb

if TYPE_CHECKING:
    from haversack.memory.nouns import Memory

WIDTH = 100
"""Characters of a memory that its line shows."""


@click.command("memories", cls=Verb)
@click.argument("memory", metavar="[ID]", required=False)
@click.option("--category", metavar="WORD", help="Only fact, preference, event, workflow, context, error or decision.")
@click.option("--scope", metavar="WORD", help="Only what holds in a task, worktree, project or org.")
@click.option("--all", "ended", is_flag=True, help="What was superseded, too.")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="Most to print: the newest.")
@click.pass_obj
def command(
    session: Session, memory: str | None, category: str | None, scope: str | None, ended: bool, limit: int
) -> None:
    """List what is remembered, or print one memory in full.

    `haversack search` finds memories by what they say.
    """
    with session.open() as haversack:
        if memory is not None:
            found = [haversack.memory.get(memory)]
        else:
            found = haversack.memories(category=category, scope=scope, ended=ended, limit=limit)
    if session.json:
        write_json([memory_json(each) for each in found])
    elif memory is not None:
        _print_whole(found[0])
    elif found:
        columns([each.id, each.category, f"{each.importance:.1f}", _line(each)] for each in found)
    else:
        note('nothing is remembered yet; for instance: haversack remember "the API listens on port 8080"')


def _line(memory: Memory) -> str:
    said = " ".join(memory.text.split())
    short = said if len(said) <= WIDTH else said[: WIDTH - 1] + "…"
    ended = f"[{memory.status}] " if memory.status != "live" else ""
    return f"{ended}{short}" + (f" (said {memory.count} times)" if memory.count > 1 else "")


def _print_whole(memory: Memory) -> None:
    about = {key: value for key, value in memory_json(memory).items() if key not in ("kind", "text")}
    about["citations"] = [str(each) for each in memory.citations]
    columns([key, _words(value)] for key, value in about.items() if value not in ("", []))
    write()
    write("\n".join(map(safe, memory.text.split("\n"))))


def _words(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
