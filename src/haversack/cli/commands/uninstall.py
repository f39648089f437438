"""haversack uninstall"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from haversack.cli.installing import here, install_options, show
from haversack.cli.session import Session, Verb

if TYPE_CHECKING:
    from haversack.install import Scope


@click.command("uninstall", cls=Verb)
@install_options
@click.pass_obj
def command(session: Session, names: tuple[str, ...], scope: str, dry_run: bool) -> int:
    """Take out what `haversack install` put into the agents' files.

    A file that nobody else has changed is put back byte for byte; in others, only our entries go. Exit code 1 when a
    file had to be left alone.
    """
    from haversack.install import AGENTS, choose, uninstall

    machine = here(session)
    changes = uninstall(machine, choose(names or tuple(AGENTS), machine), cast("Scope", scope), dry_run=dry_run)
    seen = [change for change in changes if change.before is not None or change.note]
    show(session, seen, scope, dry_run)
    return int(any(change.action == "left alone" for change in changes))
