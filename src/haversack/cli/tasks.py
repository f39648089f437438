"""The options that say what a packet is for and how it is made; shared by `pack` and `budget`."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec import Struct

from haversack.cli import completing
from haversack.cli.completing import FILE
from haversack.errors import UsageError

if TYPE_CHECKING:
    from haversack.api import Haversack

Result = TypeVar("Result")

PIPE = "-"
LONGEST_PIPED = 64_000_000
"""Bytes of a log that are kept of what is piped in."""

LONGEST_TASK = 1_000_000
"""Bytes read from a file or a pipe: a task is a text to understand, not a disk to swallow."""


class Request(Struct, frozen=True):
    """What was asked: the task, the settings given as flags, and what to keep in or out."""

    task: str
    flags: Mapping[str, object]
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    pin: tuple[str, ...] = ()
    logs: tuple[str, ...] = ()

    def add_logs(self, haversack: Haversack) -> None:
        """Let the project read the logs that were named, and what is piped in when one of them is `-`."""
        if self.logs:
            piped = _piped() if PIPE in self.logs else None
            # As the shell means them: from the current folder, not from the project's.
            named = (str(Path(name).expanduser().absolute()) for name in self.logs if name != PIPE)
            haversack.add_logs(*named, piped=piped)


class Tokens(click.ParamType[int]):
    """A number of tokens as people write it: 8000, 8_000, 8k."""

    name = "tokens"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        from haversack.pack.budget import tokens

        try:
            return tokens("budget", value)
        except UsageError as error:
            self.fail(f"{error.message.removeprefix('budget: ')}; {error.hint}.", param, ctx)


_OPTIONS = (
    click.argument("task", required=False),
    click.option("--file", type=FILE, metavar="FILE", help="Read the task from FILE."),
    click.option("--budget", type=Tokens(), metavar="TOKENS", help="Most tokens the packet may hold."),
    click.option("--model", metavar="NAME", help="Count tokens as this model does."),
    click.option(
        "--counter",
        metavar="NAME",
        shell_complete=completing.counters,
        help="Count with o200k, cl100k, chars/4 or the path of a tokenizer.json.",
    ),
    click.option("--format", type=click.Choice(["markdown", "json", "xml"]), help="How the packet is written."),
    click.option(
        "--type",
        metavar="TYPE",
        shell_complete=completing.types,
        help="Type of the task, instead of reading it from the text.",
    ),
    click.option(
        "--ask",
        type=click.Choice(["logs", "deployment"]),
        multiple=True,
        help="Ask this source whatever the task is; may be repeated.",
    ),
    click.option("--profile", metavar="NAME", shell_complete=completing.profiles, help="Weights of the score."),
    click.option("--preset", metavar="NAME", shell_complete=completing.presets, help="Sections and their shares."),
    click.option("--include", type=FILE, metavar="GLOB", multiple=True, help="Only files that match; may be repeated."),
    click.option("--exclude", type=FILE, metavar="GLOB", multiple=True, help="No files that match; may be repeated."),
    click.option(
        "--pin", type=FILE, metavar="TARGET", multiple=True, help="Always in: a path, path:lines, symbol or id."
    ),
    click.option(
        "--logs",
        type=FILE,
        metavar="FILE",
        multiple=True,
        help="A log or test report to read, too; `-` for standard input.",
    ),
    click.option("--soft/--hard", default=None, help="Let the packet exceed its budget, and say so."),
    click.option("--fill/--no-fill", default=None, help="Spend what is left on pieces below the threshold."),
    click.option("--strict/--no-strict", default=None, help="Leave out entries that name things which are gone."),
    click.option(
        "--overflow",
        type=click.Choice(["prioritize", "summarize", "truncate", "error"]),
        help="What to do when not all fits.",
    ),
    click.option(
        "--session",
        "session_id",
        metavar="ID",
        help="The session this packet belongs to: it carries only what is new to it.",
    ),
    click.option("--repeat/--no-repeat", default=None, help="Give the session again what it was given."),
)

_FLAGS = (
    "budget",
    "model",
    "counter",
    "format",
    "type",
    "profile",
    "preset",
    "soft",
    "fill",
    "strict",
    "overflow",
    "repeat",
)


def packet_options(command: Callable[..., Result]) -> Callable[..., Result]:
    """Adds TASK and everything that shapes a packet; the command gets it as `request`."""

    @wraps(command)
    def with_request(*args: object, **given: Any) -> Result:
        flags = {name: given.pop(name) for name in _FLAGS} | {"session": given.pop("session_id")}
        flags["ask"] = given.pop("ask") or None
        patterns = {name: given.pop(name) for name in ("include", "exclude", "pin", "logs")}
        if PIPE in patterns["logs"] and given["task"] == PIPE:
            raise UsageError("the task and the logs are both to come from standard input", hint="Give one as a file.")
        task = read_task(given.pop("task"), given.pop("file"))
        request = Request(task, flags, **patterns)
        return command(*args, request=request, **given)

    made: Callable[..., Result] = with_request
    for option in reversed(_OPTIONS):
        made = option(made)
    return made


def read_task(task: object, file: object) -> str:
    """The task's text: the argument, standard input for `-`, or a file."""
    if (task is None) == (file is None):
        raise UsageError(
            "say what the task is" if task is None else "the task is given twice, as an argument and as a file",
            hint='For instance: haversack pack "fix the login redirect", haversack pack - < issue.md, '
            "haversack pack --file issue.md",
        )
    text = _from_file(str(file)) if task is None else _from_input() if task == "-" else str(task)
    if not text.strip():
        raise UsageError("the task is empty", hint="Say in a few words what is to be done.")
    return text.strip()


def _piped() -> bytes:
    """The end of what is piped in: of a long log that is what counts. Never written anywhere as it is."""
    kept: deque[bytes] = deque()
    size = 0
    while block := sys.stdin.buffer.read(1 << 20):
        kept.append(block)
        size += len(block)
        while size - len(kept[0]) >= LONGEST_PIPED:
            size -= len(kept.popleft())
    return b"".join(kept)


def _from_input() -> str:
    return sys.stdin.buffer.read(LONGEST_TASK).decode("utf-8-sig", "replace")


def _from_file(name: str) -> str:
    try:
        with Path(name).open("rb") as file:
            return file.read(LONGEST_TASK).decode("utf-8-sig", "replace")
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise UsageError(f"{name} cannot be read: {why}", hint="--file takes the path of a text file.") from None
