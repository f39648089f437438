"""Writing to the terminal and to pipes: JSON, lines, columns; nothing from a file can move the cursor."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from haversack.model import Problem, Unit
    from haversack.receipt.record import Receipt

# Controls but tab and newline, and marks that turn the direction of a line. Packets have a longer list of their own;
# to load it for an error message would take longer than to print it.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")

WIDEST_TABLE = 120
"""Columns of a table: wider than that the eye loses the line."""

PROBLEMS_SHOWN = 3
"""Problems a command names by itself; `haversack doctor` names them all."""


def prepare_streams() -> None:
    """UTF-8 wherever output goes, and no failure on a file name that is not Unicode."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            if stream.isatty():
                stream.reconfigure(errors="backslashreplace")
            else:
                stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def silence_output() -> None:
    """Drop what is still to be written: the reader is gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def write_json(value: object) -> None:
    """The value as JSON, indented for people, valid for programs."""
    import json

    # A file name that is not UTF-8 holds surrogates: written as escapes they survive, and JSON reads them back.
    text = json.dumps(value, indent=2, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
    click.echo(text)


def write(text: str = "") -> None:
    """A line on standard output."""
    click.echo(text)


def note(text: str) -> None:
    """A line on standard error."""
    click.echo(text, err=True)


def safe(text: str) -> str:
    """The text with what would move the cursor or reorder the line written out as an escape."""
    return text if text.isprintable() else _UNSAFE.sub(lambda found: ascii(found[0])[1:-1], text)


def bold(text: str) -> str:
    return click.style(text, bold=True)


def dim(text: str) -> str:
    return click.style(text, dim=True)


def columns(rows: Iterable[Sequence[str]], *, dim_last: bool = False) -> None:
    """Rows with their cells lined up; the last cell is as long as it likes."""
    table = [[safe(cell) for cell in row] for row in rows]
    widths = [max(map(_width, column)) for column in zip(*table, strict=True)]
    for *cells, last in table:
        padded = [cell + " " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=False)]
        write("  ".join((*padded, dim(last) if dim_last else last)).rstrip())


def _width(cell: str) -> int:
    """Columns a cell takes on a terminal."""
    if cell.isascii():
        return len(cell)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(each) else 2 if east_asian_width(each) in "WF" else 1 for each in cell)


def allocation(receipt: Receipt, stream: TextIO) -> str:
    """The table of what was chosen, as wide as the terminal and in letters that the stream has."""
    import shutil

    from haversack.receipt.budget import budget_table

    width = min(shutil.get_terminal_size().columns, WIDEST_TABLE)
    plain = not (stream.encoding or "").lower().startswith("utf")
    return budget_table(receipt, width=width, ascii_only=plain).rstrip("\n")


def problems(found: Sequence[Problem], *, stream: TextIO | None = None) -> None:
    """A warning for what could not be read, on standard error; nothing when that is not a terminal."""
    if not found or not (stream or sys.stderr).isatty():
        return
    for problem in found[:PROBLEMS_SHOWN]:
        note(f"warning: {safe(str(problem))}")
    if len(found) > PROBLEMS_SHOWN:
        note(f"warning: {len(found) - PROBLEMS_SHOWN} more; `haversack doctor` names them")


def place(unit: Unit) -> str:
    """Where a unit stands, as a citation that opens."""
    if unit.path is None:
        return str(unit.citations[0]) if unit.citations else unit.id
    return f"{unit.path}:{unit.span}" if unit.span else unit.path


def described(unit: Unit) -> str:
    """A unit in a line: where it stands, what it is, what it is called."""
    name = unit.title if unit.path is None else unit.qualname or unit.title
    over = "" if unit.status == "live" else f" ({unit.status})"
    return f"{bold(safe(place(unit)))}  {unit.kind} {safe(name)}{over}".rstrip()


def unit_json(unit: Unit) -> dict[str, object]:
    """What a program needs to know a unit and to open it."""
    return {
        "id": unit.id,
        "source": unit.source,
        "kind": unit.kind,
        "title": unit.title,
        "name": unit.qualname or unit.name,
        "path": unit.path,
        "start": unit.span.start if unit.span else None,
        "end": unit.span.end if unit.span else None,
        "lang": unit.lang,
        "role": str(unit.role),
        "status": str(unit.status),
        "time": unit.time,
        "citations": [citation.as_json() for citation in unit.citations],
    }


def problems_json(found: Iterable[Problem]) -> list[Mapping[str, str]]:
    return [{"where": each.where, "what": each.what, "fix": each.fix} for each in found]


def size_text(count: int) -> str:
    """Bytes for people."""
    amount = float(count)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" or amount >= 10 else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"
