"""Lists: rules, tasks and conventions, each bullet whole with the lines it wraps over."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from haversack.model import MetaValue, Status
from haversack.patterns import lazily
from haversack.sources.knowledge.dates import moment
from haversack.sources.knowledge.draft import Draft
from haversack.sources.knowledge.page import GROUPS, Page

LONGEST_TITLE: Final = 160
STATES: Final = {" ": "open", "x": "done", "X": "done", "-": "skipped"}

_BULLET: Final = lazily(r"([ \t]*)(?:[-*+]|\d{1,4}[.)])[ \t]+(?:\[(.)\]:?(?:[ \t]+|$))?(.*)$")
_TAG: Final = lazily(r"(?<![\w`/&#])#([a-z][a-z-]*)(?::[ \t]*([^\s#`]+))?")
_TAGS: Final = "priority session branch commit added done in-progress blocked skipped superseded started assignee phase"
_KNOWN_TAGS: Final = frozenset(_TAGS.split())
_CODE: Final = lazily(r"`[^`]*`")
_SUPERSEDED_BY: Final = lazily(r"\b[Ss]uperseded by[ \t]+(.{1,200}?)(?:$|[.;]\s| #)")
TAB: Final = 4


class Bullet(Struct):
    """A list item: its lines, its depth, its box if it has one, and the item it stands in."""

    first: int
    last: int
    indent: int
    box: str | None
    inside: Bullet | None


def bullets(page: Page, first: int, last: int, *, boxes_only: bool) -> list[Bullet]:
    """Items of these lines: every box, and unless only boxes are wanted every bullet that stands in none."""
    found: list[Bullet] = []
    open_items: list[Bullet] = []
    blank = False
    for number in range(first, last + 1):
        line = page.seen[number]
        if page.fenced[number]:
            line = page.raw[number]
        if not line.strip():
            blank = True
            continue
        match = None if page.fenced[number] else _BULLET.match(line)
        indent = _width(line)
        if page.is_rule(number):
            open_items.clear()
        elif match or blank:  # a line that follows without a gap belongs to its item however it is indented
            while open_items and open_items[-1].indent >= indent:
                open_items.pop()
        if match and not page.is_rule(number) and (match[2] is not None or not (boxes_only or open_items)):
            inside = open_items[-1] if open_items else None
            open_items.append(Bullet(number, number, indent, match[2], inside))
            found.append(open_items[-1])
        for item in open_items:
            item.last = number
        blank = False
    return found


def _width(line: str) -> int:
    return len(line[: len(line) - len(line.lstrip())].expandtabs(TAB))


def listed(page: Page, kind: str, written: float, *, boxes_only: bool = False, prose: bool = False) -> list[Draft]:
    """One draft per item and per section with words of its own; `prose`: a section without items is one too."""
    drafts: list[Draft] = []
    heads = page.heads()
    sections = [(head.line, head.last, head.title, head.level) for head in heads]
    if not heads or heads[0].line > 0:
        sections.insert(0, (-1, heads[0].line - 1 if heads else len(page.seen) - 1, "", 0))
    above: list[tuple[int, str]] = []
    for line, last, title, level in sections:
        while above and above[-1][0] >= level:
            above.pop()
        if level > 1:
            above.append((level, title))
        label = " > ".join(words for _, words in above)
        groups = title.lower().strip(" :") in GROUPS
        items = [] if groups else bullets(page, line + 1, last, boxes_only=boxes_only)
        stop = items[0].first - 1 if items else last
        section = None
        if level > 1 and page.says(line + 1, stop):
            made = kind if prose and not items and not groups else "section"
            section = Draft(made, title, line, page.trimmed(line, stop), label, meta={"section": label})
            drafts.append(section)
        drafts += _drafts(page, items, kind, label, section, written)
    return drafts


def _drafts(
    page: Page, items: Iterable[Bullet], kind: str, label: str, section: Draft | None, written: float
) -> list[Draft]:
    made: dict[int, Draft] = {}
    for item in items:
        lines = page.seen[item.first : item.last + 1]
        # A task's words end where its first nested item begins.
        own = [lines[0], *_until_bullet(lines[1:])]
        words = " ".join(" ".join(own).split())
        match = _BULLET.match(words)
        words = match[3] if match else words
        tags = _tags(" ".join(_own_lines(page, item)))
        plain = _without_tags(words)
        inside = made[item.inside.first] if item.inside else section
        draft = Draft(kind, _title(plain), item.first, item.last, plain[:400], inside)
        if label:
            draft.meta["section"] = label
        if kind == "task":
            _as_task(draft, item, tags, words, written)
        made[item.first] = draft
    return list(made.values())


def _until_bullet(lines: Iterable[str]) -> Iterable[str]:
    for line in lines:
        if not line.strip() or _BULLET.match(line):
            return
        yield line


def _own_lines(page: Page, item: Bullet) -> Iterable[str]:
    """The item's lines up to the first box inside it."""
    for number in range(item.first, item.last + 1):
        match = _BULLET.match(page.seen[number]) if number > item.first else None
        if match and match[2] is not None:
            return
        yield page.seen[number]


def _tags(text: str) -> dict[str, str]:
    return {match[1]: match[2] or "" for match in _TAG.finditer(_CODE.sub("", text)) if match[1] in _KNOWN_TAGS}


def _without_tags(text: str) -> str:
    kept = _TAG.sub(lambda match: "" if match[1] in _KNOWN_TAGS else match[0], text)
    return " ".join(kept.split()) or text.strip()


def _title(text: str) -> str:
    if len(text) <= LONGEST_TITLE:
        return text or "(empty)"
    cut = text[: LONGEST_TITLE - 1]
    return cut[: cut.rfind(" ")].rstrip() + "…" if " " in cut else cut + "…"


def _as_task(draft: Draft, item: Bullet, tags: dict[str, str], words: str, written: float) -> None:
    draft.meta["state"] = STATES.get(item.box or " ", "open")
    values: dict[str, MetaValue] = {
        name.replace("-", "_"): value if value else True for name, value in tags.items() if name != "superseded"
    }
    draft.meta |= values
    if tags.get("added"):
        draft.time, wrong = moment(tags["added"], written)
        if wrong:
            draft.notes.append(wrong)
    match = _SUPERSEDED_BY.search(words)
    if "superseded" in tags or (match and draft.meta["state"] == "skipped"):
        draft.status = Status.SUPERSEDED
        draft.meta["superseded"] = match[0] if match else f"#superseded:{tags['superseded']}"
    if match:
        draft.meta["successor"] = match[1].strip()
