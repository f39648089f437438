"""Words and phrases of many languages, looked up in a text without a pattern for each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, Generic, TypeVar

LONGEST_PHRASE: Final = 3  # words

Value = TypeVar("Value")

_TOKENS: Final = re.compile(r"[^\W_]+(?:['’+/][^\W_]+)*")


class Vocabulary(Generic[Value]):
    """Words with what they stand for.

    A word matches whole, in any case; `*` stands for any ending, `-` for the space in a phrase. Words of scripts
    written without spaces, or with endings glued on, match anywhere.
    """

    def __init__(self, words: Mapping[str, Value]) -> None:
        self._whole: dict[str, Value] = {}
        self._prefixes: dict[str, Value] = {}
        self._anywhere: dict[str, Value] = {}
        for word, value in words.items():
            plain = word.rstrip("*").replace("-", " ").lower()
            if max(plain) > "\u02ff":
                self._anywhere[plain.replace(" ", "")] = value
            elif word.endswith("*"):
                self._prefixes[plain] = value
            else:
                self._whole[plain] = value
        self._lengths = sorted({len(prefix) for prefix in self._prefixes})

    def find(self, text: str) -> Iterator[tuple[str, Value]]:
        """Each word or phrase of the text that is known, with its value; longer phrases hide the words in them."""
        text = text.lower().replace("’", "'")
        tokens = _TOKENS.findall(text)
        at = 0
        while at < len(tokens):
            for size in range(min(LONGEST_PHRASE, len(tokens) - at), 0, -1):
                phrase = " ".join(tokens[at : at + size])
                value = self._look_up(phrase)
                if value is not None:
                    yield phrase, value
                    break
            at += size if value is not None else 1
        if not text.isascii():
            packed = "".join(text.split())
            for word, value in self._anywhere.items():
                if word in packed:
                    yield word, value

    def has(self, text: str) -> bool:
        """Whether the text has any of the words."""
        return next(self.find(text), None) is not None

    def _look_up(self, phrase: str) -> Value | None:
        found = self._whole.get(phrase)
        if found is not None:
            return found
        for length in self._lengths:
            if length > len(phrase):
                break
            found = self._prefixes.get(phrase[:length])
            # The ending belongs to the last word: `fail*` is not the start of `fail safe`.
            if found is not None and " " not in phrase[length:]:
                return found
        return None


def word_set(words: str) -> Vocabulary[bool]:
    """A vocabulary of which only membership matters."""
    return Vocabulary(dict.fromkeys(words.split(), True))
