"""Sections that are written as one, under the heading of the first."""

from __future__ import annotations

from collections.abc import Sequence

from haversack.model import Section


def pools_of(sections: Sequence[Section]) -> list[list[Section]]:
    """The sections in groups: those of a pool are better and worse of a kind, any other stands alone.

    Apart, what is short and almost as good stands behind everything that is a little better: the first 2,000 of 16,000
    tokens then held .50 of the functions that development issues changed, in one order .53.
    """
    pools: dict[tuple[bool, str], list[Section]] = {}
    for section in sections:
        pools.setdefault((bool(section.pool), section.pool or section.name), []).append(section)
    return list(pools.values())


def homes_of(sections: Sequence[Section]) -> dict[str, Section]:
    """For each section's name the one whose heading it stands under."""
    return {section.name: pool[0] for pool in pools_of(sections) for section in pool}
