"""Where sentences end, in scripts with and without spaces between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_STOPS: Final = ".!?…؟۔।॥։።။។。！？｡．"
# A stop ends a sentence before white space; the full-width ones need none. A match begins only where a run of stops
# begins, which keeps the search linear on text made of nothing else, and with a plain set, which makes it fast.
_STOP: Final = re.compile(
    rf"[{_STOPS}](?<![{_STOPS}].)[{_STOPS}]*+[\"'”’»)\]*_`」』）】]*+(?:(?=\s)|(?<=[。！？｡．」』）】]))", re.DOTALL
)
# Dots that end a word rather than a sentence.
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|al|approx|resp|incl|no|nr|fig|sec|ch|vol|pp?|mr|mrs|ms|dr|prof|st|jr|sr|inc|ltd|"
    r"bzw|ca|evtl|ggf|usw|vgl|z\.\s?b|d\.\s?h)|\b[^\W\d_])\.$",
    re.IGNORECASE,
)
_LOOK_BACK: Final = 12  # characters an abbreviation needs


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence, without the white space around it; together they hold every other character."""
    end = len(text) if end is None else end
    begin = start
    for stop in _STOP.finditer(text, start, end):
        if _goes_on(text, begin, stop, end):
            continue
        yield from _trimmed(text, begin, stop.end())
        begin = stop.end()
    yield from _trimmed(text, begin, end)


def first_sentences(text: str, most: int, longest: int) -> str:
    """The first sentences, on one line: at most so many, and at most so many characters unless one alone is longer."""
    taken: list[str] = []
    size = 0
    for begin, end in sentence_spans(text[: 4 * longest + 1000]):
        sentence = " ".join(text[begin:end].split())
        if taken and (len(taken) >= most or size + len(sentence) > longest):
            break
        taken.append(shortened(sentence, longest))
        size += len(sentence) + 1
    return " ".join(taken)


def shortened(text: str, longest: int) -> str:
    """The text up to a word's end, with a mark, when it is longer than that."""
    if len(text) <= longest:
        return text
    cut = text[: max(1, longest - 2)]
    space = cut.rfind(" ")
    return f"{cut[:space] if space > longest // 2 else cut} …"


def _goes_on(text: str, begin: int, stop: re.Match[str], end: int) -> bool:
    """Whether the sentence goes on after this stop: an abbreviation, the number of an item, or a small letter next."""
    after = stop.end()
    while after < end and text[after].isspace():
        after += 1
    if after < end and text[after].islower() and stop[0][0] in ".…":
        return True
    if stop[0] != ".":
        return False
    before = text[max(begin, stop.end() - _LOOK_BACK) : stop.end()]
    return bool(_ABBREVIATION.search(before)) or before.strip()[:-1].isdecimal()


def _trimmed(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    if begin < end:
        yield begin, end
