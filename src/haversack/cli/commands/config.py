"""haversack config"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from haversack.cli.output import columns, dim, write, write_json
from haversack.cli.session import Session, Verb
from haversack.errors import UsageError

if TYPE_CHECKING:
    from haversack.config import Config


@click.command("config", cls=Verb)
@click.argument("action", type=click.Choice(["list", "get", "schema"]), default="list")
@click.argument("key", required=False)
@click.option("--set", "only_set", is_flag=True, help="Only what somebody has set; leave the defaults out.")
@click.pass_obj
def command(session: Session, action: str, key: str | None, only_set: bool) -> None:
    """Print every setting and where it comes from.

    `haversack config get KEY` prints one value; `haversack config schema` prints the JSON Schema of the file.
    """
    if action == "schema":
        from haversack.config.schema import text

        write(text().removesuffix("\n"))
        return
    config = _load(session)
    if action == "get":
        _get(session, config, key)
        return
    rows = [row for row in config.rows() if not only_set or row.origin != "default"]
    if session.json:
        write_json({row.key: {"value": row.value, "origin": row.origin} for row in rows})
        return
    columns([(row.key, _shown(row.value), row.origin) for row in rows], dim_last=True)
    write(dim(f"files: {', '.join(config.files) or 'none'}"))


def _get(session: Session, config: Config, key: str | None) -> None:
    if not key:
        raise UsageError("which setting?", hint="For instance: haversack config get pack.budget")
    value = config.get(key)
    if session.json:
        write_json({"key": key, "value": value, "origin": config.origin(key)})
    else:
        write(value if isinstance(value, str) else _shown(value))


def _load(session: Session) -> Config:
    from haversack.config import load
    from haversack.project import find_project

    flags = {"index.data_dir": session.data_dir}
    return load(find_project(Path(session.project)).root, flags=flags)


def _shown(value: object) -> str:
    return "unset" if value is None else json.dumps(value, ensure_ascii=False)
