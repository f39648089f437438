"""Decisions and learnings: one draft per entry, with its fields, its date, and what took its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from haversack.model import Status
from haversack.sources.knowledge.dates import STAMP, moment
from haversack.sources.knowledge.draft import Draft
from haversack.sources.knowledge.fields import HEADING_FIELDS, field_name, fields, over
from haversack.sources.knowledge.page import GROUPS, Head, Page

DATE_FIELDS: Final = ("discovered", "date", "decided", "added")
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
    by_day: dict[str, list[Draft]] = {}
    for draft in found:
        by_day.setdefault(str(draft.meta.get("date", ""))[:10], []).append(draft)
    for draft in found:
        words = draft.meta.get("successor")
        if not isinstance(words, str):
            continue
        stamp = STAMP.search(words)
        if stamp:
            pool = [each for each in by_day.get(stamp[0][:10], []) if each is not draft]
            exact = [each for each in pool if str(each.meta.get("date", "")) == stamp[0]]
            pool = exact or pool
        else:
            pool = [each for each in found if each is not draft and each.status is Status.LIVE]
        target = _nearest(words, pool, sure=stamp is not None)
        if target is not None:
            draft.meta["superseded_by"] = target.key
            before = target.meta.get("supersedes", ())
            target.meta["supersedes"] = (*(before if isinstance(before, tuple) else ()), draft.key)


def _nearest(words: str, pool: Sequence[Draft], *, sure: bool) -> Draft | None:
    """The entry whose title shares most words; a date that only one entry has is enough by itself."""
    wanted = _words(words)
    shared = [len(wanted & _words(each.title)) for each in pool]
    best = max(shared, default=0)
    if sure and len(pool) == 1:
        return pool[0]
    if best < (1 if sure else 2) or shared.count(best) > 1 or (not sure and 2 * best <= len(wanted)):
        return None
    return pool[shared.index(best)]


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(STAMP.sub("", text).lower())) - COMMON
