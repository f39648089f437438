"""Any other text in detail (settings, data, code no parser knows): its shape by indentation, and the task's lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from haversack.pack.levels.sheet import CONTEXT, DETAIL, ELIDED, INNER, TOP

OUTER_LINES: Final = 80  # outermost lines that count as the text's shape; a flat list would be nothing else
HIT_SHARE: Final = 0.3
LEAST_HITS: Final = 6
LONGEST_LINE: Final = 400


def plain_ranks(lines: Sequence[str], hits: Mapping[int, float]) -> list[int]:
    """A rank for each line: the first, then what speaks of the task, then the outermost lines."""
    ranks = [ELIDED] * len(lines)
    filled = [at for at, line in enumerate(lines) if line and not line.isspace()]
    if not filled:
        return ranks
    indents = {at: len(lines[at]) - len(lines[at].lstrip()) for at in filled}
    outermost = min(indents.values())
    outer = [at for at in filled if indents[at] == outermost]
    # A flat text (a log, a table, a word list) has no outer shape: its beginning stands for it.
    flat = 2 * len(outer) > len(filled)
    for at in outer[: min(OUTER_LINES, len(filled) // 4 + 1)] if flat else outer[:OUTER_LINES]:
        ranks[at] = CONTEXT
    room = max(LEAST_HITS, int(len(filled) * HIT_SHARE))
    for at in sorted((at for at in hits if at in indents), key=lambda at: (-hits[at], at))[:room]:
        if len(lines[at]) <= LONGEST_LINE:
            ranks[at] = DETAIL
            for beside in (at - 1, at + 1):
                if beside in indents and ranks[beside] == ELIDED:
                    ranks[beside] = CONTEXT
    for at in outer[:3]:
        ranks[at] = max(ranks[at], INNER)
    ranks[filled[0]] = TOP
    return ranks
