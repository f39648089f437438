"""Levels of detail: the same unit in full, in detail, as a summary and as a stub, each with its price in tokens."""

from __future__ import annotations

from haversack.pack.levels.fit import excerpt
from haversack.pack.levels.ladder import ladder, summarize_file
from haversack.pack.levels.leveled import Count, Leveled, Limits, StubInfo, levels_version
from haversack.pack.levels.safe import sanitize
from haversack.pack.levels.terms import Terms

__all__ = [
    "Count",
    "Leveled",
    "Limits",
    "StubInfo",
    "Terms",
    "excerpt",
    "ladder",
    "levels_version",
    "sanitize",
    "summarize_file",
]
