"""A question put to memory, taken apart: its words with their inflections, who and which day it speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise
from typing import Final

from msgspec import Struct

from haversack.errors import UsageError
from haversack.index.lexical import Asked
from haversack.index.prepare import USES
from haversack.index.short_forms import families
from haversack.index.terms import forms, term_hash, terms
from haversack.model import Task, Unit
from haversack.recall.dates import Day, named_days
from haversack.retrieve.understand import understand

MOST_WORDS: Final = 48  # heaviest first: what a long text adds beyond that is noise, and time
MOST_TEXT: Final = 20_000  # characters that are read; a longer text has said what it is about
SPEAKER: Final = "speaker:"  # how a unit's refs say who spoke
_SORTING: Final = (SPEAKER, "axis:", "domain:", "strategy:", "outcome:")

# Words that ask, not words that are asked about.
_ASKING: Final = frozenset(
    [
        "say",
        "said",
        "says",
        "tell",
        "told",
        "tells",
        "mention",
        "mentioned",
        "mentions",
        "talk",
        "talked",
        "describe",
        "described",
        "explain",
        "explained",
        "ask",
        "asked",
        "kind",
        "type",
        "sort",
        "many",
        "long",
        "often",
        "name",
    ]
)
# Inflections no rule gives. Each line is one word.
_IRREGULAR: Final = """
    go went gone|buy bought|take took taken|give gave given|see saw seen|meet met|feel felt|think thought|find found
    |write wrote written|run ran|eat ate eaten|begin began begun|win won|lose lost|teach taught|bring brought|keep kept
    |leave left|speak spoke spoken|drive drove driven|fly flew flown|grow grew grown|know knew known|sing sang sung
    |swim swam swum|wear wore worn|choose chose chosen|break broke broken|build built|spend spent|send sent|sell sold
    |lead led|hold held|hear heard|draw drew drawn|fall fell fallen|catch caught|become became|sit sat|sleep slept
    |stand stood|understand understood|forget forgot forgotten|drink drank drunk|ride rode ridden|rise rose risen
    |steal stole stolen|throw threw thrown|wake woke woken|hide hid hidden|freeze froze frozen|bite bit bitten
    |fight fought|hang hung|shake shook shaken|shine shone|shoot shot|shrink shrank shrunk|spin spun|stick stuck
    |strike struck|swing swung|tear tore torn|withdraw withdrew withdrawn|bind bound|feed fed|lend lent|pay paid
    |child children|person people|man men|woman women|mouse mice|foot feet|tooth teeth|life lives|wife wives|leaf leaves
    |half halves|knife knives|shelf shelves|analysis analyses|index indices|criterion criteria|schema schemata
    |mom mother mum|dad father|photo picture pic|bike bicycle|kid child
"""
_WHEN: Final = re.compile(
    r"^\W*(?:when|since when|how long|(?:in |on )?(?:what|which) (?:year|month|day|date|week|time))\b"
    r"|언제|何時|いつ|什么时候|何时|什麼時候",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"[^\W\d_][\w'’-]*")


class Question(Struct, frozen=True):
    """What is asked, in the forms the index understands."""

    text: str
    task: Task
    words: tuple[Asked, ...]
    speakers: tuple[str, ...]
    days: tuple[Day, ...]
    asks_when: bool


def question(
    text: str, *, intent: str | None = None, now: float | None = None, speakers: Iterable[str] = ()
) -> Question:
    """The question behind a text; `speakers` are those of its words that are names of people who spoke."""
    if not text.strip():
        raise UsageError("the query is empty", hint="say what to look for")
    read = text[:MOST_TEXT]
    task = understand(read, intent=intent, now=now)
    known = tuple(sorted({each.casefold() for each in speakers}))
    return Question(
        text, task, asked(read, task.terms, without=known), known, named_days(read), bool(_WHEN.search(read))
    )


def asked(text: str, weights: Mapping[str, float], *, without: Iterable[str] = ()) -> tuple[Asked, ...]:
    """The words that are asked about, each with its inflections as one term, in an order of their own."""
    left_out = {term for each in without for term in terms(each)}
    found = dict.fromkeys(term for term in terms(text) if term not in left_out)
    telling = [term for term in found if term not in _ASKING] or list(found)
    if len(telling) > MOST_WORDS:
        telling = sorted(telling, key=lambda term: (-weights.get(term, 0.0), term))[:MOST_WORDS]
    groups: dict[frozenset[str], None] = {}
    for term in sorted(telling):
        groups.setdefault(frozenset(_spellings(term)))
    return tuple(Asked(tuple(map(term_hash, sorted(each))), (1.0,) * len(each), 1.0) for each in groups)


def names(text: str) -> tuple[str, ...]:
    """Every word that could be somebody's name, folded, each once: candidates to look up among the speakers."""
    words = [word.casefold().removesuffix("'s").removesuffix("’s") for word in _NAME.findall(text[:MOST_TEXT])]
    pairs = [f"{one} {other}" for one, other in pairwise(words)]
    return tuple(dict.fromkeys([*words, *pairs]))[: 4 * MOST_WORDS]


def subjects(unit: Unit) -> list[str]:
    """The files and symbols a record speaks of: what it refers to, but for the words records are sorted by."""
    return [name for name in unit.refs if not name.startswith(_SORTING)]


def speaker_hash(name: str) -> int:
    """What the index knows the words of a speaker by."""
    return term_hash(f"{SPEAKER}{name}", USES)


@cache
def _irregular() -> dict[str, tuple[str, ...]]:
    return families(_IRREGULAR)


def _spellings(term: str) -> set[str]:
    """The term, its inflections, and those of its irregular forms."""
    found = {term, *forms(term)}
    for each in tuple(found):
        for other in _irregular().get(each, ()):
            found |= {other, *forms(other)}
    return found
