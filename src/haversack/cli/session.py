"""What the global options say, and the project a command works on."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from haversack.api import Haversack
    from haversack.config import Config
    from haversack.index.build import Progress


@dataclass(slots=True)
class Session:
    """One run of the program."""

    project: str = "."
    data_dir: str | None = None
    json: bool = False
    verbose: int = 0
    log_json: bool = False
    no_color: bool = False

    def open(
        self,
        flags: Mapping[str, object] | None = None,
        config: Config | None = None,
        progress: Progress | None = None,
    ) -> Haversack:
        """The project the options name."""
        from haversack.api import Haversack

        return Haversack(self.project, data_dir=self.data_dir, flags=flags, config=config, progress=progress)

    def indexed(self, flags: Mapping[str, object] | None = None) -> Haversack:
        """The same for commands that answer from the index: a bar shows when many files have to be read first."""
        from haversack.cli.progress import ProgressBar

        return self.open(flags, progress=ProgressBar())

    @property
    def logging(self) -> bool:
        """Whether logs were asked for."""
        return bool(self.verbose or self.log_json)


def global_options(*, hidden: bool) -> list[click.Parameter]:
    """The options every command shares. They stand before the command or after it; only `--json` is listed there."""

    def option(*names: str, words: str, listed: bool = False, **kind: Any) -> click.Option:
        return click.Option(
            names,
            help=words,
            hidden=hidden and not listed,
            expose_value=False,
            callback=_remember,
            **kind,
        )

    return [
        option("-C", "--project", metavar="PATH", words="Work on the project at PATH, not in this folder."),
        option("--data-dir", metavar="PATH", words="Keep the index and receipts in PATH."),
        option("--json", is_flag=True, listed=True, words="Print JSON."),
        option("-v", "--verbose", count=True, words="Log what happens on standard error; twice for details."),
        option("--log-json", is_flag=True, words="Log one JSON object per line."),
        option("--no-color", is_flag=True, words="Print no colours; so does the variable NO_COLOR."),
    ]


def _remember(ctx: click.Context, param: click.Parameter, value: object) -> None:
    session = ctx.ensure_object(Session)
    if value and param.name is not None:
        counted = session.verbose if param.name == "verbose" else 0
        setattr(session, param.name, counted + value if isinstance(value, int) and counted else value)


class Verb(click.Command):
    """A command: takes the global options after its name too, and logs its beginning and end."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += global_options(hidden=True)

    def invoke(self, ctx: click.Context) -> object:
        session = ctx.ensure_object(Session)
        if session.no_color or os.environ.get("NO_COLOR"):
            ctx.color = False
        if not session.logging:
            return super().invoke(ctx)
        from haversack import logs

        logs.start(session.verbose, as_json=session.log_json)
        started = perf_counter()
        logs.event("start", command=self.name, project=session.project)
        result: object = super().invoke(ctx)
        logs.event("end", command=self.name, seconds=perf_counter() - started)
        return result
