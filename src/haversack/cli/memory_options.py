"""The options that say something about a memory; shared by `remember`, `edit` and `supersede`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from haversack.cli.output import bold, dim, note, safe, write

if TYPE_CHECKING:
    from haversack.memory.nouns import Memory, Remembered
    from haversack.model import Problem

Result = TypeVar("Result")

LONGEST_INPUT = 16_000_000
"""Bytes read from a pipe: enough to tell how much too long a text is."""

_OPTIONS = (
    click.option("--category", metavar="WORD", help="fact, preference, event, workflow, context, error or decision."),
    click.option(
        "--importance", type=click.FloatRange(0, 1), metavar="0..1", help="How much it matters; 0.5 if not said."
    ),
    click.option("--scope", metavar="WORD", help="Where it holds: task, worktree, project or org."),
    click.option("--within", metavar="NAME", help="Which task or worktree the scope means."),
    click.option("--subject", metavar="WORDS", help="What it is about: another memory on that subject is superseded."),
    click.option("--path", "paths", metavar="PATH", multiple=True, help="A file it speaks of; may be repeated."),
    click.option("--symbol", "symbols", metavar="NAME", multiple=True, help="A symbol it speaks of; may be repeated."),
    click.option("--tag", "tags", metavar="WORD", multiple=True, help="A word to find it by; may be repeated."),
    click.option(
        "--source",
        "sources",
        metavar="CITATION",
        multiple=True,
        help="Where it comes from: file, file:lines, file#symbol, commit:HASH, log:PLACE.",
    ),
    click.option("--session", "session_name", metavar="ID", help="The session it was said in."),
    click.option("--speaker", metavar="NAME", help="Who said it."),
)
_NAMES = ("category", "importance", "scope", "within", "subject", "paths", "symbols", "tags", "sources", "speaker")


def memory_options(command: Callable[..., Result]) -> Callable[..., Result]:
    """Adds what can be said about a memory; the command gets what was said as `options`."""

    @wraps(command)
    def with_options(*args: object, **given: object) -> Result:
        options: dict[str, Any] = {name: given.pop(name) for name in _NAMES} | {"session": given.pop("session_name")}
        said = {name: value for name, value in options.items() if value is not None and value != ()}
        return command(*args, options=said, **given)

    made: Callable[..., Result] = with_options
    for option in reversed(_OPTIONS):
        made = option(made)
    return made


def read_text(given: str) -> str:
    """The text given, or standard input for `-`."""
    if given != "-":
        return given
    import sys

    return sys.stdin.buffer.read(LONGEST_INPUT).decode("utf-8-sig", "replace").strip()


def show_remembered(done: Remembered) -> None:
    """What became of it, in a line or two."""
    memory = done.memory
    said = f"known already, said {memory.count} times" if done.merged else "remembered"
    write(f"{bold(memory.id)}  {said}")
    for name in done.superseded:
        write(dim(f"  supersedes {name}"))
    warn(done.problems)


def warn(problems: Sequence[Problem]) -> None:
    """Warnings about what was stored, on standard error."""
    for problem in problems:
        note(f"warning: {safe(str(problem))}")


def memory_json(memory: Memory) -> dict[str, object]:
    """A memory as an export has it."""
    from haversack.memory.lines import memory_line

    return memory_line(memory)


def remembered_json(done: Remembered) -> dict[str, object]:
    """The memory and what became of it."""
    from haversack.cli.output import problems_json

    return {
        **memory_json(done.memory),
        "merged": done.merged,
        "supersedes": list(done.superseded),
        "problems": problems_json(done.problems),
    }
