"""Documents shortened lightly: what only decorates goes, every word stays. Stronger steps are the levels for prose."""

from __future__ import annotations

from typing import Final

from haversack.model import Unit
from haversack.patterns import lazily
from haversack.sources.within import Count, within

_FENCE: Final = lazily(r"[ \t]{0,12}(`{3,}|~{3,})")
_IMAGE: Final = lazily(r"!\[[^\]\n]{0,200}\]\([^()\n]{0,400}\)")
_BADGE: Final = lazily(r"\[[ \t]*\]\([^()\n]{0,400}\)")  # a link around an image that is gone
_WEB_LINK: Final = lazily(r"\[([^\[\]\n]{1,300})\]\(<?(?:https?:)?//[^()\s]{1,400}(?:[ \t]+\"[^\"\n]{0,200}\")?>?\)")
_TAG: Final = lazily(r"</?[A-Za-z][A-Za-z0-9-]{0,20}(?:[ \t\n][^<>]{0,300})?/?>")
_EMPHASIS: Final = lazily(r"\*\*(?=\S)([^*\n]{1,300}?)(?<=\S)\*\*")  # two underscores may be part of a name
_RULE: Final = lazily(r"[ \t]{0,3}(?:[-*_][ \t]*){3,}$")
_TABLE_RULE: Final = lazily(r"[ \t]*\|?(?:[ \t]*:?-{2,}:?[ \t]*\|)+[ \t]*:?-{0,200}:?[ \t]*\|?[ \t]*$")
_PADDING: Final = lazily(r"(?<=\S)[ \t]{2,}(?=\S)")


def light(unit: Unit, text: str, limit: int, count: Count | None = None) -> str:
    """Without comments, images, tags, emphasis, rules and addresses of the web; from the end on if that is too much."""
    plain = without_formatting(text) if unit.lang in ("", "markdown", "mdx", "text") else text
    return within(plain, limit, count)


def without_formatting(text: str) -> str:
    """Markdown with the same words and headings and as little as possible around them; code stays as it is."""
    kept: list[str] = []
    fence = ""
    for line in _without_html_comments(text).split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or (line.strip().startswith(fence) and not line.strip().strip(fence[0]))):
            fence = "" if fence else mark[1]
            kept.append(line)
            continue
        below_text = bool(kept and kept[-1].strip())  # dashes under a line make it a heading
        shown = line if fence or line.startswith(("    ", "\t")) else _plain(line, below_text)
        if shown.strip() or fence or (below_text and not line.strip()):
            kept.append(shown)
    return "\n".join(kept).strip("\n")


def _without_html_comments(text: str) -> str:
    """The text without closed comments; one that is never closed is text."""
    kept: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[at:start])
        at = end + 3
    return "".join([*kept, text[at:]])


def _plain(line: str, below_text: bool) -> str:
    if (_RULE.match(line) and not below_text) or _TABLE_RULE.match(line):
        return ""
    line = _BADGE.sub("", _IMAGE.sub("", line))
    line = _EMPHASIS.sub(r"\1", _TAG.sub("", _WEB_LINK.sub(r"\1", line)))
    return _PADDING.sub(" ", line).rstrip()
