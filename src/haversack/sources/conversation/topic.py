"""What a decision is about, as far as words tell: a later one on the same topic takes the place of an earlier one.

Deliberately narrow. To hide a decision that still holds is worse than to show two of which one is over, so only plain
forms count: the same thing with another value ("24h token expiry", "token expiry should be 12h"), the same thing said
again or denied, one thing named as replaced ("instead of X"), and a change of mind about the same purpose.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from haversack.patterns import lazily
from haversack.project.languages import words as word_set


class Topic(Struct, frozen=True):
    """Sorted words: what it is about, what is chosen, for what, what is refused; and whether it says it is a change."""

    about: tuple[str, ...] = ()
    value: tuple[str, ...] = ()
    purpose: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    change: bool = False


_WORD: Final = lazily(r"\w[\w.+#/-]*[\w+#]|\w")
_STOP: Final = word_set(
    "a an the this that these those thats it its is are was be been being to of in on at by with from and or as "
    "into our my your we i you they us me id should must shall will would can could have has had do does did done "
    "dont doesnt wont not no never always just only please also so then ok okay yes now new let lets there here "
    "all any each every some more most than too very want need needs make sure use using used set setting change "
    "keep go going stick choose pick adopt switch move migrate default defaults instead rather prefer like "
    "actually again still longer decided agreed decision value about after before within per remain stay for when "
    "if because drop replace avoid stop what which who think said say meant wrong"
)
_ENDINGS: Final = ("ations", "ation", "ings", "ing", "ions", "ion", "ies", "ied", "es", "ed", "s", "y", "e")
_STEM: Final = 4  # letters that stay when an ending goes
_LONGEST_STEM: Final = 8
_WHAT: Final = r"(?P<what>[^,.;:]{2,80}?)"
_REFUSED: Final = lazily(
    r"\b(?:instead of|rather than|in place of|over|not|no longer|and not|stop using|drop|replace|"
    rf"(?:switch|move|migrate|away) from)\s+{_WHAT}(?=\s+(?:to|with|for|by|in|because|since|as)\b|[,.;:]|$)",
    re.IGNORECASE,
)
_DENIED: Final = lazily(
    r"^\W*(?:(?:please|we|ok|no)\W+)*(?:don'?t|do not|never|avoid|no longer|stop|drop)\s+"
    rf"(?:(?:use|using|support|add|want|need) )?{_WHAT}(?=\s+(?:for|in|when|because|since|as|any ?more)\b|[,.;:]|$)",
    re.IGNORECASE,
)
_PURPOSE: Final = lazily(
    rf"\b(?:for|in|on|when|as)\s+{_WHAT}(?=\s+(?:instead|rather|because|since)\b|[,.;:]|$)", re.IGNORECASE
)
_CHANGED: Final = lazily(
    r"\b(?:instead|actually|rather|no longer|changed my mind|switch|migrate|replace|scratch that|from now on)\b|^no\b",
    re.IGNORECASE,
)
_ASSIGNED: Final = lazily(
    r"(?P<about>[^,;:]{2,120}?)\s+(?:to|at|=|should be|must be|shall be|will be|needs? to be|has to be|is now)\s+"
    r"(?P<value>[^,;:]{1,60})",
    re.IGNORECASE,
)
_CLAUSES: Final = lazily(r"[,;:(—]|\b(?:because|since|so that|as it|until)\b", re.IGNORECASE)
_VALUE: Final = lazily(r"[~<>≤≥]?\d|(?:true|false|on|off|none|null|enabled|disabled|daily|hourly|weekly|monthly)$")
_UNITS: Final = word_set(
    "h hr hrs hour hours m min mins minute minutes s sec secs second seconds ms d day days week weeks month "
    "months year years b kb mb gb tb kib mib gib byte bytes percent tokens characters chars lines times"
)


def topic_of(sentence: str) -> Topic:
    """The topic of a sentence that decides something; empty parts where it has none."""
    refused = _REFUSED.search(sentence)
    denied = _DENIED.match(sentence)
    rest = sentence[: refused.start()] + " " + sentence[refused.end() :] if refused else sentence
    purpose = _PURPOSE.search(rest)
    change = bool(_CHANGED.search(sentence))
    given_up = words(denied["what"]) if denied else words(refused["what"]) if refused else ()
    for clause in _CLAUSES.split(rest):
        values, names = _split(clause)
        if (
            values and names
        ):  # a thing and its value: the thing is the topic whatever the value, and whatever the reason
            return Topic(names, values, (), given_up, change)
    assigned = _ASSIGNED.search(rest)
    if assigned and (about := words(assigned["about"])):
        return Topic(about, words(assigned["value"]), (), given_up, change)
    wanted = words(purpose["what"]) if purpose else ()
    chosen = tuple(word for word in words(rest) if word not in wanted)
    return Topic(tuple(sorted({*chosen, *wanted})), given_up if denied else chosen, wanted, given_up, change)


def words(text: str) -> tuple[str, ...]:
    """The telling words of a text, without endings, sorted."""
    return tuple(sorted({_stem(word) for word in _plain(text) if word not in _STOP}))


def _split(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Values (numbers with their units, switches) and the telling words beside them."""
    values: list[str] = []
    names: set[str] = set()
    for word in _plain(text):
        if _VALUE.match(word) or (values and word in _UNITS):
            values.append(word)
        elif word not in _STOP:
            names.add(_stem(word))
    return tuple(values), tuple(sorted(names))


def _plain(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text.translate(_BREAKS))]


_BREAKS: Final = str.maketrans({"'": "", "’": "", "`": "", "_": " "})


def _stem(word: str) -> str:
    if not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            word = word.removesuffix(ending)
            break
    return word[:_LONGEST_STEM]
