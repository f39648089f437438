"""Code shortened lightly: without comments on lines of their own and without the manual in a docstring.

The other steps are the levels for code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from haversack.model import Unit
from haversack.sources.code.refs import BACKTICK, DOUBLE, SINGLE, TRIPLE
from haversack.sources.within import Count, within

# What looks like a comment inside a string is none, so strings are matched first. What is never closed reaches to the
# end: looking for the end again from every opening would take forever.
_SLASHES: Final = r"(?P<comment>//[^\n]*+|/\*[\s\S]*?(?:\*/|\Z))"
_HASHES: Final = r"(?P<comment>\#[^\n]*+)"
_DASHES: Final = r"(?P<comment>--[^\n]*+)"
_FAMILIES: Final = (
    (
        (DOUBLE, SINGLE, BACKTICK, _SLASHES),
        "astro c cpp csharp dart go groovy java javascript kotlin php proto rust scala scss solidity swift tsx zig "
        "typescript",
    ),
    (
        (TRIPLE, DOUBLE, SINGLE, _HASHES),
        "bash elixir gdscript hcl julia make nix perl powershell python r ruby shell toml",
    ),
    ((DOUBLE, SINGLE, _DASHES), "ada elm haskell lua sql vhdl"),
)
_PARTS: Final[Mapping[str, tuple[str, ...]]] = {lang: parts for parts, langs in _FAMILIES for lang in langs.split()}
# Of the characters. Most code has fewer comments: cut from its end to be shorter it would be a step that nobody takes.
LEAST_SAVING: Final = 0.15
DOC_LINES: Final = 4  # of a docstring that stay at most: its first paragraph says what the rest is about
LEAST_MANUAL: Final = 5  # lines that are worth a mark in their place
_COMMENTS: Final = re.compile(r"^[^\S\n]*+(?:#|//|--)[^\n]*+", re.MULTILINE)
_BLANKS: Final = re.compile(r"\n{3,}")


def light(unit: Unit, text: str, limit: int, count: Count | None = None) -> str | None:
    """Without comments and runs of blank lines, from the end on if that is still too much; None for hardly any."""
    most = len(text) * (1 - LEAST_SAVING)
    shorter = _without_manual(unit, text)
    if "/*" not in shorter and len(shorter) - shorter.count("\n") - sum(map(len, _COMMENTS.findall(shorter))) > most:
        return None  # told without looking for strings
    shorter = without_comments(shorter, unit.lang)
    return within(shorter, limit, count) if len(shorter) <= most else None


def _without_manual(unit: Unit, text: str) -> str:
    """The text with a mark in place of all but the first paragraph of the docstring inside it."""
    anatomy, span = unit.anatomy, unit.span
    if anatomy is None or span is None or anatomy.doc_start <= anatomy.head:
        return text
    lines = text.split("\n")
    start, end = anatomy.doc_start - span.start, anatomy.doc_end - span.start  # the last line holds the closing quotes
    if len(lines) != len(span) or not 0 <= start < end < len(lines):
        return text
    first = next((at for at in range(start + 1, end) if not lines[at].strip()), end)
    first = min(first, start + DOC_LINES)
    if end - first < LEAST_MANUAL:
        return text
    indent = lines[end][: len(lines[end]) - len(lines[end].lstrip())]
    mark = f"{indent}… lines {first + span.start}-{end - 1 + span.start} elided"
    return "\n".join([*lines[:first], mark, *lines[end:]])


def without_comments(text: str, lang: str) -> str:
    """The code without comments that have their lines to themselves; what a program can see stays as it is."""
    pattern = _pattern(lang)
    if pattern is None:
        return text
    kept: list[str] = []
    at = 0
    for match in pattern.finditer(text):
        comment = match["comment"]
        if not comment or comment.startswith("#!") or (comment.startswith("/*") and not comment.endswith("*/")):
            continue
        start = text.rfind("\n", 0, match.start()) + 1
        end = text.find("\n", match.end())
        end = len(text) if end < 0 else end + 1
        if start >= at and not text[start : match.start()].strip() and not text[match.end() : end].strip():
            kept.append(text[at:start])
            at = end
    kept.append(text[at:])
    return _BLANKS.sub("\n\n", "".join(kept)).strip("\n")


@cache
def _pattern(lang: str) -> re.Pattern[str] | None:
    parts = _PARTS.get(lang)
    return re.compile("|".join(parts)) if parts else None
