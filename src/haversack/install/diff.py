"""A change as people read it: a few lines around it, no secret of theirs, no line without end."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff

from haversack.install.run import FileChange

AROUND = 2
"""Lines shown before and after a change: enough to see where it goes."""

LONGEST = 160
"""Some programs write their settings on one line; of such a line the beginning is shown."""


def diff(change: FileChange) -> Iterator[str]:
    """The lines of a unified diff; nothing when the file stays as it is."""
    from haversack.units.redact import redact

    if change.before == change.after:
        return
    was, is_now = ("/dev/null" if text is None else str(change.path) for text in (change.before, change.after))
    old, new = ((text or "").splitlines() for text in (change.before, change.after))
    lines = "\n".join(unified_diff(old, new, was, is_now, lineterm="", n=AROUND))
    for line in redact(lines).text.split("\n"):
        yield line if len(line) <= LONGEST else line[:LONGEST] + "…"
    if old == new:
        yield "(only the ends of lines differ)"
