"""Shorter conversations, from seed 002: without times, the telling sentences, or only what was settled."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from haversack.model import Unit
from haversack.sources.conversation.message import USER
from haversack.sources.conversation.spoken import sentences
from haversack.sources.conversation.statements import kind_of

Count: TypeAlias = Callable[[str], int]
Place: TypeAlias = tuple[int, int]
_TIME: Final = re.compile(r"^\[\d{4}-\d\d-\d\d \d\d:\d\d\] ", re.MULTILINE)
_SPEAKER: Final = re.compile(r"^(?:\[[^\]\n]{0,20}\] )?(user|assistant|summary): ")
BETWEEN: Final = " … "


def light(unit: Unit, text: str, limit: int, count: Count | None = None) -> str:  # noqa: ARG001 - the protocol's form
    """The same without times, as far as it fits."""
    return _first_lines(_TIME.sub("", text).split("\n"), limit, count)


def medium(unit: Unit, text: str, limit: int, count: Count | None = None) -> str:
    """Sentences that settle something, then those that open a paragraph, in the order they were said, as they fit."""
    who, said, places = _parts(text)
    role = _role(unit)
    opening = {start for start, _ in places if not said[:start].strip(" ") or said[:start].endswith("\n\n")}
    ranked = sorted(places, key=lambda place: (not kind_of(said[slice(*place)], role), place[0] not in opening, place))
    return _fitted(who, said, ranked, limit, count) or light(unit, text, limit, count)


def heavy(unit: Unit, text: str, limit: int, count: Count | None = None) -> str:
    """Only what was settled; where nothing was, the first sentence."""
    who, said, places = _parts(text)
    role = _role(unit)
    chosen = [place for place in places if kind_of(said[slice(*place)], role)] or places[:1]
    return _fitted(who, said, chosen, limit, count) or light(unit, text, limit, count)


def _role(unit: Unit) -> str:
    return str(unit.meta.get("speaker", USER))


def _parts(text: str) -> tuple[str, str, list[Place]]:
    """Who speaks, the words, and where their sentences are."""
    head = _SPEAKER.match(text)
    said = text[head.end() :] if head else text
    places: list[Place] = []
    at = 0
    for sentence in sentences(said):
        start = said.index(sentence, at)
        at = start + len(sentence)
        places.append((start, at))
    return (f"{head[1]}: " if head else ""), said, places


def _fitted(who: str, said: str, ranked: Sequence[Place], limit: int, count: Count | None) -> str:
    """As many of the best as fit, in their order, each as it was said."""
    measure = count or _counter()
    chosen: list[Place] = []
    for place in ranked:
        trial = sorted([*chosen, place])
        if measure(_joined(who, said, trial)) <= limit:
            chosen = trial
        elif chosen:
            break
    return _joined(who, said, chosen) if chosen else ""


def _joined(who: str, said: str, chosen: Sequence[Place]) -> str:
    parts = [who + said[slice(*chosen[0])]]
    for (_, before), (start, end) in pairwise(chosen):
        parts.append((BETWEEN if said[before:start].strip() else " ") + said[start:end])
    return "".join(parts)


def _first_lines(lines: Sequence[str], limit: int, count: Count | None) -> str:
    measure = count or _counter()
    whole = "\n".join(lines)
    if measure(whole) <= limit:
        return whole
    low, high = 0, len(lines)
    while high - low > 1:  # the longest beginning that fits; more lines never cost less
        middle = (low + high) // 2
        if measure("\n".join(lines[:middle])) <= limit:
            low = middle
        else:
            high = middle
    return "\n".join(lines[:low]) if low else _first_words(lines[0].split(" "), limit, measure)


def _first_words(words: Sequence[str], limit: int, measure: Count) -> str:
    low, high = 0, len(words) + 1
    while high - low > 1:
        middle = (low + high) // 2
        if measure(" ".join(words[:middle])) <= limit:
            low = middle
        else:
            high = middle
    return " ".join(words[:low])


def _counter() -> Count:
    from haversack.tokens import counter

    return counter().count
