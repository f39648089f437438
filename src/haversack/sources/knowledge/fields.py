"""The fields of an entry (`**Status**: Accepted`) and what they say about whether it still holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from haversack.patterns import lazily
from haversack.sources.knowledge.dates import STAMP

# Spelled in more than one way.
SAME: Final[Mapping[str, str]] = {
    "consequences": "consequence",
    "alternatives_considered": "alternatives",
    "lessons": "lesson",
    "date_discovered": "discovered",
}
# Headings inside an entry that are fields written large.
_HEADING_FIELDS: Final = "status context decision rationale consequence alternatives related lesson application date"
HEADING_FIELDS: Final = frozenset(_HEADING_FIELDS.split())
OVER: Final = frozenset({"superseded", "deprecated", "rejected", "obsolete", "reverted", "withdrawn"})

_FIELD: Final = lazily(r"[ \t]*(?:[-*>][ \t]+)?\*\*([A-Z][\w /-]{0,40}?)(?::\*\*|\*\*[ \t]*:)[ \t]*(.*)$")
_QUOTED: Final = lazily(r"[ \t]*>?[ \t]*\*\*(Superseded|Deprecated)\*\*[ \t]*(?:\(([^)]*)\))?[ \t]*:?[ \t]*(.*)$", re.I)
_STRUCK: Final = lazily(r"[ \t]*(?:[-*>][ \t]*)?~~[ \t]*\**Superseded\b(.*)$", re.I)
_TAG: Final = lazily(r"(?<![\w`])#superseded(?::(\S+))?", re.I)
_HEADING: Final = lazily(r" {0,3}#{2,6}[ \t]+([A-Za-z][A-Za-z ]{2,30}?)[ \t]*:?[ \t]*#*$")
_BY: Final = lazily(r"\b(?:superseded|replaced)[ \t]+(?:by|with)[ \t]+(.+)", re.I)
_INLINE_CODE: Final = lazily(r"`[^`]*`")


def field_name(written: str) -> str:
    """A field's name as a key."""
    key = re.sub(r"\W+", "_", written.strip().lower()).strip("_")
    return SAME.get(key, key)


def fields(lines: Iterable[str]) -> dict[str, str]:
    """Every field of an entry with its whole text, in order; a field given twice keeps both texts."""
    found: dict[str, list[str]] = {}
    now: list[str] | None = None
    for line in lines:
        match = _FIELD.match(line) if "**" in line else None
        heading = _HEADING.match(line) if line.lstrip().startswith("#") else None
        if match:
            now = found.setdefault(field_name(match[1]), [])
            now.append(match[2])
        elif heading:
            key = field_name(heading[1])
            now = found.setdefault(key, []) if key in HEADING_FIELDS else None
        elif now is not None:
            now.append(line)
    return {key: "\n".join(value).strip() for key, value in found.items()}


class Over(Struct, frozen=True):
    """That an entry no longer holds: in which words, since when, and what took its place as written."""

    words: str
    since: str = ""
    successor: str = ""


def over(title: str, body: Iterable[str], found: Mapping[str, str]) -> Over | None:
    """Whether an entry says of itself that it no longer holds, in any of the ways people write that."""
    status = found.get("status", "")
    first = re.match(r"[*_~\s]*([A-Za-z]+)", status)
    if first and first[1].lower() in OVER:
        return Over(status, _date(status), _successor(status))
    if title.lstrip().startswith("~~"):
        return Over(title)
    for line in body:
        plain = _INLINE_CODE.sub("", line)
        if quoted := _QUOTED.match(plain):
            return Over(line.strip(), quoted[2] or "", _successor(line))
        if struck := _STRUCK.match(plain):
            return Over(line.strip(), _date(struck[1]), _successor(line))
        if tag := _TAG.search(plain):
            return Over(tag[0], tag[1] or "", _successor(line))
    tag = _TAG.search(_INLINE_CODE.sub("", title))
    return Over(tag[0], tag[1] or "") if tag else None


def _date(text: str) -> str:
    # "Superseded by [2026-03-02] ..." dates the successor, "Superseded (2026-03-02)" the end.
    match = re.search(r"\(([^)]*)\)", text)
    stamp = STAMP.search(match[1]) if match else None
    return stamp[0] if stamp else ""


def _successor(text: str) -> str:
    match = _BY.search(text)
    return match[1].strip().rstrip(".*~ ") if match else ""
