"""Secrets in a diff: each file's changed lines are masked as the file itself would be."""

from __future__ import annotations

import re
from typing import Final

from haversack.patterns import lazily
from haversack.units.deployed import MANIFEST_ENDINGS, deployed_kind, may_be_deployed
from haversack.units.secret_files import mask_file

_FILE: Final = lazily(r"^diff --git ", re.MULTILINE)
_NAME: Final = lazily(r'^(?:\+\+\+|---) "?[ab]/(?P<path>[^\n"\t]+)|^diff --git "?a/(?P<first>\S+)', re.MULTILINE)
# A hunk of a manifest may not show that it is one: text in base64 is then taken for what a Secret holds.
_ENCODED: Final = lazily(
    r"""(?P<head>:[ \t]*["']?)(?=\S*[A-Z])(?=\S*[a-z])
        (?: (?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=) | (?=\S*[0-9])(?:[A-Za-z0-9+/]{4}){4,} )
        (?=["']?[ \t]*(?:,|$))""",
    re.MULTILINE | re.VERBOSE,
)


def mask_diff(diff: str) -> str:
    """The diff with the values masked that are secret by the file they stand in; every line stays on its line."""
    starts = [found.start() for found in _FILE.finditer(diff)]
    if not starts:
        return diff
    parts = [diff[: starts[0]]]
    for start, end in zip(starts, [*starts[1:], len(diff)], strict=True):
        parts.append(_mask_section(diff[start:end]))
    return "".join(parts)


def _mask_section(section: str) -> str:
    named = _NAME.search(section)
    path = (named["path"] or named["first"]) if named else ""
    if not may_be_deployed(path):
        return section
    head, mark, body = section.partition("\n@@")
    if not mark:
        return section
    lines = (mark[1:] + body).split("\n")
    inside = [line[:1] in {"+", "-", " "} for line in lines]
    text = "\n".join(line[1:] if within else "" for line, within in zip(lines, inside, strict=True))
    masked = mask_file(path, text)
    if path.endswith(MANIFEST_ENDINGS) and not deployed_kind(path, text):
        masked = _ENCODED.sub(r"\g<head>[redacted:secret-data]", masked)
    if masked == text:
        return section
    told = [
        line[:1] + new if within else line for line, new, within in zip(lines, masked.split("\n"), inside, strict=True)
    ]
    return head + "\n" + "\n".join(told)
