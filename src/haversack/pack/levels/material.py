"""A unit's text, prepared once for all its levels."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from haversack.model import Unit
from haversack.pack.levels.blocks import Block, blocks
from haversack.pack.levels.fit import beginning
from haversack.pack.levels.marks import Marks
from haversack.pack.levels.nodes import nodes_within
from haversack.pack.levels.terms import Hits, Terms
from haversack.sources.code.outline import Outline
from haversack.sources.docs.markup import markup

TextKind: TypeAlias = Literal["code", "prose", "change", "plain"]

# Sources whose units are lines or settings even where no language is given; any other speaks in sentences.
_LINE_SOURCES: Final = frozenset({"code", "logs", "deployment", "environments", "ci"})


class Material(Struct, frozen=True):
    """The text as it may be shown, its lines with their true numbers, and where it speaks of the task.

    `text` and `lines` hold what levels look at; `last` is the number of the unit's last line, seen or not. `within` are
    the definitions declared in the text, by their place in the outline; `blocks` is the text as prose, if it is that.
    """

    unit: Unit
    text: str
    lines: Sequence[str]
    first: int
    last: int
    complete: bool
    kind: TextKind
    marks: Marks
    terms: Terms
    hits: Hits
    by_line: Mapping[int, float]
    outline: Outline | None
    within: Sequence[int]
    blocks: Sequence[Block]
    numbered: bool

    @property
    def more(self) -> int:
        """How many lines follow that are not looked at."""
        return self.last - self.first + 1 - len(self.lines)


def material(
    unit: Unit,
    text: str,
    outline: Outline | None,
    first_line: int,
    terms: Terms | Mapping[str, float] | Collection[str],
    *,
    numbered: bool,
) -> Material:
    """The text of a unit, made safe and cut to what levels look at."""
    seen, complete = beginning(text)
    seen = seen.removesuffix("\n")
    lines = seen.split("\n")
    total = len(lines) if complete else text.count("\n") + (not text.endswith("\n"))
    within = nodes_within(outline, first_line, first_line + len(lines) - 1) if outline else []
    written = markup(unit.path or "", unit.lang)
    kind = _kind(unit, written, outlined=bool(within))
    located = unit.span is not None
    known = Terms.of(terms)
    hits = known.hits(seen)
    return Material(
        unit=unit,
        text=seen,
        lines=lines,
        first=first_line,
        last=first_line + total - 1,
        complete=complete,
        kind=kind,
        marks=Marks.of_code(unit.lang, located=located) if kind in ("code", "plain") else Marks(located=located),
        terms=known,
        hits=hits,
        by_line=hits.by_line(seen),
        outline=outline,
        within=within,
        blocks=_blocks(seen, lines, written, from_top=first_line == 1) if kind == "prose" else (),
        numbered=numbered,
    )


def _kind(unit: Unit, written: str, *, outlined: bool) -> TextKind:
    """How the text is to be shortened."""
    if unit.kind == "commit" or unit.source == "commits":
        return "change"
    if outlined:
        return "code"
    return "prose" if written or (not unit.lang and unit.source not in _LINE_SOURCES) else "plain"


def _blocks(text: str, lines: Sequence[str], written: str, *, from_top: bool) -> list[Block]:
    return blocks(text, lines, "markdown" if written == "notebook" else written, from_top=from_top)
