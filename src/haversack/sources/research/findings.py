"""What a piece of research came to: conclusions, findings and the excerpts it rests on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from haversack.patterns import lazily

MOST: Final = 24  # findings of one piece; more of them are a list of everything
LONGEST: Final = 400  # characters of one finding

_WORDS: Final = (
    r"(?:key |main |overall )?(?:conclusions?|findings?|results?|takeaways?|recommendations?|summary|tl;?dr|verdict|"
    r"outcome|decision|answer|excerpts?|quotes?|learnings?)"
)
_HEADING: Final = lazily(rf"\W*{_WORDS}\W*$", re.I)
_MARKED: Final = lazily(rf"(?:^[ \t]*(?:[-*>][ \t]+)?|\*\*){_WORDS}\**[ \t]*:\**[ \t]*(\S.*)$", re.I)
_QUOTE: Final = lazily(r"[ \t]*>[ \t]*(\S.*)$")
KEYS: Final = (
    "conclusion", "conclusions", "findings", "key_findings", "summary", "takeaways", "recommendation",
    "recommendations", "answer", "result", "excerpts", "key_excerpts", "quotes",
)  # fmt: skip


def is_conclusion(title: str) -> bool:
    """Whether a heading announces what came out of it."""
    return _HEADING.match(title.rpartition(" > ")[2]) is not None


def findings(lines: Sequence[str], *, concluding: bool) -> tuple[str, ...]:
    """Lines that say what was found: all of a concluding section, else those that are marked and those quoted."""
    found: dict[str, None] = {}
    for line in lines:
        if concluding and not line.lstrip().startswith("#"):
            words = line.strip(" \t-*>")
        else:
            match = _MARKED.search(line) or _QUOTE.match(line)
            words = match[1] if match else ""
        if words.strip():
            found[words.strip()[:LONGEST]] = None
            if len(found) >= MOST:
                break
    return tuple(found)


def in_record(record: Mapping[str, object]) -> tuple[str, ...]:
    """The same for a JSON object, wherever it keeps them."""
    found = (text for key in KEYS for text in _texts(record.get(key)))
    return tuple(dict.fromkeys(text[:LONGEST] for text in found))[:MOST]


def title_of(record: Mapping[str, object]) -> str:
    """What a JSON object calls itself."""
    for key in ("title", "query", "question", "task", "name", "topic", "url"):
        value = record.get(key)
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())[:200]
    return ""


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str) and value.strip():
        yield " ".join(value.split())
    elif isinstance(value, Mapping):
        yield from _texts(value.get("text") or value.get("finding") or value.get("summary"))
    elif isinstance(value, Iterable) and not isinstance(value, str | bytes):
        for each in value:
            yield from _texts(each)
