"""A part of a deployment file: what it is called, the lines it has, what it names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field

from haversack.model import MetaValue
from haversack.units.yaml_lines import DEEPEST, Entry


class Piece(Struct, frozen=True):
    """Lines `first`..`last` (from 1, both included). There is no place for a secret's value: `secrets` are names."""

    first: int
    last: int
    kind: str
    name: str
    title: str
    qualname: str = ""
    doc: str = ""
    names: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    meta: Mapping[str, MetaValue] = field(default_factory=dict)


def unique(names: Sequence[str]) -> tuple[str, ...]:
    """The names without empty ones and repetitions, in order."""
    return tuple(dict.fromkeys(name for name in names if name))


def grouped(found: Sequence[Entry], depth: int) -> dict[tuple[str, ...], list[Entry]]:
    """The entries by the first parts of their paths, those with fewer left out."""
    groups: dict[tuple[str, ...], list[Entry]] = {}
    for entry in found:
        if len(entry.path) >= depth:
            groups.setdefault(entry.path[:depth], []).append(entry)
    return groups


def extents(
    found: Sequence[Entry], wanted: Callable[[Entry], bool], lines: Sequence[str]
) -> list[tuple[Entry, int, int]]:
    """The entries asked for, each with its first and last line (from 1): it ends where what stands beside it begins."""
    made: list[tuple[Entry, int, int]] = []
    # By depth, the line on which the next entry begins that is no deeper.
    following = [len(lines)] * (DEEPEST + 1)
    for entry in reversed(found):
        depth = min(len(entry.path), DEEPEST)
        if wanted(entry):
            last = max(following[depth] - 1, entry.line)
            while last > entry.line and not lines[last].strip():
                last -= 1
            made.append((entry, entry.line + 1, last + 1))
        following[depth:] = [entry.line] * (DEEPEST + 1 - depth)
    return made[::-1]
