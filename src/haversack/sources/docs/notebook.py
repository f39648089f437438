"""Jupyter notebooks as text: the cells in order, code fenced, outputs dropped."""

from __future__ import annotations

from msgspec import Struct

from haversack.sources.docs.headings import headings


class Cell(Struct, frozen=True):
    """What was written in one cell, its number from 1, and the heading it begins with, if it does."""

    number: int
    text: str
    level: int = 0
    title: str = ""


def cells(text: str) -> list[Cell] | None:
    """The cells that hold something, or None when the text is not a notebook."""
    import json

    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(notebook, dict):
        return None
    found = notebook.get("cells")
    if not isinstance(found, list):  # format 3 kept its cells in worksheets
        sheets = notebook.get("worksheets")
        sheet = sheets[0] if isinstance(sheets, list) and sheets else None
        found = sheet.get("cells") if isinstance(sheet, dict) else None
    if not isinstance(found, list):
        return None
    lang = _language(notebook)
    read = (_cell(number, cell, lang) for number, cell in enumerate(found, 1) if isinstance(cell, dict))
    return [cell for cell in read if cell is not None]


def _language(notebook: dict[str, object]) -> str:
    metadata = notebook.get("metadata")
    for key, field in (("language_info", "name"), ("kernelspec", "language")):
        info = metadata.get(key) if isinstance(metadata, dict) else None
        name = info.get(field) if isinstance(info, dict) else None
        if isinstance(name, str) and name.isalnum():
            return name
    return "python"


def _cell(number: int, cell: dict[str, object], lang: str) -> Cell | None:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    if not isinstance(source, str) or not source.strip():
        return None
    source = source.strip("\n")
    kind = cell.get("cell_type")
    if kind == "code":
        fence = "`" * 3 if "```" not in source else "`" * 8
        return Cell(number, f"{fence}{lang}\n{source}\n{fence}")
    if kind == "heading":
        level = cell.get("level")
        depth = level if isinstance(level, int) and 1 <= level <= 6 else 1
        return Cell(number, source, depth, " ".join(source.split()))
    first = next(iter(headings(source.split("\n"), "markdown")), None)
    if first is None or first.first:
        return Cell(number, source)
    return Cell(number, source, first.level, first.title)
