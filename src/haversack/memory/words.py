"""A statement's words: which carry meaning, which are names or values, and what it says no longer holds."""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b

from msgspec import Struct

SIGNATURE = 8  # hashes kept of a statement: two that share 6 words of 10 have three or more of them in common, mostly
NAMES = 8  # names of a statement under which it can be looked up
KEY_KINDS = 15  # the low bits of a key say which kind it is: one of the signature's hashes, or one of these
WHOLE, FRAME, NAME, SUBJECT = range(SIGNATURE, SIGNATURE + 4)
_PRIME = (1 << 31) - 1


def word_set(words: str) -> frozenset[str]:
    """The words of a line."""
    return frozenset(words.split())


# Words that change nothing.
FILLERS = word_set("a an the please just really very also always currently now today that this these those")
# Words that may come and go without changing what is said.
WEAK = word_set(
    "in on at to of for with by and or as from into we you i it its our my should must shall will would can has have "
    "had do does did be been being is are was were there here then so use used using project"
)
_NEGATORS = word_set("not no never none nor without avoid stop dont cannot nobody nothing")
# Chinese, Korean and Japanese negate inside words.
_NEGATED = re.compile("[不没未勿別别]|않|안 |못|없|지 ?마|말아|말것|ない|ません|なく")
# What stands after these no longer holds.
_LEFT_BEHIND = re.compile(
    r"\b(?:instead of|rather than|no longer(?: us(?:e|ing|es)| in| on| at)?|replac(?:es|ed|ing)|stopped using|dropped|"
    r"(?:moved?|migrated?|switched|changed?|went|renamed)(?: [^\s,.;]+){0,4}? from|away from)\s+"
    r"(?P<old>[^,.;]{1,200}?)(?=\s+(?:to|with|by|because|since|for|anymore|now|and)\b|[,.;]|$)",
    re.IGNORECASE,
)
_CJK, _HANGUL = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff", "\uac00-\ud7a3"
_LETTERS = rf"[^\W_{_CJK}{_HANGUL}]"
# One character of a script without spaces, or a word, path, version, address; a colon or equals sign before a value.
_WORD = re.compile(rf"[{_CJK}]|[{_HANGUL}]+|{_LETTERS}+(?:[._/:@+\-]+{_LETTERS}+)*/?|[:=](?=\s)")
_NOT = re.compile(r"(?<=\w)n[’']t\b|(?<=\bcan)not\b", re.IGNORECASE)
LONGEST_TEXT = 20_000  # characters that are taken apart; a longer text is compared by how it begins


class Statement(Struct, frozen=True):
    """A text taken apart: words without fillers and negations, the names and values among them, its sense."""

    words: tuple[str, ...]
    names: frozenset[str]
    negated: bool
    left_behind: frozenset[str]
    """Names it says no longer hold: `we moved from X to Y`, `Y instead of X`."""

    @property
    def telling(self) -> set[str]:
        """Words that carry meaning."""
        return set(self.words) - WEAK or set(self.words)


@lru_cache(maxsize=4096)
def statement(text: str) -> Statement:
    """The text taken apart."""
    text = text[:LONGEST_TEXT]
    words: list[str] = []
    names: set[str] = set()
    negated = bool(_NEGATED.search(text))
    for number, match in enumerate(_WORD.finditer(_NOT.sub(" not", text))):
        written = match[0]
        plain = written.casefold()
        if plain in _NEGATORS:
            negated = not negated
        elif plain not in FILLERS:
            words.append(plain if plain in WEAK else stem(plain))
            if _is_name(written, first=number == 0):
                names.add(words[-1])
    gone = {stem(word) for found in _LEFT_BEHIND.finditer(text) for word in _WORD.findall(found["old"])}
    return Statement(tuple(words), frozenset(names), negated, frozenset(gone - FILLERS - WEAK))


def stem(word: str) -> str:
    """The word as it is compared: lower case, without an English plural or third person."""
    word = word.casefold()
    return word[:-1] if len(word) > 3 and word.isascii() and word[-1] == "s" and word[-2] not in "siu." else word


def _is_name(written: str, *, first: bool) -> bool:
    """A number, path, version, identifier, or a word with a capital that does not merely begin the text."""
    if not written.isalpha() and any(sign in "./:@_" or sign.isdigit() for sign in written):
        return len(written) > 1 or written.isdigit()
    return written[1:] != written[1:].lower() or (not first and written[:1].isupper())


@lru_cache(maxsize=4096)
def signature(said: Statement) -> tuple[int, ...]:
    """Numbers of which statements have the more in common the more words they share, or everything but names."""
    telling = said.telling
    if not telling:
        return ()
    hashes = [_number(word) for word in telling]
    rows = [
        min([(value * factor + shift) % _PRIME for value in hashes]) * (KEY_KINDS + 1) + row
        for row, (factor, shift) in enumerate(_family())
    ]
    whole = _key(" ".join(sorted(telling)), WHOLE)
    frame = telling - said.names
    return (*rows, whole, _key(" ".join(sorted(frame)), FRAME)) if frame else (*rows, whole)


def name_keys(names: frozenset[str]) -> list[int]:
    """A number for each name, so that statements can be looked up by what they name."""
    return [_key(name, NAME) for name in sorted(names)[:NAMES]]


def subject_keys(subject: str) -> list[int]:
    """A number for a subject that was named; none when it was not."""
    words = statement(subject).words
    return [_key(" ".join(words), SUBJECT)] if words else []


def _key(words: str, kind: int) -> int:
    return _number(words) * (KEY_KINDS + 1) + kind


@lru_cache(maxsize=1)
def _family() -> tuple[tuple[int, int], ...]:
    """The hash functions of a signature: any will do that have nothing to do with each other."""
    return tuple((_number(f"factor {row}"), _number(f"shift {row}")) for row in range(SIGNATURE))


@lru_cache(maxsize=1 << 15)
def _number(word: str) -> int:
    return int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big") % _PRIME
