"""Where the lines that past commits changed stand today: for each file, walked back in time, its lines are followed.

Commits are taken as one after the other, newest first. Where branches were worked on side by side this may be a few
lines off, and so it is below an edit that is not committed: it is asked which function was changed, not which line.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import TypeAlias

import msgspec

from haversack.sources.commits.history import History
from haversack.sources.commits.hunks import FileHunks, Hunk
from haversack.sources.commits.log import Names
from haversack.sources.commits.memo import Touched, checksum, decode

MAX_SPAN = 400  # lines of one difference that are followed; one that is longer is a whole file

Known: TypeAlias = dict[str, tuple[FileHunks, ...] | None]
"""What each commit changed; None where git could not tell."""
Touch: TypeAlias = tuple[int, int, int]
"""The number of a commit, and the first and last line it changed."""


def known_before(memo: bytes, rules: str) -> Known:
    """What is known of commits from the last time, if the same rules held."""
    before = decode(memo)
    if before.rules != rules or not before.hunks:
        return {}
    hunks = msgspec.msgpack.decode(before.hunks, type=dict[str, tuple[FileHunks, ...]])
    return {**hunks, **dict.fromkeys(before.unreadable)}


def memo_of(
    history: History,
    shas: Sequence[str],
    known: Known,
    committed: Iterable[str],
    rules: str,
    hidden: Callable[[str], bool],
) -> bytes:
    """The memo of a history with these commits, the newest of which has these files; hidden ones are not in it."""
    found, shown = followed(((sha, known.get(sha) or ()) for sha in shas), cache(hidden))
    files = sorted(found)
    ranges = array("i", (number for path in files for each in found[path] for number in each))
    return msgspec.msgpack.encode(
        Touched(
            tuple(map(history.key, shas)),
            tuple(len(shown[sha]) for sha in shas),
            tuple(history.prefix + path for path in files),
            tuple(len(found[path]) for path in files),
            ranges.tobytes(),
            array("I", sorted(checksum(history.prefix + path) for path in committed)).tobytes(),
            msgspec.msgpack.encode({sha: shown[sha] for sha in shas if known.get(sha) is not None}),
            tuple(sha for sha in shas if sha in known and known[sha] is None),
            rules,
        )
    )


def followed(
    commits: Iterable[tuple[str, Sequence[FileHunks]]], hidden: Callable[[str], bool]
) -> tuple[dict[str, list[Touch]], dict[str, tuple[FileHunks, ...]]]:
    """What each commit changed in each of today's files, in today's lines; and the commits without hidden files."""
    names, lines = Names(), dict[str, Lines]()
    found: dict[str, list[Touch]] = {}
    shown: dict[str, tuple[FileHunks, ...]] = {}
    for number, (sha, files) in enumerate(commits):
        kept = []
        for file in files:
            today = names.today(file.path)
            if any(map(hidden, {file.path, file.before or file.path, today})):
                continue
            kept.append(file)
            there = lines.setdefault(today, Lines())
            spans = [(number, *span) for _, _, start, added in file.hunks for span in there.spans(start, added)]
            there.replaced((start, added, old, removed) for old, removed, start, added in file.hunks)
            if spans:
                found.setdefault(today, []).extend(spans)
        shown[sha] = tuple(kept)
        names.step_back(
            [(file.before, file.path) for file in files if file.before and file.before != file.path],
            [file.path for file in files if not file.before and names.knows(file.path)],
        )
    return found, shown


class Lines:
    """For each line of a file as it was, or will be, where it stands in the version that counts."""

    def __init__(self) -> None:
        self._known = array("i")  # of the first lines; those after them are only shifted
        self._shift = 0

    def spans(self, start: int, count: int) -> list[tuple[int, int]]:
        """Where these lines stand, as runs; where there are none, the lines around the place."""
        last = start + min(count, MAX_SPAN) - 1 if count else start + 1
        there = sorted({self._at(line) for line in range(max(start, 1), last + 1)})
        breaks = [n for n, (one, following) in enumerate(pairwise(there), 1) if following > one + 1]
        begins, ends = [0, *breaks], [*breaks, len(there)]
        return [(there[begin], there[end - 1]) for begin, end in zip(begins, ends, strict=True)] if there else []

    def replaced(self, hunks: Iterable[Hunk]) -> None:
        """Go to another version: these lines became those. What was not there stands where the others did."""
        for start, count, _, others in sorted(hunks, reverse=True):
            first = start - 1 if count else start
            self._learn(first + count)
            place = self._known[first] if count else self._known[first - 1] if first else 1
            self._known[first : first + count] = array("i", (place,)) * others
            self._shift += count - others

    def _at(self, line: int) -> int:
        return self._known[line - 1] if line <= len(self._known) else line + self._shift

    def _learn(self, line: int) -> None:
        known = self._known
        if len(known) < line:
            known.extend(range(len(known) + 1 + self._shift, line + 1 + self._shift))
