"""Comments, docstrings and signatures as text a reader wants: without markers, indentation and line breaks."""

from __future__ import annotations

import re
from textwrap import dedent

LONGEST_SIGNATURE = 400  # characters; a reader recognises a declaration long before

_OPENING = re.compile(
    r"^\s*(?:@(?:module|type)?doc\s*(?:~[sS])?(?:\"{1,3})?|/\*[*!]?|\"\"\"|'''|--\[=*\[|<!--|\{-\|?|\(\*+|/{2,}[!<]?|#+[!']?|-{2,}(?:\s*\|)?|;+|%+|\*(?!/))"
)
_CLOSINGS = ("*/", "-->", "-}", "*)", '"""', "]]")
_RULER = re.compile(r"^[\s=*#~_+-]*$")
_TAGS = re.compile(
    r"</?(?:summary|remarks|para|code|param|returns|c|see|b|p|i|pre|exception|inheritdoc)\b[^<>\n]{0,200}>"
)
_QUOTES = re.compile(r"^[a-zA-Z]{0,2}(\"\"\"|'''|\"|')")
LICENCE = re.compile(
    r"copyright|licen[cs]e|SPDX-|all rights reserved|eslint-|prettier-|@flow|-\*-|^#!|frozen_string_literal|vim:", re.I
)


def comment_text(lines: list[str]) -> str:
    """What comment lines say."""
    said = [_closed(_OPENING.sub("", line, count=1).rstrip()) for line in lines]
    said = ["" if _RULER.match(line) else line for line in said]
    return _TAGS.sub("", dedent("\n".join(said))).strip()


def _closed(line: str) -> str:
    """The line without what ends its comment."""
    for closing in _CLOSINGS:
        if line.endswith(closing):
            return line.removesuffix(closing).rstrip("* ")
    return line


def docstring_text(literal: str) -> str:
    """What a string literal says, its indentation taken away."""
    match = _QUOTES.match(literal)
    if match is None:
        return ""
    body = literal[match.end() :]
    body = body.removesuffix(match[1])
    first, newline, rest = body.partition("\n")
    return (first.strip() + newline + dedent(rest)).strip()


def one_line(text: str) -> str:
    """A declaration on one line, without what opens its body."""
    # Cut first: a literal of a megabyte is not worth splitting.
    whole = " ".join(text[: LONGEST_SIGNATURE * 4].split())
    if len(whole) > LONGEST_SIGNATURE:
        return whole[:LONGEST_SIGNATURE].rstrip() + " …"
    return whole.rstrip("{:=;\\ ")
