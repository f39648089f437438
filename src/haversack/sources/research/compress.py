"""Research shortened: without examples, or only what was found. What lies between is the levels for prose."""

from __future__ import annotations

import re
from typing import Final

from haversack.model import Unit
from haversack.patterns import lazily
from haversack.sources.docs.compress import without_formatting
from haversack.sources.within import Count, within

FINDINGS: Final = "findings"
"""The key under which a unit's metadata says what was found: what heavy compression keeps."""

_FENCE: Final = lazily(r"[ \t]{0,12}(`{3,}|~{3,})")
_HEADING: Final = lazily(r" {0,3}(#{1,6})[ \t]+(.*)$")
_EXAMPLE: Final = lazily(
    r"\W*(?:\d[\d.]{0,10}\W*)?(?:(?:code|usage|worked|more|sample)[ ])?(?:examples?|samples?|snippets?|demo|usage)\b",
    re.I,
)


def light(unit: Unit, text: str, limit: int, count: Count | None = None) -> str:
    """Without examples: no code blocks, no sections of examples, no formatting; from the end on if need be."""
    return within(without_examples(text) if unit.lang != "json" else text, limit, count)


def heavy(unit: Unit, text: str, limit: int, count: Count | None = None) -> str | None:  # noqa: ARG001 - the protocol's form
    """The findings that fit, each on its line; None where there are none."""
    said = unit.meta.get(FINDINGS)
    return within("\n".join(f"- {each}" for each in said), limit, count) if isinstance(said, tuple) and said else None


def without_examples(text: str) -> str:
    """The text without code blocks and without what stands under a heading that announces examples."""
    kept: list[str] = []
    fence, under = "", 0
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark[1]
            continue
        heading = None if fence else _HEADING.match(line)
        if heading and (not under or len(heading[1]) <= under):
            under = len(heading[1]) if _EXAMPLE.match(heading[2]) else 0
        if not fence and not under:
            kept.append(line)
    return without_formatting("\n".join(kept)) or without_formatting(text)
