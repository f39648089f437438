"""Files that an answer could not yet reflect, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from haversack.render.safe import code_span

NAMED = 3
"""Files that are named; of more, so many and their number tell enough."""


def not_read(pending: Sequence[str], files: int) -> str:
    """How many of how many files are not read yet, and the first of them; nothing when all are."""
    if not pending:
        return ""
    shown = ", ".join(map(code_span, pending[:NAMED]))
    more = ", …" if len(pending) > NAMED else ""
    return f"Not read yet: {len(pending):,} of {files:,} files ({shown}{more})."
