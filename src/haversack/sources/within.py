"""As much of a text as fits into so many tokens: whole lines, or the first words of the first one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

Count: TypeAlias = Callable[[str], int]


def within(text: str, limit: int, count: Count | None = None) -> str:
    """The text, or its longest beginning of whole lines, or of words, that `limit` tokens hold."""
    measure = count or _counter()
    if measure(text) <= limit:
        return text
    lines = text.split("\n")
    return _beginning(lines, "\n", limit, measure) or _beginning(lines[0].split(" "), " ", limit, measure)


def _beginning(parts: Sequence[str], between: str, limit: int, measure: Count) -> str:
    low, high = 0, len(parts) + 1
    while high - low > 1:  # more of the same text hardly ever costs less; what is found fits in any case
        middle = (low + high) // 2
        if measure(between.join(parts[:middle])) <= limit:
            low = middle
        else:
            high = middle
    return between.join(parts[:low])


def _counter() -> Count:
    from haversack.tokens import counter

    return counter().count
