"""Citations as people write them: `src/app.py:10-20`, `commit:1a2b3c`, `log:ci/4711`, `src/app.py#Session.close`."""

from __future__ import annotations

import re

from haversack.errors import UsageError
from haversack.model import Citation, Span

_LINES = re.compile(r"(?P<path>.+?):(?P<start>\d+)(?:-(?P<end>\d+))?")
_SHA = re.compile(r"[0-9a-fA-F]{7,64}")


def citation_from(text: str) -> Citation:
    """What the words cite; without a word in front it is a file, with or without lines, or a symbol of a file."""
    kind, _, rest = text.strip().partition(":")
    if kind == "commit":
        if not _SHA.fullmatch(rest):
            raise UsageError(f"{rest!r} is no commit", hint="give at least 7 digits of its hash: commit:1a2b3c4")
        return Citation.of_commit(rest.lower())
    if kind == "log" and rest:
        return Citation.of_log(rest)
    if kind == "snapshot" and rest:
        return Citation.of_snapshot(rest)
    if not text.strip():
        raise UsageError("the source is empty", hint="give a file, file:lines, file#symbol, commit:HASH or log:PLACE")
    lines = _LINES.fullmatch(text.strip())
    if lines:
        start = int(lines["start"])
        return Citation.of_file(lines["path"], Span(start, max(start, int(lines["end"] or start))))
    file, sign, name = text.strip().partition("#")
    return Citation.of_symbol(text.strip(), name, file) if sign and name else Citation.of_file(file)
