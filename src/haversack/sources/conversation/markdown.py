"""Lines of transcripts that are Markdown, as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from haversack.sources.conversation.lines import Line
    from haversack.sources.conversation.message import Counts


def texts(lines: Iterator[Line], counts: Counts) -> Iterator[tuple[int, str]]:
    """Number and text of each line; one that is too long is counted and passed over."""
    for line in lines:
        counts.records += 1
        if line.body is None:
            counts.too_long.append(line.number)
        else:
            yield line.number, line.body.decode("utf-8", "replace").rstrip("\r")
