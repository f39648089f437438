"""Sections of a pool are written as one, under the heading of the first."""

from __future__ import annotations

from collections.abc import Sequence

from haversack.model import Section


def homes_of(sections: Sequence[Section]) -> dict[str, Section]:
    """For each section's name the one whose heading it stands under: the first of its pool, or itself.

    Sections of a pool are better and worse of a kind. Apart, what is short and almost as good stands behind everything
    that is a little better: the first 2,000 of 16,000 tokens then held .50 of the functions that development issues
    changed, in one order .53.
    """
    first: dict[str, Section] = {}
    return {each.name: first.setdefault(each.pool, each) if each.pool else each for each in sections}
