"""Levels of detail: the same unit in full, in detail, as a summary and as a stub, each with its price in tokens.

What makes them is in `ladder`, imported where one has to be made: a packet whose levels are known needs none of it.
"""

from __future__ import annotations

from haversack.pack.levels.fit import excerpt
from haversack.pack.levels.leveled import Count, Leveled, Limits, StubInfo, levels_version
from haversack.pack.levels.terms import Terms

__all__ = ["Count", "Leveled", "Limits", "StubInfo", "Terms", "excerpt", "levels_version"]
