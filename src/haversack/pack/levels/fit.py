"""Cutting text to a number of tokens: as much as fits, at a line's end, measured and never guessed."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final

from haversack.model import Level, Span
from haversack.pack.levels.leveled import CHARS_PER_TOKEN, LONGEST_TEXT, Count, Leveled
from haversack.pack.levels.marks import Marks
from haversack.pack.levels.numbers import numbered_lines
from haversack.safe import sanitize

# How many characters a token may hold before a longer look at the text is needed. Indented code reaches 6.
DENSE_TOKEN: Final = 8
# Past this many characters a token, a text is taken to be over its limit without counting it.
SPARSE_TOKEN: Final = 16
# A cut that uses this share of its limit is good enough for a level; an excerpt goes to the last line.
GOOD_ENOUGH: Final = 0.9
# Characters that belong to the one before them, besides combining marks: joiners and variation selectors.
_CLINGING: Final = frozenset("\u200d\ufe0e\ufe0f")


def largest(sizes: Sequence[int], cost: Callable[[int], int], limit: int, enough: float = 1.0) -> tuple[int, int]:
    """The largest k in 1..n with `cost(k) <= limit`, and its cost; (0, 0) when there is none.

    `sizes[k - 1]` is the characters of the first k pieces. Costs are taken to grow with k; where they do not, the
    answer still fits. With `enough` below 1 the search stops early at a k that uses that share of the limit.
    """
    low, low_cost, low_size = 0, 0, 0
    high, high_cost = len(sizes) + 1, 0
    rate = 1 / CHARS_PER_TOKEN
    steps = 0
    while high - low > 1:
        guess = low + 1
        if steps < 6:  # aim by tokens per character; then halve, which ends whatever the costs do
            target = low_size + (limit - low_cost) / rate
            guess = _first_over(sizes, target, low, high - 1)
        elif high - low > 2:
            guess = (low + high) // 2
        steps += 1
        price = cost(guess)
        rate = max(price / max(1, sizes[guess - 1]), 1e-4)
        if price <= limit:
            low, low_cost, low_size = guess, price, sizes[guess - 1]
            if low_cost >= enough * limit:
                break
        else:
            high, high_cost = guess, price
            rate = max((high_cost - low_cost) / max(1, sizes[guess - 1] - low_size), 1e-4)
    return low, low_cost


def _first_over(sizes: Sequence[int], target: float, low: int, high: int) -> int:
    """How many pieces stay within `target` characters: more than `low`, at most `high`."""
    left, right = low + 1, high
    while left < right:
        middle = (left + right + 1) // 2
        if sizes[middle - 1] <= target:
            left = middle
        else:
            right = middle - 1
    return left


def cut_lines(
    lines: Sequence[str], limit: int, count: Count, mark: Callable[[int], str], enough: float = GOOD_ENOUGH
) -> tuple[str, int, int]:
    """The first lines with the mark for the rest, their tokens, and how many there are; 0 of them when none fits.

    `mark(k)` is the line that stands for what comes after the first k lines.
    """

    def text(k: int) -> str:
        return "\n".join([*lines[:k], mark(k)])

    sizes = list(accumulate(len(line) + 1 for line in lines[: _enough_lines(lines, limit)]))
    kept, tokens = largest(sizes, lambda k: count(text(k)), limit, enough)
    return (text(kept), tokens, kept) if kept else ("", 0, 0)


def _enough_lines(lines: Sequence[str], limit: int) -> int:
    """How many lines can matter for that many tokens, so that a long text is not weighed whole."""
    room = min(LONGEST_TEXT, DENSE_TOKEN * limit + 2000)
    for number, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            return number
    return len(lines)


def cut_text(text: str, limit: int, count: Count, mark: str) -> tuple[str, int]:
    """The longest beginning of the text that fits together with its mark, and their tokens; nothing when none does."""
    text = text[: min(LONGEST_TEXT, DENSE_TOKEN * max(0, limit) + 2000)]

    def shown(k: int) -> str:
        return f"{text[: _whole(text, k)]}{mark}"

    kept, tokens = largest(range(1, len(text) + 1), lambda k: count(shown(k)), limit)
    return (shown(kept), tokens) if _whole(text, kept) else ("", 0)


def _whole(text: str, end: int) -> int:
    """`end`, moved back so that no character loses its accents."""
    stop = max(0, end - 16)  # marks can be stacked without end
    while stop < end < len(text) and (unicodedata.combining(text[end]) or text[end] in _CLINGING):
        end -= 1
    return end


def excerpt(
    text: str,
    first_line: int,
    limit: int,
    count: Count,
    *,
    lang: str = "",
    located: bool = True,
    numbered: bool = False,
) -> Leveled | None:
    """The text up to `limit` tokens, with a mark that says which lines are left out; None when not even a word fits.

    `lang` gives the mark its comment syntax; `located=False` is for a text that is not lines of a file.
    """
    last_line = first_line + text.count("\n") - text.endswith("\n")
    seen, complete = beginning(text)
    lines: Sequence[str] = seen.removesuffix("\n").split("\n")
    if numbered:
        lines = numbered_lines(lines, first_line, last_line)
    if complete and len(seen) <= SPARSE_TOKEN * limit + 64:  # a longer one is over the limit without counting
        whole = "\n".join(lines)
        tokens = count(whole)
        if tokens <= limit:
            return Leveled(Level.FULL, whole, tokens, Span(first_line, last_line) if located else None, elided=False)
    marks = Marks.of_code(lang, located=located)
    return cut_to_fit(lines, first_line, last_line, limit, count, marks, enough=1.0)


def cut_to_fit(
    lines: Sequence[str],
    first: int,
    last: int,
    limit: int,
    count: Count,
    marks: Marks,
    enough: float = GOOD_ENOUGH,
) -> Leveled | None:
    """The first of these lines, which begin a text that ends at line `last` and is too long; None when nothing fits."""

    def mark(kept: int) -> str:
        return marks.elided(first + kept, last)

    # With a mark after it the last line of the text saves nothing; it can stay only where more follows.
    candidates = lines if last - first >= len(lines) else lines[:-1]
    text, tokens, kept = cut_lines(candidates, limit, count, mark, enough)
    if not kept:
        text, tokens = cut_text(lines[0], limit, count, f"\n{marks.cut_inside(first, last)}")
        kept = 1
    if not text:
        return None
    return Leveled(Level.FULL, text, tokens, Span(first, first + kept - 1) if marks.located else None, elided=True)


def beginning(text: str) -> tuple[str, bool]:
    """What levels look at, safe to show: the text or whole lines up to `LONGEST_TEXT`, and whether that is all."""
    seen = sanitize(_first_lines(text))
    if len(seen) > LONGEST_TEXT:  # escapes are longer than what they stand for
        return _first_lines(seen), False
    return seen, len(text) <= LONGEST_TEXT


def _first_lines(text: str) -> str:
    if len(text) <= LONGEST_TEXT:
        return text
    end = text.rfind("\n", 0, LONGEST_TEXT)
    return text[: end + 1] if end >= 0 else text[:LONGEST_TEXT]
