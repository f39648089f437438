"""Write the generated parts of the documentation anew: `python docs/regenerate.py`.

A generated part stands between `<!-- generated: NAME ARGUMENT -->` and `<!-- end -->`; all else is written by hand. A
test fails when a page is not what this script makes of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from haversack.cli.main import cli
from haversack.config.aliases import ALIASES
from haversack.config.kinds import plain
from haversack.config.settings import TREE
from haversack.config.tree import Group, Setting, walk

PAGES = Path(__file__).parent
PART = re.compile(r"(<!-- generated: (\S+) ?(\S*) -->\n).*?(<!-- end -->)", re.DOTALL)
WIDTH = 100


def regenerate(page: str) -> str:
    """The page with its generated parts made anew."""
    return PART.sub(lambda part: f"{part[1]}{MAKERS[part[2]](part[3])}{part[4]}", page)


def help_of(name: str) -> str:
    """What `--help` prints."""
    names = ["-h", "--help"]
    root = click.Context(cli, info_name="haversack", help_option_names=names, terminal_width=WIDTH)
    if not name:
        return f"```text\n{cli.get_help(root)}\n```\n"
    command = cli.get_command(root, name)
    if command is None:
        raise LookupError(name)
    context = click.Context(command, info_name=name, parent=root, help_option_names=names, terminal_width=WIDTH)
    return f"```text\n{command.get_help(context)}\n```\n"


def settings_of(table: str) -> str:
    """The settings of one table of the file."""
    group = TREE.children[table]
    if not isinstance(group, Group):
        raise LookupError(table)
    return _table(("setting", "default", "what it does"), _setting_rows(group, table))


def _setting_rows(group: Group, table: str) -> Iterator[tuple[str, str, str]]:
    common = group.other.children if isinstance(group.other, Group) else {}
    for path, setting in walk(group):
        # What every name of the table has is said once, for NAME; what a package adds of its own is not ours to list.
        if path[-1] == "*" or (path[0] in group.children and len(path) > 1 and path[1] in common):
            continue
        key = ".".join((table, *("NAME" if part == "*" else part for part in path)))
        yield f"`{key}`", _default(setting), f"{setting.doc} Takes {setting.kind.expected}."


def _default(setting: Setting) -> str:
    return "unset" if setting.default is None else f"`{json.dumps(plain(setting.default), ensure_ascii=False)}`"


def aliases_of(table: str) -> str:
    """Another program's names and ours."""
    rows = (
        (f"`{'.'.join(alias.theirs)}`", ("not " if alias.inverted else "") + f"`{'.'.join(alias.ours)}`")
        for alias in ALIASES.values()
        if alias.theirs[0] == table
    )
    return _table(("there", "here"), rows)


def _table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in lines)


MAKERS: dict[str, Callable[[str], str]] = {"help": help_of, "settings": settings_of, "aliases": aliases_of}


if __name__ == "__main__":
    for path in sorted(PAGES.glob("*.md")):
        path.write_text(regenerate(path.read_text(encoding="utf-8")), encoding="utf-8")
