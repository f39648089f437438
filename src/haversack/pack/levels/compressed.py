"""A step of the ladder made by the unit's own source, measured here whatever the source says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from haversack.model import Level
from haversack.pack.levels.fit import cut_text
from haversack.pack.levels.leveled import Count, Leveled
from haversack.pack.levels.marks import ELLIPSIS
from haversack.safe import sanitize

if TYPE_CHECKING:
    from haversack.pack.levels.material import Material
    from haversack.sources.protocol import Compressor

TRIES: Final = 3  # a source may count with another vocabulary than the packet
SHRINK: Final = 0.95


def compressed(compress: Compressor, material: Material, level: Level, limit: int, count: Count) -> Leveled | None:
    """What the source makes of the text in at most `limit` tokens, which may be nothing; None where it does not."""
    asked = limit
    text, tokens = "", 0
    for _ in range(TRIES):
        try:
            made = compress(material.unit, material.text, asked)
        except Exception:  # a third party's code may fail in any way; the generic step is still there
            return None
        if made is None:
            return None
        text = sanitize(made).strip("\n")
        tokens = count(text)
        if tokens <= limit:
            break
        asked = int(asked * SHRINK * limit / tokens)
    else:
        text, tokens = cut_text(text, limit, count, f" {ELLIPSIS}")
    return Leveled(level, text, tokens, material.unit.span, elided=text != material.text)
