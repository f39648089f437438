"""Masks: where values are hidden, and the label that stands there instead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Mask: TypeAlias = tuple[int, int, str]
"""From where to where, and what is written there."""


def masked(text: str, masks: Iterable[Mask]) -> str:
    """The text with each span replaced, line ends inside a span kept; of two that overlap the first counts."""
    parts: list[str] = []
    at = 0
    for start, end, label in sorted(set(masks)):
        if start < at or end <= start:
            continue
        parts += [text[at:start], label, "\n" * text.count("\n", start, end)]
        at = end
    return "".join([*parts, text[at:]]) if parts else text
