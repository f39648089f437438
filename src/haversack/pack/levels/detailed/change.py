"""A commit in detail: the message, the files, then what the diff adds and removes without its surroundings."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from haversack.model import MetaValue
from haversack.pack.levels.sheet import CONTEXT, DETAIL, ELIDED, INNER, MEMBER, TOP

BODY_LINES: Final = 12  # of a message before the rest counts as detail
CHANGED_LINES: Final = 12  # per hunk that stay without speaking of the task
FILE_LINES: Final = 40

_DIFF: Final = re.compile(r"diff --git |--- (?:a/|/dev/null)|@@ ")
_FILE: Final = re.compile(
    r"(?:[AMDRCTU]\d{0,3}\t\S"  # name-status
    r"|\d+\t\d+\t\S|-\t-\t\S"  # numstat
    r"|files?:"
    r"| \S.*\|\s+(?:\d+|Bin)\b"  # diffstat
    r"| \d+ files? changed|and \d+ more files?$)",
    re.IGNORECASE,
)


def change_ranks(lines: Sequence[str], meta: Mapping[str, MetaValue], hits: Mapping[int, float]) -> list[int]:
    """A rank for each line of a commit's text."""
    known = known_files(meta)
    ranks = [ELIDED] * len(lines)
    diff = next((at for at, line in enumerate(lines) if is_diff_line(line)), len(lines))
    files = 0
    for at in range(diff):
        if is_file_line(lines[at], known):
            files += 1
            ranks[at] = INNER if files <= FILE_LINES or at in hits else CONTEXT
        elif lines[at]:
            ranks[at] = TOP if at == 0 else MEMBER if at < BODY_LINES else DETAIL
    changed = 0
    for at in range(diff, len(lines)):
        line = lines[at]
        if line.startswith(("diff --git ", "@@ ", "rename ", "new file", "deleted file")):
            changed = 0
            ranks[at] = DETAIL
        elif line.startswith(("+", "-")) and not line.startswith(("+++ ", "--- ")):
            changed += 1
            ranks[at] = DETAIL if at in hits else CONTEXT if changed <= CHANGED_LINES else ELIDED
    return ranks


def known_files(meta: Mapping[str, MetaValue]) -> frozenset[str]:
    """The files a commit says it changed, under all names they had."""
    values = (meta.get("files"), meta.get("files_then"))
    return frozenset(name for value in values if isinstance(value, tuple) for name in value)


def is_file_line(line: str, known: Collection[str]) -> bool:
    """Whether the line of a commit's text names a changed file."""
    return line.rpartition(" -> ")[2] in known or bool(_FILE.match(line))


def is_diff_line(line: str) -> bool:
    """Whether a diff begins on this line."""
    return bool(_DIFF.match(line))
