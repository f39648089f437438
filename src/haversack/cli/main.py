"""The program `haversack`: global options, commands imported only when invoked, errors and exit codes."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module

import click

from haversack.cli.session import Session, global_options
from haversack.errors import HaversackError

SECTIONS: Mapping[str, Mapping[str, str]] = {
    "Packets": {
        "pack": "Choose what a model should read for a task, within a budget.",
        "agent": "Print the project's own rules, tasks, conventions, decisions and learnings.",
        "budget": "Show how the budget of a task would be spent.",
        "why": "Say why something is in a packet, or is not.",
        "report": "Summarise the packets made so far.",
        "score": "Show every factor of a file's score for a task.",
        "summarize": "Print a file at a level of detail, or in so many tokens.",
    },
    "Project": {
        "index": "Bring the index up to date with the files on disk.",
        "search": "Find code, documentation and commits.",
        "show": "Print a unit, a file, lines of a file, a symbol or a commit.",
        "graph": "Show what defines, uses, imports, tests and changes with a symbol.",
        "knowledge": "List decisions, learnings, conventions, tasks and rules, one line each.",
        "trace": "List the decisions, tasks, requirements and commits that bear on code.",
        "status": "Say how the index stands against the files on disk.",
        "eval": "Measure how often packets would have held what recent commits changed.",
        "tune": "Fit the ranking to this project's older commits; keep it only if it serves the newer ones better.",
    },
    "Memory": {
        "remember": "Keep a statement: what says the same is counted, what it contradicts is superseded.",
        "memories": "List what is remembered, or print one memory in full.",
        "edit": "Change what a memory says, or what is said about it.",
        "supersede": "Put a new statement in place of an old one: only the new one is served.",
        "forget": "Remove a memory or an experience for good.",
        "experience": "Record what was believed, tried and learnt, or list it.",
        "values": "Show what experiences have in common, axis by axis.",
        "recall": "Search what is remembered: memories, experiences and values, a line each.",
        "timeline": "Show what was remembered before and after a memory or experience.",
        "details": "Print one memory, experience or value whole, and what belongs to it.",
        "skill": "Say what is known about a topic: principles, pitfalls, how it is done here.",
        "patterns": "Find what worked before, and how often.",
        "gotchas": "Find what went wrong before, when, how often, and what helped.",
        "context": "Gather memories, code, experiences, values and commits for a task, within a budget.",
        "premortem": "Say what went wrong before in a domain: failures, surprises, root causes, principles.",
        "outcome": "Report what came of a packet, or show what items did for outcomes so far.",
        "export": "Write everything that is remembered as JSON lines, to FILE or to standard output.",
        "import": "Take in what was remembered elsewhere; the same again changes nothing.",
    },
    "Agents": {
        "mcp": "Serve this project to coding agents over the Model Context Protocol.",
        "hook": "Answer the hook of a coding agent: its JSON in, the answer in its shape out.",
    },
    "Set-up": {
        "init": "Write a commented haversack.toml.",
        "config": "Print every setting and where it comes from.",
        "doctor": "Check what is configured, found and broken, with a fix for each.",
        "install": "Set up the MCP server and the hooks in the agents found here.",
        "uninstall": "Take out what `haversack install` put into the agents' files.",
        "completion": "Print the completion script of a shell.",
    },
}
"""Every command with its line of help, here so that `--help` imports none of them; a test keeps them equal."""

COMMANDS = {name: words for section in SECTIONS.values() for name, words in section.items()}

MODULES = {"import": "import_"}
"""Where a command lives whose name Python keeps for itself."""

INTERRUPTED = 130
"""What a shell reports for a program ended by Ctrl-C."""

PIPE_CLOSED = 141
"""What a shell reports for a program whose reader went away."""


class LazyCommands(click.Group):
    """A group whose commands live in modules of their own."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"haversack.cli.commands.{MODULES.get(cmd_name, cmd_name)}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            raise click.UsageError(
                f"there is no command {args[0]!r}" + (f"; did you mean {near[0]}?" if near else ""), ctx
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()))

    def invoke(self, ctx: click.Context) -> object:
        try:
            result: object = super().invoke(ctx)
            sys.stdout.flush()
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            from haversack.cli.output import silence_output

            silence_output()
            ctx.exit(PIPE_CLOSED)
        return result


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from haversack import __version__

        click.echo(f"haversack {__version__}")
        ctx.exit()


@click.group(
    cls=LazyCommands,
    params=global_options(hidden=False),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="These options may also stand after a command. `haversack COMMAND --help` says more.",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version and exit."
)
def cli() -> None:
    """Given a task and a token budget, choose what a coding agent should read.

    Never over budget, every line cited, with a receipt that says what was left out and why.
    """


def main() -> None:
    """Run the program and leave with its exit code."""
    from haversack.cli.output import prepare_streams

    prepare_streams()
    sys.exit(run(sys.argv[1:]))


def run(args: list[str]) -> int:
    """Run the program and return its exit code: 0 fine, 1 a finding or a failed run, 2 wrong usage."""
    session = Session()
    try:
        code = cli.main(args, prog_name="haversack", standalone_mode=False, obj=session)
        return code if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return error.exit_code
    except click.UsageError as error:
        hint = f"`{error.ctx.command_path} --help` shows how it is used." if error.ctx else ""
        return _fail(session, error.format_message(), hint, error.exit_code)
    except click.ClickException as error:
        return _fail(session, error.format_message(), "", error.exit_code)
    except HaversackError as error:
        return _fail(session, error.message, error.hint, error.exit_code)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(session, f"{where}{error.strerror or error}", "`haversack doctor` looks for the cause.", 1)
    except Exception as error:
        if session.verbose:
            raise
        what = f"{type(error).__name__}: {error}"
        return _fail(session, f"this is a bug in haversack: {what}", "Run it again with -v and report what it says.", 1)


def _fail(session: Session, message: str, hint: str, code: int) -> int:
    from haversack.cli.output import note, safe

    if session.logging:
        from haversack import logs

        logs.error(message, hint=hint, exit_code=code)
    note(f"haversack: {safe(message)}" + (f"\n  {safe(hint)}" if hint else ""))
    return code
