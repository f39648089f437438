"""haversack graph"""

from __future__ import annotations

from collections.abc import Sequence

import click

from haversack.cli.output import bold, described, safe, unit_json, write, write_json
from haversack.cli.session import Session, Verb

UNITS = ("definitions", "callers", "callees", "tests")
FILES = ("imports", "imported_by")


@click.command("graph", cls=Verb)
@click.argument("symbol", metavar="SYMBOL|PATH|ID")
@click.pass_obj
def command(session: Session, symbol: str) -> None:
    """Show what defines, uses, imports, tests and changes with a symbol."""
    with session.indexed() as haversack:
        found = haversack.graph(symbol)
    if session.json:
        write_json(
            {
                "symbol": found.symbol,
                **{name: [unit_json(unit) for unit in getattr(found, name)] for name in UNITS},
                **{name: list(getattr(found, name)) for name in FILES},
                "co_changes": [
                    {"path": each.path, "times": each.times, "share": each.share} for each in found.co_changes
                ],
            }
        )
        return
    for name in UNITS:
        _section(name, [described(unit) for unit in getattr(found, name)])
    for name in FILES:
        _section(name.replace("_", " "), [safe(path) for path in getattr(found, name)])
    _section("changes with", [f"{each.times:>4}  {safe(each.path)}" for each in found.co_changes])


def _section(title: str, lines: Sequence[str]) -> None:
    if lines:
        write(bold(title))
        for line in lines:
            write(f"  {line}")
