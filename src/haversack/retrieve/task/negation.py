"""What a task is not about ("instead of X", "rather than Y"), and what it wants left alone ("do not touch Z")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from haversack.index.terms import terms
from haversack.patterns import lazily
from haversack.retrieve.task.lines import Line, Zone

# The words after these, up to the next stop. English "not X" is left alone: a report that X does not work is about X.
_BEFORE: Final = lazily(
    r"(?:\b(?:instead of|rather than|as opposed to|(?:not|un)related to|nothing to do with|other than|"
    r"(?:do not|don't|without|never) (?:touch|chang|modify|edit|alter)(?:e|ing)?|leave|"
    r"statt|anstatt|anstelle von|au lieu de|en lugar de|en vez de)|"
    r"而不是|而非|不要(?:修改|改动|碰))\s{0,3}(?P<what>[^.,;:!?()\n。，、；]{1,80})",
    re.IGNORECASE,
)
# "Not the X but the Y"; whoever says that something does not work says no article after the not.
_NOT_BUT: Final = lazily(
    r"\bnot (?:the|in|an?|about|for|on) (?P<what>[^.;:!?()\n]{1,60}?),? but (?:the|in|an?|about|for|on|rather)\b",
    re.IGNORECASE,
)
# In Korean and Japanese the word comes first.
_AFTER: Final = lazily(r"(?P<what>[\w.`]{1,60})\s{0,2}(?:대신|말고|ではなく|じゃなく|以外)")
_SAID: Final = (Zone.TITLE, Zone.PROSE, Zone.HEADING)
WORDS: Final = 4  # that the negation reaches
# One of these must be there before the patterns are tried.
_SIGNS: Final = (
    "instead", "rather", "opposed", "related to", "nothing to do", "other than", "touch", "chang", "modify", "edit",
    "alter", "leave", " but ", "statt", "anstelle", "au lieu", "en lugar", "en vez", "而不是", "而非", "不要", "대신",
    "말고", "ではなく", "じゃなく", "以外",
)  # fmt: skip

# One word or several; whether they are files and names is asked afterwards.
_THING: Final = r"(?<![\w@~+./\\:-])(?:`[^`\n]{1,200}`|[\w@~+./\\:-]{0,200}[\w/](?:\(\))?)"
_THINGS: Final = rf"({_THING}(?:,? (?:and|or|nor|und|oder|et|ou|ni|y|o) {_THING}){{0,8}})"
_STYLED: Final = lazily(r"`|[./\\_]\w|::|[a-z][A-Z]|\(\)$")
_WORD_AND: Final = lazily(r",? (?:and|or|nor|und|oder|et|ou|ni|y|o) ", re.IGNORECASE)
# The request ends with what it is about: "do not change `argv` in place" says what the code should stop doing.
_ENDS: Final = r"(?=\W*(?:$|[.,;:!?)—–](?!\w)|(?:and|but|just|only|please|instead|at all|for now)\b))"
_AS_IT_IS: Final = r"(?:alone|as (?:it |they )?(?:is|are)|unchanged|untouched|intact)\b"
_SPARED: Final = lazily(
    r"\b(?:(?:do not|don['’]?t|never|must not|mustn['’]t|should not|shouldn['’]t|without) "
    r"(?:touch|chang|modify|edit|alter)(?:e|ing)?|ne (?:touche|modifie|change)[rz]? pas|"
    r"no (?:toques?|tocar|cambi(?:es?|ar)|modifi(?:ques?|car))) "
    rf"(?:(?:the|any|anything|in|of|to|files?|functions?|class|method|module|code|à|le|la|el) ){{0,4}}{_THINGS}{_ENDS}"
    rf"|\bleave (?:the )?{_THINGS} {_AS_IT_IS}"
    rf"|{_THINGS} (?:(?:must|should|shall|may) not be (?:touch|chang|modifi|edit|alter)ed|"
    rf"nicht (?:ändern|anfassen|anrühren|bearbeiten)){_ENDS}"
    rf"|{_THINGS} (?:must|should|has to|have to) (?:stay|remain|be left) {_AS_IT_IS}"
    rf"|\bnot in {_THINGS},? but (?=in\b)",
    re.IGNORECASE,
)
_SPARING: Final = (*_SIGNS, "tocar", "cambi", "modif", "toque", "nicht", "stay", "remain", " left")


def without_spared(lines: Sequence[Line]) -> list[Line]:
    """The lines without the files and names that the task asks to leave alone; as they are if they say nothing else."""
    left = [replace(line, text=_without_spared(line.text)) if line.zone in _SAID else line for line in lines]
    left = [line for line in left if line.text]
    return left if any(terms(line.text) for line in left if line.zone in _SAID) else list(lines)


def _without_spared(text: str) -> str:
    lower = text.lower()
    if not any(sign in lower for sign in _SPARING):
        return text
    left = _SPARED.sub(_unless_words, text)
    return text if left == text else left.strip(" .,;:!")


def _unless_words(match: re.Match[str]) -> str:
    """Nothing in place of files and names. "Do not change the output" is about how something behaves."""
    things = next(filter(None, match.groups()))
    return " " if all(map(_STYLED.search, _WORD_AND.split(things))) else match[0]


def negated_terms(lines: Iterable[Line]) -> tuple[str, ...]:
    """Terms that only stand where the text turns away from them."""
    away: dict[str, None] = {}
    towards: set[str] = set()
    for line in lines:
        if line.zone not in _SAID:
            continue
        rest = line.text
        lower = rest.lower()
        if not any(sign in lower for sign in _SIGNS):
            towards.update(terms(rest))
            continue
        for pattern in (_BEFORE, _NOT_BUT, _AFTER):
            for match in pattern.finditer(line.text):
                what = " ".join(match["what"].split()[:WORDS])
                away.update(dict.fromkeys(terms(what)))
                rest = rest.replace(match["what"], match["what"][len(what) :])
        towards.update(terms(rest))
    return tuple(term for term in away if term not in towards)
