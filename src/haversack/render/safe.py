"""Quoting that its content cannot break out of: code spans, fences, XML text, and titles made visible."""

from __future__ import annotations

import re
from functools import lru_cache

from haversack import safe
from haversack.patterns import lazily

ELLIPSIS = "…"

_TICKS = lazily("`+")
# Underscores mean emphasis, dots can make a link (www.…), and a lone hash ends a heading: labels do without.
_NOT_PLAIN = lazily(r"[^\w ,&()-]+|_+")
_NOT_WORD = lazily(r"(?:[^\w+-]|_)+")
# Text that looks like the packet's own frame is escaped even where CDATA would do: a model is not an XML parser.
_FRAME_LIKE = lazily(
    r"</?(?:packet|section|item|left-out|over-budget|not-read|task)\b|\]\]>|<!\[CDATA\[", re.IGNORECASE
)
_XML_ILLEGAL = lazily("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def visible(text: str) -> str:
    """The text on one line, with everything invisible written out as an escape such as `\\u202e`."""
    return text if text.isprintable() else safe.one_line(text).replace("\t", "\\t")


def one_line(text: str, limit: int) -> str:
    """The text with runs of white space made one space, visible, at most `limit` characters."""
    enough = text.lstrip()[: limit * 4 + 80]  # to fill the limit; a title of 50 MB is not read to its end
    line = visible(" ".join(enough.split()))
    return line if len(line) <= limit else line[: max(0, limit - 1)] + ELLIPSIS


def encodable(text: str) -> str:
    """The text as it can be written in UTF-8: unpaired surrogates become U+FFFD, all else stays."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@lru_cache(maxsize=256)
def word(text: str) -> str:
    """A label of ours or of a source: letters, digits, plus and dash only; never empty."""
    return _NOT_WORD.sub("-", text)[:40].strip("-") or "unknown"


@lru_cache(maxsize=256)
def plain(text: str) -> str:
    """Words that no markup can hide in, for the titles of sections."""
    return " ".join(_NOT_PLAIN.sub(" ", text).split())[:80].rstrip()


def code_span(text: str) -> str:
    """Markdown inline code holding the text, whatever backticks are in it."""
    shown = visible(text)
    if "`" not in shown:
        return f"`{shown}`"
    ticks = "`" * (_longest(shown) + 1)
    return f"{ticks} {shown} {ticks}"


def fence_for(text: str) -> str:
    """Backticks that no line of the text can close.

    Only as many backticks or more close a fence of backticks; rows of tildes, common in reStructuredText, cannot, so
    they do not lengthen it.
    """
    return "`" * (_longest(text) + 1) if "```" in text else "```"


def xml_attribute(text: str) -> str:
    """The text between double quotes in XML."""
    shown = _XML_ILLEGAL.sub("\ufffd", visible(text))
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def xml_text(text: str) -> str:
    """The text as XML character data: bare, CDATA, or escaped when CDATA could be closed or look like the frame."""
    legal = _XML_ILLEGAL.sub("\ufffd", text)
    if _FRAME_LIKE.search(legal):
        return legal.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<![CDATA[{legal}]]>" if "<" in legal or "&" in legal else legal


def _longest(text: str) -> int:
    return max(map(len, _TICKS.findall(text)))
