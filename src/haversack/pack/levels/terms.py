"""Which lines of a text speak of the task."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from msgspec import Struct

from haversack.patterns import lazily

SHORTEST_INSIDE: Final = 5  # shorter terms must begin a word: "cat" is not in "truncate"
SHORTEST_PREFIX: Final = 3  # shorter still must be a whole word: "go" is not in "google"
MOST_HITS: Final = 2000  # of one term in one text
MOST_TERMS: Final = 64  # by weight; a pasted log as a task must not cost a scan per word
_ACCENTED: Final = lazily("[\xc0-\u024f]")


class Hits(Struct, frozen=True):
    """Where the terms stand in a text: positions in order, and which term stands at each."""

    terms: Terms
    places: Sequence[int]
    numbers: Sequence[int]

    def within(self, start: int, end: int) -> float:
        """The weight of the terms that begin between these positions, each once."""
        low = bisect_left(self.places, start)
        high = bisect_left(self.places, end, low)
        needles = self.terms.needles
        if high - low < 2:
            return needles[self.numbers[low]][1] if high > low else 0.0
        return sum([needles[number][1] for number in sorted(set(self.numbers[low:high]))])

    def by_line(self, text: str) -> dict[int, float]:
        """The weight of the terms on each line of the text that has any; lines are counted from 0."""
        needles = self.terms.needles
        found: dict[int, float] = {}
        line = before = 0
        seen: set[int] = set()
        for at, number in zip(self.places, self.numbers, strict=True):
            if ended := text.count("\n", before, at):
                line += ended
                seen.clear()
            before = at
            if number not in seen:
                seen.add(number)
                found[line] = found.get(line, 0.0) + needles[number][1]
        return found


class Terms(Struct, frozen=True):
    """The task's words with their weights, prepared for many texts. Stems match every word that begins with them."""

    needles: tuple[tuple[str, float], ...]
    total: float

    @classmethod
    def of(cls, terms: Terms | Mapping[str, float] | Collection[str]) -> Terms:
        """Terms from weights by word, or from words that weigh the same."""
        if isinstance(terms, Terms):
            return terms
        weights = terms if isinstance(terms, Mapping) else dict.fromkeys(terms, 1.0)
        clean = {key: weight for term, weight in weights.items() if weight > 0 and (key := _plain(term.strip()))}
        chosen = sorted(clean.items(), key=lambda item: (-item[1], item[0]))[:MOST_TERMS]
        needles: dict[str, float] = dict(chosen)
        for term, weight in chosen:
            if len(term) > SHORTEST_PREFIX and term[-1] == "y":
                needles.setdefault(f"{term[:-1]}ie", weight)  # "query" stands for "queries" too
        return cls(tuple(needles.items()), sum(weight for _, weight in chosen))

    def hits(self, text: str) -> Hits:
        """Every place where a term begins a word."""
        found: list[tuple[int, int]] = []
        plain = _plain(text) if self.needles else ""
        for number, (needle, _) in enumerate(self.needles):
            at = plain.find(needle)
            left = MOST_HITS
            # Long terms may stand anywhere, and so may those of scripts without spaces, which have no word starts.
            anywhere = len(needle) >= SHORTEST_INSIDE or not needle.isascii()
            while at >= 0 and left:
                if anywhere or _begins_word(text, plain, at, needle):
                    found.append((at, number))
                left -= 1
                at = plain.find(needle, at + len(needle))
        found.sort()
        return Hits(self, [at for at, _ in found], [number for _, number in found])

    def weights(self, names: Sequence[str]) -> list[float]:
        """How much each of these names (of one line each) speaks of the task."""
        if not self.needles:
            return [0.0] * len(names)
        text = "\n".join(names)
        found = self.hits(text).by_line(text)
        return [found.get(at, 0.0) for at in range(len(names))]


def _begins_word(text: str, plain: str, at: int, needle: str) -> bool:
    """Whether the hit is at the start of a word or of a part of one (snake_case, camelCase)."""
    length = len(needle)
    if at and plain[at - 1].isalpha() and not (text[at].isupper() and text[at - 1].islower()):
        return False
    return length >= SHORTEST_PREFIX or not plain[at + length : at + length + 1].isalnum()


def _plain(text: str) -> str:
    """Lower case and without accents, character for character, so that positions agree with the text."""
    if text.isascii():
        return text.lower()
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(c if len(c.lower()) != 1 else c.lower() for c in text)
    table = {ord(c): base for c in set(_ACCENTED.findall(lower)) if (base := _base(c))}
    return lower.translate(table) if table else lower


def _base(character: str) -> str:
    first = unicodedata.normalize("NFKD", character)[0]
    return first if first.isascii() else ""
