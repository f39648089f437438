"""haversack completion"""

from __future__ import annotations

import click

from haversack.cli.output import write
from haversack.cli.session import Verb

HOW = {
    "bash": 'eval "$(haversack completion bash)"  # in ~/.bashrc',
    "zsh": 'eval "$(haversack completion zsh)"  # in ~/.zshrc',
    "fish": "haversack completion fish > ~/.config/fish/completions/haversack.fish",
}


@click.command("completion", cls=Verb, epilog="\b\n" + "\n".join(HOW.values()))
@click.argument("shell", type=click.Choice(list(HOW)))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell."""
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    if made is not None:
        write(made(ctx.find_root().command, {}, "haversack", "_HAVERSACK_COMPLETE").source())
