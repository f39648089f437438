"""Which definitions a piece of code holds."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from haversack.sources.code.outline import Outline


def nodes_within(outline: Outline, first: int, last: int) -> list[int]:
    """The definitions declared on these lines, in order, by their place in the outline."""
    nodes = outline.nodes
    low = bisect_left(nodes, first, key=lambda node: node.start)
    while low > 0 and nodes[low - 1].head >= first:  # begins above with its comment, is declared here
        low -= 1
    found: list[int] = []
    for index in range(low, len(nodes)):
        node = nodes[index]
        if node.start > last:
            break
        if first <= node.head <= last:
            found.append(index)
    return found


def depths(outline: Outline, within: Sequence[int]) -> list[int]:
    """How deep each of these definitions lies inside the others of them."""
    known: dict[int, int] = {}
    for index in within:
        known[index] = known.get(outline.nodes[index].parent, -1) + 1
    return list(known.values())
