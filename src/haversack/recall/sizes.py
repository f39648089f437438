"""Texts within a number of tokens: the sizes of seed 003's layers, and cutting to them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

SEARCH_TOKENS: Final = 50  # seed 003: an index line
TIMELINE_TOKENS: Final = 150  # seed 003: an entry in time
DETAIL_TOKENS: Final = 500  # seed 003: the whole record
ELLIPSIS: Final = "…"
CHARS_PER_TOKEN: Final = 8  # no text worth reading holds more: longer ones are cut before they are counted

Count = Callable[[str], int]
_SPACES: Final = re.compile(r"\s+")


def clip(text: str, limit: int, count: Count) -> str:
    """As much of the text as `limit` tokens hold, cut at a space where there is one, an ellipsis for the rest."""
    if limit <= 0:
        return ""
    kept = text[: limit * CHARS_PER_TOKEN]
    whole = len(kept) == len(text)
    if whole and count(kept) <= limit:
        return kept
    low, high = 0, len(kept)
    while high - low > 1:  # characters that fit, to characters that do not
        middle = (low + high) // 2
        if count(kept[:middle] + ELLIPSIS) <= limit:
            low = middle
        else:
            high = middle
    cut = kept[:low]
    space = max(cut.rfind(" "), cut.rfind("\n"))
    if space > low * 3 // 4:
        cut = cut[:space]
    return cut.rstrip() + ELLIPSIS if cut.strip() else ""


def one_line(text: str) -> str:
    """The text with every run of white space as one space."""
    return _SPACES.sub(" ", text).strip()
