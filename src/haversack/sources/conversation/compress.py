"""Shorter conversations, from seed 002: without times, the telling sentences, or only what was settled."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from haversack.model import Unit
from haversack.sources.conversation.message import USER
from haversack.sources.conversation.spoken import sentences
from haversack.sources.conversation.statements import kind_of

Count = Callable[[str], int]
_TIME: Final = re.compile(r"^\[\d{4}-\d\d-\d\d \d\d:\d\d\] ", re.MULTILINE)
_SPEAKER: Final = re.compile(r"^(?:\[[^\]\n]{0,20}\] )?(user|assistant|summary): ")
BETWEEN: Final = " … "


def light(unit: Unit, text: str, limit: int, count: Count | None = None) -> str:  # noqa: ARG001 - the protocol's form
    """The same without times, as far as it fits."""
    return _first_lines(_TIME.sub("", text).split("\n"), limit, count)


def medium(unit: Unit, text: str, limit: int, count: Count | None = None) -> str:
    """Sentences that settle something, then those that open a paragraph, in the order they were said, as they fit."""
    who, said = _parts(text)
    role = str(unit.meta.get("speaker", USER))
    found = list(dict.fromkeys(sentences(said)))
    opening = {part.strip().partition("\n")[0][:60] for part in said.split("\n\n")}
    ranked = sorted(
        range(len(found)),
        key=lambda at: (not kind_of(found[at], role), not any(found[at].startswith(o[:20]) for o in opening if o), at),
    )
    return _fitted(who, found, ranked, limit, count) or light(unit, text, limit, count)


def heavy(unit: Unit, text: str, limit: int, count: Count | None = None) -> str:
    """Only what was settled; where nothing was, the first sentence."""
    who, said = _parts(text)
    role = str(unit.meta.get("speaker", USER))
    found = list(dict.fromkeys(sentences(said)))
    chosen = [at for at, sentence in enumerate(found) if kind_of(sentence, role)] or list(range(min(1, len(found))))
    return _fitted(who, found, chosen, limit, count) or light(unit, text, limit, count)


def _parts(text: str) -> tuple[str, str]:
    """Who speaks, and the words."""
    head = _SPEAKER.match(text)
    return (f"{head[1]}: ", text[head.end() :]) if head else ("", text)


def _fitted(who: str, found: Sequence[str], ranked: Sequence[int], limit: int, count: Count | None) -> str:
    """As many of the best as fit, in their order, each as it was said."""
    measure = count or _counter()
    chosen: list[int] = []
    for at in ranked:
        trial = sorted([*chosen, at])
        if measure(_joined(who, found, trial)) <= limit:
            chosen = trial
        elif chosen:
            break
    return _joined(who, found, chosen) if chosen else ""


def _joined(who: str, found: Sequence[str], chosen: Sequence[int]) -> str:
    said = [who + found[chosen[0]]]
    for before, at in pairwise(chosen):
        said.append((" " if at == before + 1 else BETWEEN) + found[at])
    return "".join(said)


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
