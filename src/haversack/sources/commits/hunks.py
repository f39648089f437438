"""Which lines each commit changed, as git prints them. A commit never changes, so what was read once stays true."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct

from haversack.errors import SourceError
from haversack.patterns import lazily
from haversack.project.git import git, stream
from haversack.sources.commits.hiding import unquoted
from haversack.sources.commits.log import DIFF_SECONDS, MAX_FILES, RENAME_LIMIT, SHAPE, path_of, records
from haversack.sources.commits.memo import MAX_LINES

MAX_FAILURES = 40  # of git, two for each commit with missing objects; a clone that lacks more lacks nearly all
MAX_HUNKS = 300  # of one file; a file that was written anew tells nothing about its parts
# No line of a file can be taken for one of these: with `-U0` each begins with a plus, a minus or a backslash.
_TOLD: Final = lazily(
    rb"^(?:diff --git (?P<both>.*)|rename from (?P<before>.*)|rename to (?P<path>.*)|(?P<new>new file mode)"
    rb"|(?P<gone>deleted file mode)"
    rb"|@@ -(?P<old>\d+)(?:,(?P<removed>\d+))? \+(?P<start>\d+)(?:,(?P<added>\d+))? @@)",
    re.MULTILINE,
)

Hunk: TypeAlias = tuple[int, int, int, int]
"""Where lines stood before and how many, where they stand now and how many. None are named by the line before them."""


class FileHunks(Struct, frozen=True, array_like=True):
    """What a commit did to one file: its name then, its name before (none when it was new), where it differs."""

    path: str
    before: str
    hunks: tuple[Hunk, ...]


def newest_commits(root: Path, scope: Sequence[str], head: str, limit: int) -> list[str]:
    """The newest commits that are no merges, newest first."""
    args = ["rev-list", "--no-merges", f"--max-count={limit}", "--end-of-options", head, *scope]
    return git(root, args).decode("ascii").split()


def committed_files(root: Path, scope: Sequence[str], head: str) -> list[str]:
    """Every file of a commit, as the root names it."""
    # `ls-tree` tells paths from where it is run, and only what is below that, whatever the root's place.
    listed = git(root, ["ls-tree", "-r", "-z", "--name-only", head, *(() if scope else ("--full-tree",))])
    return [path_of(raw) for raw in listed.split(b"\0") if raw]


def read_hunks(root: Path, scope: Sequence[str], shas: Sequence[str]) -> Generator[tuple[str, tuple[FileHunks, ...]]]:
    """For each commit given the files it changed; none for one of very many.

    Commits that git cannot read, because objects are missing, are passed over; SourceError at the end tells of them.
    """
    deadline = time.monotonic() + DIFF_SECONDS
    failures: list[SourceError] = []
    waiting = [list(shas)]
    while waiting and len(failures) < MAX_FAILURES and time.monotonic() < deadline:
        group = waiting.pop()
        read = 0
        try:
            for sha, files in _read(root, scope, group, deadline) if group else ():
                read += 1
                yield sha, files
        except SourceError as error:
            failures.append(error)
            # It ended in this commit or in the one after it: alone, it tells in which.
            waiting += [group[read + 1 :], group[read : read + 1]] if len(group) > 1 else []
    if failures:
        raise failures[0]


def _read(
    root: Path, scope: Sequence[str], shas: Sequence[str], deadline: float
) -> Generator[tuple[str, tuple[FileHunks, ...]]]:
    mark = secrets.token_hex(16)
    relative = ("--relative",) if scope else ()
    args = ["log", "--no-walk=unsorted", *SHAPE, "-p", "-U0", "-M", f"-l{RENAME_LIMIT}", *relative]
    args += [f"--format={mark}%H", "--end-of-options", *shas, *scope]
    with stream(root, args, timeout=max(deadline - time.monotonic(), 1.0)) as chunks:
        for record in records(chunks, mark.encode()):
            sha, _, rest = record.partition(b"\n")
            yield sha.decode("ascii", "replace"), _files(rest)


def _files(diff: bytes) -> tuple[FileHunks, ...]:
    found: list[FileHunks] = []
    path = before = ""
    hunks: list[Hunk] = []

    def take() -> None:
        end = max((max(old + removed, start + added) for old, removed, start, added in hunks), default=0)
        if path and len(hunks) <= MAX_HUNKS and end <= MAX_LINES:
            found.append(FileHunks(path, before, tuple(hunks)))

    for each in _TOLD.finditer(diff):
        kind = each.lastgroup
        if each["both"] is not None:
            take()
            path = before = _same(each["both"])
            hunks = []
        elif kind == "before":
            before = _name(each["before"])
        elif kind == "path":
            path = _name(each["path"])
        elif kind == "new":
            before = ""
        elif kind == "gone":
            path = ""  # nothing of it is there today
        else:
            removed, added = (1 if each[name] is None else int(each[name]) for name in ("removed", "added"))
            hunks.append((int(each["old"]), removed, int(each["start"]), added))
    take()
    return tuple(found) if len(found) <= MAX_FILES else ()


def _same(both: bytes) -> str:
    """The one name in `a/name b/name`; lines that follow tell the two names of a renamed file."""
    if both.startswith(b'"'):
        return _name(both[: (len(both) - 1) // 2]).removeprefix("a/")
    return path_of(both[2 : (len(both) - 1) // 2])


def _name(raw: bytes) -> str:
    if raw.startswith(b'"'):
        return unquoted(raw[1:-1].decode("utf-8", "surrogateescape"))
    return path_of(raw)
