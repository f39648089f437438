"""Glossaries: one draft per term, whether it is a heading, a bullet, a row of a table or a bold word."""

from __future__ import annotations

import re
from typing import Final

from haversack.sources.knowledge.bullets import bullets
from haversack.sources.knowledge.draft import Draft
from haversack.sources.knowledge.page import Page

_TERM: Final = re.compile(r"[ \t]*(?:[-*+][ \t]+)?(?:\*\*|`)([^*`]{1,100})(?:\*\*|`)[ \t]*(?::|—|–|-|$)")
_ROW: Final = re.compile(r"[ \t]*\|[ \t]*([^|]*?)[ \t]*\|")
_RULER: Final = re.compile(r"[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$")


def terms(page: Page) -> list[Draft]:
    """Every term with its explanation; headings that only group terms give none."""
    found: list[Draft] = []
    heads = page.heads()
    spans = [(head.line, head.last, head.title, head.level) for head in heads]
    if not heads or heads[0].line > 0:
        spans.insert(0, (-1, heads[0].line - 1 if heads else len(page.seen) - 1, "", 0))
    for line, last, title, level in spans:
        inner = _rows(page, line + 1, last) or _words(page, line + 1, last)
        if inner:
            found += inner
        elif level > 1 and page.says(line + 1, last):
            found.append(Draft("term", title.strip("*` "), line, page.trimmed(line, last), title))
    return found


def _rows(page: Page, first: int, last: int) -> list[Draft]:
    found: list[Draft] = []
    in_table = False
    for number in range(first, last + 1):
        if _RULER.match(page.seen[number]):
            in_table = True
        elif in_table and (row := _ROW.match(page.seen[number])):
            name = row[1].strip("*` ")
            if name:
                found.append(Draft("term", name, number, number, name))
        else:
            in_table = False
    return found


def _words(page: Page, first: int, last: int) -> list[Draft]:
    """Bullets and paragraphs that begin with the term in bold or as code."""
    found = [
        Draft("term", match[1].strip(": "), item.first, item.last, match[1])
        for item in bullets(page, first, last, boxes_only=False)
        if item.inside is None and (match := _TERM.match(page.seen[item.first]))
    ]
    if found:
        return found
    starts = [n for n in range(first, last + 1) if not page.fenced[n] and _TERM.match(page.seen[n])]
    for number, start in enumerate(starts):
        end = starts[number + 1] - 1 if number + 1 < len(starts) else last
        match = _TERM.match(page.seen[start])
        name = match[1].strip(": ") if match else ""
        found.append(Draft("term", name, start, page.trimmed(start, end), name))
    return found
