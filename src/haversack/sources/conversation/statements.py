"""Decisions, preferences and corrections: recognised by how people put them, kept word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from haversack.sources.conversation.message import ASSISTANT, USER, Message
from haversack.sources.conversation.spoken import sentences
from haversack.sources.conversation.topic import Topic, topic_of

DECISION: Final = "decision"
PREFERENCE: Final = "preference"
CORRECTION: Final = "correction"
MOST_STATEMENTS: Final = 12  # of one message; who decides more at once wrote a specification


def _any(*phrases: str) -> str:
    return f"(?:{'|'.join(phrases)})"


_OPENERS: Final = "okay|ok|yes|yeah|sure|right|good|great|fine|so|and|but|then|also|well|please|hmm|thanks"
_LEAD: Final = rf"(?:(?:{_OPENERS})\b[,.!:]?\s+)*"
_WE = _any(
    r"let'?s", "let us", r"we(?:'ll| will|'re going to| are going to| should| must| need to| have to| can)?",
    r"i(?:'ll| will)?", "you should", "just",
)  # fmt: skip
# "We keep getting timeouts" tells of trouble and settles nothing.
_TROUBLE = "(?:getting|seeing|having|hitting|running|failing|losing|breaking|crashing|forgetting|asking|coming|finding)"
_CHOOSE = _any(
    "use", "adopt", "go (?:with|for)", "stick (?:with|to)", "choose", "pick",
    r"(?:switch|move|migrate) (?:\S+ ){0,4}to",
    "settle on", "standardi[sz]e on", rf"keep(?! (?:on )?{_TROUBLE}\b)", "drop",
    "replace", "rename", "target", "support", "default to",
)  # fmt: skip
_CHANGE = _any("set", "change", "make", "increase", "reduce", "lower", "raise", "bump", "limit", "cap", "restrict")
_CORRECTED = _any(
    r"no[,.!—-]+\s", r"nope\b", r"wrong\b", r"incorrect\b", r"that(?:'s| is) (?:wrong|not (?:right|correct|what))",
    r"(?:this|it) is wrong\b", r"not (?:like )?(?:that|this)\b", "you (?:misunderstood|forgot|missed|broke)",
    "you should(?:n'?t| not) have", r"i (?:meant|said|asked for|told you)\b", "actually[,: ]", "scratch that",
    r"(?:undo|revert) (?:that|this|it)\b", "stop (?:doing|adding|using|writing|creating|changing)",
    "don'?t do (?:that|this)", "instead[, ]",
)  # fmt: skip
_LIKED = _any(
    "prefer", "rather", "like it (?:when|better)", "like (?:my|our|the|to)", "hate", "dislike", "don'?t (?:like|want)"
)
_PREFERRED = _any(
    rf"i(?:'d| would)? (?:really |much |strongly )?{_LIKED}\b", r"always\b", r"never\b", r"from now on\b",
    "in (?:the )?future[, ]", "by default[, ]", r"going forward\b", r"my preference\b", r"avoid\b", r"as a rule\b",
    "(?:for|in) (?:this|our) (?:project|repo(?:sitory)?|codebase)[, ]", r"whenever you\b", r"every time you\b",
    r"remember (?:to|that)\b", r"i want you to\b",
)  # fmt: skip
_DONE = _any("be", "stay", "remain", "use", "expire", "default", "return", "live", "go")

_REFUSING = (
    rf"(?:we )?(?:don'?t|do not|no longer|won'?t|will not)\s+{_any('use', 'support', 'add', 'need', 'keep', 'store')}"
)
_OBLIGED = r"(?:should|must|shall|ha[sv]e? to|needs? to)\s+(?:always |never |not |only )?"

# In the order they are tried: a correction that also decides is a correction.
_ENGLISH: Final = (
    (CORRECTION, _LEAD + _CORRECTED),
    (PREFERENCE, _LEAD + _PREFERRED),
    (DECISION, rf"{_LEAD}(?:decision|decided|agreed|final answer)\s*[:—-]"),
    (DECISION, rf"{_LEAD}(?:{_WE}\s+)?(?:have |'ve )?(?:decided|agreed) (?:to|on|that)\b"),
    (DECISION, rf"{_LEAD}(?:{_WE}\s+)?(?:not |never )?{_CHOOSE}\s+\S"),
    (DECISION, rf"{_LEAD}(?:{_WE}\s+)?{_CHANGE}\s+.{{2,120}}?\s(?:to|at|=)\s+\S"),
    (DECISION, rf"{_LEAD}{_REFUSING}\b"),
    (DECISION, rf".{{2,120}}?\b{_OBLIGED}{_DONE}\b\s*\S"),
    (DECISION, r".{2,160}?\b(?:instead of|rather than)\s+\S"),
)
# Other languages by their plainest words; those that put the verb last are looked at to their end.
_OTHERS: Final = (
    (
        CORRECTION,
        r"(?:nein|non|falsch|faux)\b|das ist falsch|c'est faux|eso está mal|不对|不是这样|错了|違います|아니[,요 ]",
    ),
    (PREFERENCE, r"ich bevorzuge|lieber\b|immer\b|niemals\b|ab jetzt\b|je préfère|toujours\b|jamais\b|prefiero"),
    (PREFERENCE, r"siempre\b|nunca\b|.{0,80}?(?:我更喜欢|以后|总是|请不要|必ず|常に|今後|항상|절대)"),
    (DECISION, r"wir (?:nehmen|verwenden|nutzen|bleiben)\b|(?:verwende|nimm|nutze|utilise|utilisons|gardons)\b"),
    (
        DECISION,
        r"on (?:utilise|garde)\b|(?:usa|usemos|usaremos)\b|.{0,80}?(?:使用|采用|改用|決定|にする|사용하자|하기로)",
    ),
)
_COMPILED: Final = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in (*_ENGLISH, *_OTHERS))
# A model proposes all day long; only what it calls settled counts.
_SETTLED: Final = re.compile(
    rf"{_LEAD}(?:decision|decided|agreed)\s*[:—-]|{_LEAD}(?:as )?(?:we|you)(?:'ve| have)? (?:decided|agreed)\b",
    re.IGNORECASE,
)
_ASKED: Final = re.compile(
    r"[?？]\s*$|^(?:what|why|how|who|when|where|which|is|are|does|do you|did|can|could|would|shall)\b", re.IGNORECASE
)


class Statement(Struct, frozen=True):
    """Something that was settled, in the words it was settled with."""

    kind: str
    text: str
    topic: Topic


def statements(message: Message) -> Iterator[Statement]:
    """What a message decides, prefers or corrects."""
    if message.role not in (USER, ASSISTANT):
        return
    found = 0
    for sentence in sentences(message.text):
        kind = kind_of(sentence, message.role)
        if kind:
            yield Statement(kind, sentence, topic_of(sentence))
            found += 1
            if found >= MOST_STATEMENTS:
                return


def kind_of(sentence: str, role: str = USER) -> str:
    """decision, preference, correction, or nothing."""
    if _ASKED.search(sentence):
        return ""
    if role != USER:
        return DECISION if _SETTLED.match(sentence) else ""
    return next((kind for kind, pattern in _COMPILED if pattern.match(sentence)), "")
