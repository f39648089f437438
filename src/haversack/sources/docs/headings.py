"""Where the headings of a document are, in Markdown, reStructuredText, AsciiDoc and plain text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from haversack.patterns import lazily

MARKDOWN: Final = frozenset({"markdown", "md", "mdx"})
RST: Final = frozenset({"rst", "restructuredtext"})
ASCIIDOC: Final = frozenset({"asciidoc", "adoc"})

LONGEST_TITLE: Final = 160  # a longer line above an underline is a paragraph, not a title
# A plain-text underline is drawn by hand to the length of its title; a rule across the page is not.
UNDERLINE_SLACK: Final = 3

_ATX: Final = lazily(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_EQUALS: Final = lazily(r"(={1,6})[ \t]+(\S.*)$")
_CLOSING_HASHES: Final = lazily(r"(?:^|[ \t]+)#+[ \t]*$")
_FENCE: Final = lazily(r"[ \t]*(?:[-*+>][ \t]+)?(`{3,}|~{3,})([^\n]*)$")
_UNDERLINE: Final = lazily(r"([!-/:-@\[-`{-~])\1{1,}[ \t]*$")
_ASCIIDOC_BLOCK: Final = lazily(r"(-{4,}|\.{4,}|={4,}|\+{4,}|/{4,}|\*{4,}|_{4,}|\|={3,}|--)[ \t]*$")
# What cannot be a title: a list item, a quote, a table row, a directive, an indented line, a rule.
_NOT_A_TITLE: Final = lazily(r"[ \t]|[-*+>|][ \t]|\||\.\. |[-=~^\"'`#*+.:_]{3,}[ \t]*$")
_NUMBERED: Final = lazily(r"\d+[.)][ \t]")  # in Markdown a list item, elsewhere the number of a chapter
_MARKUP: Final = lazily(r"[\[<{`*_]")
_ATTRIBUTES: Final = lazily(r"[ \t]*\{[#.:][^{}]*\}[ \t]*$")
_LINK: Final = lazily(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_ROLE: Final = lazily(r":[\w:+.-]+:`([^`<]*)(?:<[^`>]*>)?`")
_TAG: Final = lazily(r"</?[A-Za-z][^<>]*>")
_EMPHASIS: Final = lazily(r"(\*\*|__|\*)(\S(?:[^*_]*\S)?)\1")


class Heading(Struct, frozen=True):
    """A heading: its lines (0-based, both ends included), its depth from 1, its words without markup."""

    first: int
    last: int
    level: int
    title: str


def headings(lines: Sequence[str], lang: str, start: int = 0) -> list[Heading]:
    """The headings of a document in order; `start` skips front matter."""
    if lang in MARKDOWN:
        return _markdown(lines, start)
    if lang in RST:
        return _underlined(lines, start, strict=False)
    if lang in ASCIIDOC:
        return _asciidoc(lines, start)
    return _underlined(lines, start, strict=True)


def fence_end(lines: Sequence[str], at: int) -> int | None:
    """The last line of the fenced block that opens at this line, or None when none opens here."""
    opening = _FENCE.match(lines[at])
    if opening is None:
        return None
    marks, info = opening.groups()
    if marks[0] == "`" and "`" in info:  # ```inline``` code at the start of a line opens nothing
        return None
    closing = re.compile(rf"[ \t>]*{re.escape(marks[0])}{{{len(marks)},}}[ \t]*$")
    for index in range(at + 1, len(lines)):
        if closing.match(lines[index]):
            return index
    return len(lines) - 1


def plain_title(title: str) -> str:
    """A heading's words: links become their text, emphasis, tags and anchors go."""
    title = title[: 2 * LONGEST_TITLE]
    if _MARKUP.search(title):
        title = _ATTRIBUTES.sub("", title)
        title = _EMPHASIS.sub(r"\2", _TAG.sub("", _ROLE.sub(r"\1", _LINK.sub(r"\1", title))))
    return " ".join(title.split())[:LONGEST_TITLE] or "(untitled)"


def _markdown(lines: Sequence[str], start: int) -> list[Heading]:
    found: list[Heading] = []
    closer = -1
    index = start - 1
    while (index := index + 1) < len(lines):
        line = lines[index]
        mark = line.lstrip()[:1]
        if not mark or mark not in "#=-`~<>*+":  # most lines begin with a letter and none of this concerns them
            continue
        if "```" in line or "~~~" in line:
            index = index if (end := fence_end(lines, index)) is None else end
        elif mark == "<":
            closer = _last_closer(lines) if closer < 0 else closer
            index = _comment_end(lines, index) if index < closer else index
        elif mark == "#" and (atx := _ATX.match(line)):
            title = _CLOSING_HASHES.sub("", (atx[2] or "")[: 2 * LONGEST_TITLE])
            found.append(Heading(index, index, len(atx[1]), plain_title(title)))
        elif mark in "=-" and index > start and (level := _setext_level(line)):
            before = found[-1].last if found else start - 1
            if _is_title(lines, index - 1, before):
                found.append(Heading(index - 1, index, level, plain_title(lines[index - 1])))
    return found


def _setext_level(line: str) -> int:
    bare = line.rstrip()
    if len(bare) < 2 or bare.strip(bare[0]):  # an indented one is not flush with what it underlines
        return 0
    return 1 if bare[0] == "=" else 2


def _is_title(lines: Sequence[str], at: int, after: int) -> bool:
    """Whether the line can be an underlined title: text that stands alone, below `after`."""
    line = lines[at]
    if at <= after or not line.strip() or len(line) > LONGEST_TITLE:
        return False
    if _NOT_A_TITLE.match(line) or _NUMBERED.match(line):
        return False
    return at == after + 1 or not lines[at - 1].strip()


def _last_closer(lines: Sequence[str]) -> int:
    """The last line that can end an HTML comment, 0 when there is none."""
    return next((index for index in range(len(lines) - 1, 0, -1) if "-->" in lines[index]), 0)


def _comment_end(lines: Sequence[str], at: int) -> int:
    """The last line of the HTML comment that opens here, if one does: example headings live there."""
    if not lines[at].lstrip().startswith("<!--") or "-->" in lines[at]:
        return at
    return next(index for index in range(at + 1, len(lines)) if "-->" in lines[index])


def _underlined(lines: Sequence[str], start: int, *, strict: bool) -> list[Heading]:
    """Titles with a line of punctuation under them (and perhaps over them); depth by first appearance."""
    found: list[Heading] = []
    styles: list[tuple[str, bool]] = []
    after = start - 1
    for index in range(start + 1, len(lines)):
        line = lines[index]
        mark = line[:1]
        if not mark or mark.isalnum() or mark.isspace() or index - 1 <= after or not _UNDERLINE.match(line):
            continue
        over = index - 2 > after and _rule_length(lines[index - 2], mark) > 0
        title = lines[index - 1].strip() if over else lines[index - 1].rstrip()
        if not title or len(title) > LONGEST_TITLE or _NOT_A_TITLE.match(title):
            continue
        if not over and index - 2 > after and lines[index - 2].strip():
            continue
        if not _fits(len(line.rstrip()), len(title), mark, strict=strict):
            continue
        style = (mark, over)
        if style not in styles:
            styles.append(style)
        found.append(Heading(index - 2 if over else index - 1, index, styles.index(style) + 1, plain_title(title)))
        after = index
    return found


def _rule_length(line: str, mark: str) -> int:
    bare = line.rstrip()
    return len(bare) if len(bare) > 1 and not bare.strip(mark) else 0


def _fits(rule: int, title: int, mark: str, *, strict: bool) -> bool:
    if strict:
        return mark in "=-~*#^" and rule >= 3 and abs(rule - title) <= UNDERLINE_SLACK
    return rule >= min(title, 4)  # docutils warns about a short underline and takes it all the same


def _asciidoc(lines: Sequence[str], start: int) -> list[Heading]:
    found: list[Heading] = []
    index = start
    while index < len(lines):
        line = lines[index]
        block = _ASCIIDOC_BLOCK.match(line)
        if block and (end := _same_line(lines, index, block[1])) is not None:
            index = end + 1
            continue
        fenced = fence_end(lines, index) if "```" in line else None
        if fenced is not None:
            index = fenced + 1
            continue
        equals = _EQUALS.match(line) or (_ATX.match(line) if line.startswith("#") else None)
        if equals and equals[2]:
            found.append(Heading(index, index, len(equals[1]), plain_title(equals[2])))
        index += 1
    return found


def _same_line(lines: Sequence[str], at: int, rule: str) -> int | None:
    for index in range(at + 1, len(lines)):
        if lines[index].rstrip() == rule:
            return index
    return None
