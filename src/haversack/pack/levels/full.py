"""The level "full": the text as it is, or as much of it as the limit allows."""

from __future__ import annotations

from haversack.model import Level
from haversack.pack.levels.fit import cut_to_fit
from haversack.pack.levels.leveled import Count, Leveled
from haversack.pack.levels.material import Material
from haversack.pack.levels.numbers import numbered_lines


def full(material: Material, limit: int, count: Count) -> Leveled | None:
    """All lines; the first ones and a mark when they are too many; None when nothing fits."""
    lines = numbered_lines(material.lines, material.first, material.last) if material.numbered else material.lines
    if material.complete:
        text = "\n".join(lines) if material.numbered else material.text
        tokens = count(text)
        if limit < 0 or tokens <= limit:
            return Leveled(Level.FULL, text, tokens, material.unit.span, elided=False)
    elif limit < 0:
        limit = 1 << 40
    return cut_to_fit(lines, material.first, material.last, limit, count, material.marks)
