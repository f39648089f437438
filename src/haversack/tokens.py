"""Counting tokens exactly, and the law that lets a packet be counted block by block.

**The joining law.** For "o200k" and "cl100k" the count of two joined texts equals the sum of their counts whenever the
first ends in a newline and the second begins with a character that is neither whitespace nor "/" (`is_safe_join`).
Both vocabularies cut text with a regular expression before merging bytes, and merges never cross a cut. A newline is
only ever matched at the end of a piece: by a whitespace run that takes every newline it can, or as the tail of a run
of punctuation, which in o200k also swallows "/". Neither can reach past the newline into such a character, and the
expression never looks back, so the second text is cut as if it stood alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from haversack.errors import UsageError

if TYPE_CHECKING:
    from splintr import AnyTokenizer

DEFAULT = "o200k"
# Our short names and what the engine calls them.
VOCABULARIES = {"o200k": "o200k_base", "cl100k": "cl100k_base"}
CHARS = "chars/4"
# Texts whose counts are remembered: a packet counts some six hundred, half of which it or one before it had counted.
REMEMBERED = 4_096
LONGEST_REMEMBERED = 4_096  # characters: what is remembered is 16 MB at the most
NO_TOKEN = "qzxwvkjhgf"  # a word that every vocabulary has to put together

# The first match of a model's name wins, so longer prefixes stand first. The last column says whether the vocabulary is
# the model's own; other vendors keep theirs to themselves or use another, and o200k is the nearest that comes along.
MODELS: tuple[tuple[str, str, bool], ...] = (
    ("gpt-4o", "o200k", True),
    ("gpt-4.1", "o200k", True),
    ("gpt-4.5", "o200k", True),
    ("chatgpt-4o", "o200k", True),
    ("gpt-5", "o200k", True),
    ("gpt-oss", "o200k", True),
    ("o1", "o200k", True),
    ("o3", "o200k", True),
    ("o4", "o200k", True),
    ("gpt-4", "cl100k", True),
    ("gpt-3.5", "cl100k", True),
    ("text-embedding-3", "cl100k", True),
    ("text-embedding-ada", "cl100k", True),
    ("claude", "o200k", False),
    ("gemini", "o200k", False),
    ("llama", "o200k", False),
    ("mistral", "o200k", False),
    ("deepseek", "o200k", False),
    ("qwen", "o200k", False),
)


class Counter(Protocol):
    """Counts the tokens of a text; a packet names the counter it was measured with."""

    @property
    def name(self) -> str: ...

    @property
    def additive(self) -> bool:
        """Whether the joining law holds. Where it does not, only the count of the whole text is to be trusted."""
        ...

    def count(self, text: str) -> int: ...


class CharsCounter(Struct, frozen=True):
    """A quarter of the characters, rounded up. Rough: +5 % on Python, −53 % on Korean."""

    name: str = CHARS
    additive: bool = False  # parts are each rounded up: their sum is never below the whole

    def count(self, text: str) -> int:
        """Tokens by the rule of thumb."""
        return -(-len(text) // 4)


class VocabularyCounter(Struct, frozen=True):
    """Counts with a real vocabulary. Special-token strings in the text are plain text."""

    name: str
    additive: bool
    encode: Callable[[str], int]

    def count(self, text: str) -> int:
        """The exact number of tokens."""
        try:
            return self.encode(text)
        except UnicodeEncodeError:
            # Unpaired surrogates cannot be written as UTF-8: count what is written in their place, U+FFFD.
            return self.encode(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


@lru_cache(maxsize=8)
def counter(name: str = DEFAULT) -> Counter:
    """The counter of that name: "o200k", "cl100k", "chars/4", or the path of a `tokenizer.json`."""
    if name == CHARS:
        return CharsCounter()
    if name in VOCABULARIES:
        return _shipped(name)
    if name.endswith(".json"):
        return _from_file(name)
    raise UsageError(
        f"unknown token counter {name!r}",
        hint=f"use one of {', '.join([*VOCABULARIES, CHARS])}, or the path of a tokenizer.json",
    )


def counter_for_model(model: str) -> Counter:
    """The counter for a model's name; `is_exact_for` says whether it is that model's own vocabulary."""
    return counter(_entry(model)[1])


def is_exact_for(model: str) -> bool:
    """Whether `counter_for_model` counts with the model's own vocabulary rather than the nearest one shipped."""
    return _entry(model)[2]


def is_safe_join(first: str, second: str) -> bool:
    """Whether `count(first + second) == count(first) + count(second)` is certain for additive counters."""
    return not first or not second or (first[-1] == "\n" and is_safe_start(second))


def is_safe_start(text: str) -> bool:
    """Whether a block may begin with this text: its first character is neither whitespace nor "/"."""
    return bool(text) and text[0] != "/" and not text[0].isspace()


def _shipped(name: str) -> Counter:
    from contextlib import suppress
    from threading import Thread

    from splintr import Tokenizer

    loaded: list[AnyTokenizer] = []

    def load() -> None:
        with suppress(Exception):  # whoever counts first meets the same error
            loaded.append(Tokenizer.from_pretrained(VOCABULARIES[name]))
            loaded[0].encode_batch_flat([NO_TOKEN])

    # Loading takes 50 ms, and the first word that is no token of its own makes the engine build its merges, for a tenth
    # of a second. Merges let other threads run, so they are built beside the rest of the start.
    thread = Thread(target=load, name=f"vocabulary {name}")
    thread.start()

    def engine() -> AnyTokenizer:
        if not loaded:
            thread.join()
        return loaded[0] if loaded else Tokenizer.from_pretrained(VOCABULARIES[name])

    def counted(text: str) -> int:
        # The flat encoding makes no list of integers and is twice as fast, but it honours special tokens. All of
        # them begin so; a text without this mark cannot hold one.
        if "<|" in text:
            return len(engine().encode_ordinary(text))
        return len(engine().encode_flat(text)) // 4  # four bytes a token

    remembered = lru_cache(maxsize=REMEMBERED)(counted)

    def encode(text: str) -> int:
        return (remembered if len(text) <= LONGEST_REMEMBERED else counted)(text)

    return VocabularyCounter(name, additive=True, encode=encode)


def _from_file(path: str) -> Counter:
    tokenizer = _load_json(path)
    return VocabularyCounter(path, additive=False, encode=lambda text: len(tokenizer.encode_ordinary(text)))


def _load_json(path: str) -> AnyTokenizer:
    from splintr import from_json

    try:
        return from_json(path)
    except ValueError as error:
        raise UsageError(
            f"{path}: not a usable tokenizer.json: {error}",
            hint=f"give a Hugging Face tokenizer.json, or use {DEFAULT}",
        ) from error


def _entry(model: str) -> tuple[str, str, bool]:
    # Routers write "openai/gpt-4o" or "anthropic.claude-…"; the model's own name is in there somewhere.
    plain = model.strip().lower().rsplit("/", 1)[-1]
    for entry in MODELS:
        prefix = entry[0]
        if plain.startswith(prefix) or f".{prefix}" in plain:
            return entry
    return (plain, DEFAULT, False)
