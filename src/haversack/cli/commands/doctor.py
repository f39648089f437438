"""haversack doctor"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from msgspec.structs import asdict

from haversack.cli.output import safe, write, write_json
from haversack.cli.session import Session, Verb
from haversack.errors import ConfigError

if TYPE_CHECKING:
    from haversack.doctor import Finding

MARKS = {"ok": ("ok", "green"), "warning": ("warning", "yellow"), "problem": ("problem", "red")}


@click.command("doctor", cls=Verb)
@click.pass_obj
def command(session: Session) -> int:
    """Check what is configured, found and broken, with a fix for each.

    Exit code 1 when something is broken.
    """
    findings = _examine(session)
    if session.json:
        write_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            word, color = MARKS[finding.state]
            write(f"{click.style(f'{word:<8}', fg=color)} {finding.name}: {safe(finding.message)}")
            if finding.fix:
                write(f"         fix: {safe(finding.fix)}")
    return int(any(finding.state == "problem" for finding in findings))


def _examine(session: Session) -> tuple[Finding, ...]:
    """All findings; a broken settings file is one of them, and the rest is examined with the defaults."""
    from haversack.doctor import Finding

    broken: tuple[Finding, ...] = ()
    try:
        haversack = session.open()
    except ConfigError as error:
        from haversack.config import Config

        broken = (Finding("config", "problem", error.message, error.hint),)
        haversack = session.open(config=Config())
    with haversack:
        found = haversack.doctor()
    return broken + tuple(finding for finding in found if not (broken and finding.name == "config"))
