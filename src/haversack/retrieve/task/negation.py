"""What a task says it is not about: "instead of X", "rather than Y", "do not touch Z"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

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
# In Korean and Japanese the word comes first.
_AFTER: Final = lazily(r"(?P<what>[\w.`]{1,60})\s{0,2}(?:대신|말고|ではなく|じゃなく|以外)")
WORDS: Final = 4  # that the negation reaches
# One of these must be there before the patterns are tried.
_SIGNS: Final = (
    "instead", "rather", "opposed", "related to", "nothing to do", "other than", "touch", "chang", "modify", "edit",
    "alter", "leave", "statt", "anstelle", "au lieu", "en lugar", "en vez", "而不是", "而非", "不要", "대신", "말고",
    "ではなく", "じゃなく", "以外",
)  # fmt: skip


def negated_terms(lines: Iterable[Line]) -> tuple[str, ...]:
    """Terms that only stand where the text turns away from them."""
    away: dict[str, None] = {}
    towards: set[str] = set()
    for line in lines:
        if line.zone not in (Zone.TITLE, Zone.PROSE, Zone.HEADING):
            continue
        rest = line.text
        lower = rest.lower()
        if not any(sign in lower for sign in _SIGNS):
            towards.update(terms(rest))
            continue
        for pattern in (_BEFORE, _AFTER):
            for match in pattern.finditer(line.text):
                what = " ".join(match["what"].split()[:WORDS])
                away.update(dict.fromkeys(terms(what)))
                rest = rest.replace(match["what"], match["what"][len(what) :])
        towards.update(terms(rest))
    return tuple(term for term in away if term not in towards)
