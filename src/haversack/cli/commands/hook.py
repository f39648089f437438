"""haversack hook"""

from __future__ import annotations

import click

from haversack.cli.session import Verb


@click.command("hook", cls=Verb)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Answer the hook of a coding agent: its JSON in, the answer in its shape out.

    Knows the hooks of Claude Code, Codex, Cursor and Gemini CLI. Whatever happens, the exit code is 0 and the output is
    valid or empty; what happened is in hook.log, beside the indexes.
    """
    from haversack.hook.run import main

    ctx.exit(main())
