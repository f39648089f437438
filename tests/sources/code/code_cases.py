"""Files in every language with what is expected of them, and the laws that hold for any text."""

from __future__ import annotations

from pathlib import Path

from haversack.model import Role, Unit
from haversack.sources.code import CodeSource
from haversack.sources.code.outline import Outline
from haversack.sources.protocol import TextFile

CASES = Path(__file__).parent / "cases"
LANGUAGES = sorted(path.stem for path in CASES.glob("*.txt"))


def text_of(lang: str) -> str:
    """The case's text."""
    return (CASES / f"{lang}.txt").read_text(encoding="utf-8")


def file_of(text: str, lang: str, path: str = "src/shop", role: Role = Role.SOURCE) -> TextFile:
    """A project file as the source gets it."""
    return TextFile(path, text, lang, role, len(text), 0, "0" * 16)


def units_of(text: str, lang: str, path: str = "src/shop", role: Role = Role.SOURCE) -> list[Unit]:
    """The units of one file."""
    return list(CodeSource().units(file_of(text, lang, path, role)))


def summary(outline: Outline) -> str:
    """An outline as the `.expected` files write it."""
    lines = [f"imports {' '.join(outline.imports)}".rstrip()]
    for node in outline.nodes:
        bases = f" < {', '.join(node.bases)}" if node.bases else ""
        test = " (test)" if node.is_test else ""
        lines.append(f"{node.start}-{node.end} {node.kind} {node.qualname}{bases}{test}")
    return "\n".join(lines) + "\n"


def assert_sound(text: str, lang: str) -> list[Unit]:
    """The laws: spans inside the file and the parent, ids unlike, every line in exactly its innermost unit."""
    units = units_of(text, lang)
    lines = text.split("\n")
    by_id = {unit.id: unit for unit in units}
    assert len(by_id) == len(units)
    file = units[0]
    assert file.kind == "file"
    assert file.span is not None
    assert (file.span.start, file.span.end) == (1, max(1, len(lines) - text.endswith("\n"))), "as editors count"
    owner = [file.id] * (len(lines) + 1)
    for unit in sorted(units[1:], key=_outermost_first):
        assert unit.span is not None
        assert unit.parent is not None
        around = by_id[unit.parent].span
        assert around is not None
        assert around.start <= unit.span.start <= unit.span.end <= around.end
        owner[unit.span.start : unit.span.end + 1] = [unit.id] * len(unit.span)
    own: dict[str, list[str]] = {unit.id: [] for unit in units}
    for number, line in enumerate(lines, start=1):
        own[owner[number]].append(line)
    assert {unit.id: unit.text for unit in units} == {name: "\n".join(kept) for name, kept in own.items()}
    return units


def _outermost_first(unit: Unit) -> tuple[int, int]:
    assert unit.span is not None
    return unit.span.start, -unit.span.end
