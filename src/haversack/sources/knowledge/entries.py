"""Decisions and learnings: one draft per entry, with its fields, its date, and what took its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from haversack.model import Status
from haversack.sources.knowledge.dates import STAMP, moment
from haversack.sources.knowledge.draft import Draft
from haversack.sources.knowledge.fields import HEADING_FIELDS, field_name, fields, over
from haversack.sources.knowledge.page import GROUPS, Head, Page

DATE_FIELDS: Final = ("discovered", "date", "decided", "added")
COMMON_WORD: Final = 200  # titles; keeps files of ten thousand entries linear
MOST_OF_A_DAY: Final = 200
_COMMON: Final = "the and for with from into that this not use are its was all"
COMMON: Final = frozenset(_COMMON.split())

_STAMPED: Final = re.compile(r"~{0,2}\[([^\]]*\d{4}-\d{2}[^\]]*)\]~{0,2}[ \t]*(.*)$")
_WORD: Final = re.compile(r"\w{3,}")


def entries(page: Page, kind: str, written: float) -> list[Draft]:
    """The entries of a decisions or learnings file, and prose sections between them."""
    found: list[Draft] = []
    heads = page.heads()
    open_entry: tuple[int, Draft] | None = None
    for number, head in enumerate(heads):
        if open_entry is not None and _belongs(page, *open_entry, head):
            open_entry[1].last = _end(page, head.line, head.last)
            continue
        open_entry = None
        if _is_entry(page, heads, number):
            draft = Draft(kind, "", head.line, _end(page, head.line, head.last), "")
            open_entry = (head.level, draft)
            found.append(draft)
        elif head.level > 1 and page.says(head.line + 1, head.last):
            found.append(Draft("section", head.title, head.line, page.trimmed(head.line, head.last), head.title))
    for draft in found:
        if draft.kind == kind:
            complete(page, draft, written)
    _link([draft for draft in found if draft.kind == kind])
    return found


def _starts_entry(page: Page, head: Head) -> bool:
    """Whether a heading inside an entry begins another one."""
    if _STAMPED.match(head.title):
        return True
    if field_name(head.title) in HEADING_FIELDS:
        return False
    first = next((line for line in range(head.line + 1, head.last + 1) if not page.is_blank(line)), None)
    return first is not None and bool(set(fields([page.seen[first]])) & {"discovered", "status", "date"})


def _is_entry(page: Page, heads: Sequence[Head], number: int) -> bool:
    head = heads[number]
    if _STAMPED.match(head.title):
        return True
    if head.level == 1 or head.title.lower().strip(" :") in GROUPS:
        return False
    if fields(page.seen[head.line + 1 : head.last + 1]):
        return True
    follower = heads[number + 1] if number + 1 < len(heads) else None
    if follower is not None and follower.level > head.level:  # it groups what follows, or its fields are headings
        return field_name(follower.title) in HEADING_FIELDS
    return page.says(head.line + 1, head.last)


def _end(page: Page, first: int, last: int) -> int:
    """The last line of an entry's text: what comes before a rule, or all of it."""
    rule = next((line for line in range(first + 1, last + 1) if page.is_rule(line)), last + 1)
    return page.trimmed(first, rule - 1)


def _belongs(page: Page, level: int, draft: Draft, head: Head) -> bool:
    """Whether a heading stands inside the entry: deeper, no entry itself, and no rule before it."""
    if head.level <= level or _starts_entry(page, head):
        return False
    return not any(page.is_rule(line) for line in range(draft.last + 1, head.line))


def complete(page: Page, draft: Draft, written: float) -> None:
    """Fill in what the entry's heading and fields say."""
    body = page.seen[draft.first + 1 : draft.last + 1]
    heading = page.seen[draft.first].strip().lstrip("#").strip()
    stamped = _STAMPED.match(heading)
    found = fields(body)
    title = (stamped[2] if stamped else heading).strip().strip("~").strip() or next(iter(found.values()), "")
    stamp = stamped[1].strip() if stamped else next((found[name] for name in DATE_FIELDS if found.get(name)), "")
    draft.title = title.partition("\n")[0] or "(untitled)"
    # A stamp with a time of day is unique and outlives a new title; a bare date is not.
    draft.key = stamp if stamped and len(stamp) > len("2026-01-01") else f"{stamp} {draft.title}".strip()
    draft.meta.update({f"field.{name}": value for name, value in found.items()})
    if stamp:
        draft.meta["date"] = stamp
        draft.time, wrong = moment(stamp, written)
        if wrong:
            draft.notes.append(wrong)
    ended = over(heading, body, found)
    if ended is not None:
        draft.status = Status.SUPERSEDED
        draft.meta["superseded"] = ended.words
        if ended.since:
            draft.meta["superseded_on"] = ended.since
        if ended.successor:
            draft.meta["successor"] = ended.successor


def _link(found: Sequence[Draft]) -> None:
    """Name the successor by its key where the words for it fit one entry of the file."""
    if not any("successor" in draft.meta for draft in found):
        return
    by_day: dict[str, list[int]] = {}
    by_word: dict[str, list[int]] = {}
    for number, draft in enumerate(found):
        by_day.setdefault(_day(draft), []).append(number)
        for word in _words(draft.title):
            by_word.setdefault(word, []).append(number)
    for number, draft in enumerate(found):
        words = draft.meta.get("successor")
        target = _successor(words, number, found, by_day, by_word) if isinstance(words, str) else None
        if target is not None:
            draft.meta["superseded_by"] = target.key
            before = target.meta.get("supersedes", ())
            target.meta["supersedes"] = (*(before if isinstance(before, tuple) else ()), draft.key)


def _successor(
    words: str, number: int, found: Sequence[Draft], by_day: dict[str, list[int]], by_word: dict[str, list[int]]
) -> Draft | None:
    """The entry the words mean: by its stamp, by a date that only it has, or by the words most of which it shares."""
    stamp = STAMP.search(words)
    day = stamp[0][:10] if stamp else ""
    of_day = [each for each in by_day.get(day, ())[:MOST_OF_A_DAY] if each != number] if stamp else []
    exact = [each for each in of_day if stamp and str(found[each].meta.get("date", "")) == stamp[0]]
    pool = exact or of_day
    if len(pool) == 1:
        return found[pool[0]]
    wanted = _words(words)
    shared: Counter[int] = Counter()
    for word in sorted(wanted):
        holders = by_word.get(word, ())
        if len(holders) <= COMMON_WORD:  # a word that many titles have tells none of them apart
            shared.update(holders)
    allowed = set(pool)
    counts = {
        each: times
        for each, times in shared.items()
        if each != number and (each in allowed if stamp else found[each].status is Status.LIVE)
    }
    best = max(counts.values(), default=0)
    leaders = [each for each, times in counts.items() if times == best]
    enough = best >= 1 if stamp else best >= 2 and 2 * best > len(wanted)
    return found[leaders[0]] if enough and len(leaders) == 1 else None


def _day(draft: Draft) -> str:
    return str(draft.meta.get("date", ""))[:10]


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(STAMP.sub("", text).lower())) - COMMON
