"""How deep to look: seed 003's five factors, its weights, its formula for k and its thresholds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from msgspec import Struct

from haversack.index.terms import stem
from haversack.patterns import lazily
from haversack.retrieve.task.depth_words import BROAD, ENGLISH_NOUNS, KOREAN_NOUNS, REASONING, UNSPACED_NOUNS
from haversack.retrieve.task.lines import Line, Zone
from haversack.retrieve.task.vocabulary import Vocabulary, word_set

# Seed 003.
WEIGHTS: Final[Mapping[str, float]] = {
    "length": 0.2,
    "entities": 0.25,
    "temporal": 0.2,
    "multi_hop": 0.25,
    "scope": 0.1,
}
LONG: Final = 20  # words
MANY: Final = 5  # entities
MOST_TEXT: Final = 5_000  # characters; every factor is saturated long before
BASE_K, DELTA, LEAST_K, MOST_K = 10, 3, 5, 50
SIMPLE_BELOW: Final = 0.3
STANDARD_BELOW: Final = 0.7

# A Chinese or Japanese word is about two characters; a Korean one (eojeol) carries its particles with it and says about
# as much as an English word and a half.
CHARACTERS_PER_WORD: Final = 2.0
EOJEOL: Final = 1.5

_UNSPACED: Final = lazily("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0eff]")
_HANGUL: Final = lazily("[\uac00-\ud7a3]")
_WORD: Final = lazily(r"\w+")
_ACRONYM: Final = lazily(r"(?<![\w/])[A-Z][A-Z0-9]{1,7}(?![a-z_])")
_PROPER: Final = lazily(r"(?<=[a-z,] )[A-Z][a-z]{2,20}(?:[A-Z]\w{0,20})?\b")
_KATAKANA: Final = lazily("[\u30a0-\u30ff]{3,20}")
_PARTICLES: Final = lazily("(?:으로|에서|에게|까지|부터|이란|란|은|는|이|가|을|를|의|와|과|로|에|도|만|간|별)$")

_JOINED: Final = lazily(
    r"\b(?:and|und|et|y)\b|[가-힣](?:와|과|및)\s|그리고| 및 |以及|[和与及]|および|[\u30a0-\u9fff]と"
)


@cache
def _vocabularies() -> tuple[Vocabulary[bool], Vocabulary[bool], Vocabulary[bool]]:
    return word_set(REASONING), word_set(BROAD), word_set(UNSPACED_NOUNS)


@cache
def _nouns() -> frozenset[str]:
    return frozenset([*map(stem, ENGLISH_NOUNS.split()), *KOREAN_NOUNS.split()])


class Complexity(Struct, frozen=True):
    """The score in 0..1 and the factors it is made of, each 0..1."""

    score: float
    factors: Mapping[str, float]


def measure(lines: Sequence[Line], named: Iterable[str], temporal: bool) -> Complexity:
    """The complexity of what the author wrote; pasted code and logs do not make a question deeper.

    `named` are the identifiers, paths and quotes already found.
    """
    text = "\n".join(line.text for line in lines if line.zone in (Zone.TITLE, Zone.PROSE, Zone.HEADING))
    text = text[:MOST_TEXT]
    reasoning, broad, _ = _vocabularies()
    found = entities(text, named)
    joined = len(found) > 1 and bool(_JOINED.search(text))
    factors = {
        "length": min(words(text) / LONG, 1.0),
        "entities": min(len(found) / MANY, 1.0),
        "temporal": float(temporal),
        "multi_hop": float(joined or reasoning.has(text)),
        "scope": float(broad.has(text)),
    }
    score = sum(WEIGHTS[name] * value for name, value in factors.items())
    return Complexity(round(score, 4), {name: round(value, 4) for name, value in factors.items()})


def words(text: str) -> float:
    """Length in English words, whatever the script."""
    unspaced = len(_UNSPACED.findall(text))
    rest = _WORD.findall(_UNSPACED.sub(" ", text))
    korean = sum(1 for word in rest if _HANGUL.search(word))
    return unspaced / CHARACTERS_PER_WORD + korean * EOJEOL + (len(rest) - korean)


def entities(text: str, named: Iterable[str]) -> set[str]:
    """What the text speaks of: names, acronyms, proper nouns and the nouns of software projects."""
    found = {name.lower() for name in named}
    found.update(match.lower() for pattern in (_ACRONYM, _PROPER, _KATAKANA) for match in pattern.findall(text))
    found.update(word for word, _ in _vocabularies()[2].find(text))
    nouns = _nouns()
    for word in set(_WORD.findall(text)):
        if word.isascii():
            found.update({stem(word.lower())} & nouns)
        else:
            found.update({word, _PARTICLES.sub("", word)} & nouns)
    return found


def depth(score: float) -> int:
    """How many results to look at."""
    return max(LEAST_K, min(MOST_K, math.floor(BASE_K * (1 + DELTA * score))))


def strategy(score: float) -> str:
    """`simple`, `standard` or `complex`; complex tasks walk the graph."""
    return "simple" if score < SIMPLE_BELOW else "standard" if score < STANDARD_BELOW else "complex"
