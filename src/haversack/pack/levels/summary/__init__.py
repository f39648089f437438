"""The level "summary": purpose and contents in a paragraph. One module per kind of text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from haversack.pack.levels.detailed import plain_sheet
from haversack.pack.levels.fit import cut_text
from haversack.pack.levels.leveled import Count
from haversack.pack.levels.marks import ELLIPSIS
from haversack.pack.levels.material import Material
from haversack.pack.levels.sheet import NOTHING, Drawing
from haversack.pack.levels.summary.change import change_paragraph
from haversack.pack.levels.summary.code import code_paragraph
from haversack.pack.levels.summary.prose import best_sentences, prose_paragraph, scored_sentences

TRIES: Final = 3
SHRINK: Final = 0.75  # room of the next try, when the paragraph came out too long


def summary(material: Material, limit: int, aim: int, most: int, count: Count, rate: float) -> Drawing:
    """The unit in about `aim` tokens; nothing when that takes more than `most` and the limit is not the reason."""
    tell = _teller(material)
    room = min(aim, most, limit) / rate
    text, tokens = "", 0
    for _ in range(TRIES):
        text = tell(int(room))
        if not text:
            return plain_sheet(material).fitted(min(aim, most, limit), count, rate)
        tokens = count(text)
        if tokens <= min(most, limit):
            return Drawing(text, tokens, True)
        room *= SHRINK * min(most, limit) / tokens
    if tokens <= limit:
        return NOTHING
    text, tokens = cut_text(text, limit, count, f" {ELLIPSIS}")
    return Drawing(text, tokens, True)


def _teller(material: Material) -> Callable[[int], str]:
    """What tells the material in so many characters; it tells nothing where there are no words for it."""
    unit, terms = material.unit, material.terms
    if material.kind == "change":
        return lambda room: change_paragraph(material.lines, unit.meta, terms, room)
    if material.kind == "prose":
        scored = scored_sentences(material.blocks, material.hits)
        return lambda room: prose_paragraph(material.text, best_sentences(scored, room))
    if material.kind == "code" or unit.signature:
        return lambda room: code_paragraph(unit, material.first, material.outline, material.within, terms, room)
    return lambda _: ""
