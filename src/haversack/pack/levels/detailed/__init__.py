"""The level "detailed": structure kept, the rest elided but for the task's lines. One module per kind of text."""

from __future__ import annotations

from collections.abc import Collection

from haversack.pack.levels.detailed.change import change_ranks
from haversack.pack.levels.detailed.code import code_ranks
from haversack.pack.levels.detailed.plain import plain_ranks
from haversack.pack.levels.detailed.prose import prose_lines
from haversack.pack.levels.leveled import Count
from haversack.pack.levels.material import Material
from haversack.pack.levels.sheet import DETAIL, INNER, Drawing, Sheet


def detailed(material: Material, limit: int, aim: int, count: Count, rate: float, preserve: Collection[str]) -> Drawing:
    """The unit in detail within the limit, and within `aim` if its structure allows; otherwise nothing."""
    floor = INNER if material.kind == "code" else DETAIL
    return _sheet(material, preserve).fitted(limit, count, rate, aim=aim, floor=floor)


def plain_sheet(material: Material) -> Sheet:
    """The text by its shape alone, whatever it is."""
    return _of(material, plain_ranks(material.lines, material.by_line))


def _sheet(material: Material, preserve: Collection[str]) -> Sheet:
    lines, by_line = material.lines, material.by_line
    if material.kind == "code" and material.outline:
        ranks = code_ranks(lines, material.first, material.outline, material.within, by_line, preserve)
        return _of(material, ranks)
    if material.kind == "change":
        return _of(material, change_ranks(lines, material.unit.meta, by_line))
    if material.kind == "prose":
        prose = prose_lines(material.text, lines, material.blocks, material.hits, by_line)
        sheet = _of(material, prose.ranks)
        sheet.shown, sheet.scores, sheet.partial = prose.shown, prose.scores, prose.partial
        return sheet
    return plain_sheet(material)


def _of(material: Material, ranks: list[int]) -> Sheet:
    return Sheet(
        material.lines,
        material.first,
        material.marks,
        ranks,
        scores=material.by_line,
        more=material.more,
        partial=not material.complete,
        numbered=material.numbered,
    )
