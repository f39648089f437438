"""Words and phrases of many languages, looked up in a text without a pattern for each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, Generic, TypeVar

Value = TypeVar("Value")

_TOKENS: Final = re.compile(r"[^\W_]+(?:['’+/][^\W_]+)*")


class Vocabulary(Generic[Value]):
    """Words with what they stand for.

    A word matches whole, in any case; `*` stands for any ending of a single word, `-` for the space in a phrase.
    Words of scripts written without spaces, or with endings glued on, match anywhere.
    """

    def __init__(self, words: Mapping[str, Value]) -> None:
        self._words: dict[str, Value] = {}
        self._prefixes: dict[str, Value] = {}
        self._phrases: dict[str, list[tuple[list[str], Value]]] = {}
        self._anywhere: dict[str, Value] = {}
        for word, value in words.items():
            plain = word.rstrip("*").replace("-", " ").lower()
            if max(plain) > "\u02ff":
                self._anywhere[plain.replace(" ", "")] = value
            elif " " in plain:
                first, *rest = plain.split()
                self._phrases.setdefault(first, []).append((rest, value))
            elif word.endswith("*"):
                self._prefixes[plain] = value
            else:
                self._words[plain] = value
        self._lengths = sorted({len(prefix) for prefix in self._prefixes})
        for phrases in self._phrases.values():
            phrases.sort(key=lambda phrase: -len(phrase[0]))

    def find(self, text: str) -> Iterator[tuple[str, Value]]:
        """Each word or phrase of the text that is known, with its value; longer phrases hide the words in them."""
        text = text.lower().replace("’", "'")
        tokens = [token.removesuffix("'s") for token in _TOKENS.findall(text)]
        at = 0
        while at < len(tokens):
            token = tokens[at]
            at += 1
            for rest, value in self._phrases.get(token, ()):
                if tokens[at : at + len(rest)] == rest:
                    yield " ".join((token, *rest)), value
                    at += len(rest)
                    break
            else:
                found = self._look_up(token)
                if found is not None:
                    yield token, found
        if not text.isascii():
            packed = "".join(text.split())
            for word, value in self._anywhere.items():
                if word in packed:
                    yield word, value

    def has(self, text: str) -> bool:
        """Whether the text has any of the words."""
        return next(self.find(text), None) is not None

    def _look_up(self, token: str) -> Value | None:
        found = self._words.get(token)
        if found is not None:
            return found
        for length in self._lengths:
            found = self._prefixes.get(token[:length])
            if found is not None and len(token) >= length:
                return found
        return None


def word_set(words: str) -> Vocabulary[bool]:
    """A vocabulary of which only membership matters."""
    return Vocabulary(dict.fromkeys(words.split(), True))
