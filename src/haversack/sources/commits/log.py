"""Reads `git log` as it is printed, bounded whatever a repository holds."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path

from msgspec import Struct, field

from haversack.project.git import git, stream
from haversack.sources.commits.hiding import Hides, shown_diff

LOG_SECONDS = 120.0
# Reading differences opens every changed file twice; a repository that takes longer goes without the rest of them.
DIFF_SECONDS = 30.0
MAX_MESSAGE_BYTES = 16_384
MAX_DIFF_BYTES = 8_192
# Larger diffs are cut as they arrive, so nobody knows how many lines they change.
MAX_COUNTED_BYTES = 4_000_000
MAX_FILES = 200
# Past this many added and deleted files in a commit, only identical ones are taken as renamed: pairs are compared.
RENAME_LIMIT = 400
# A commit that moves a whole tree is followed this far; the rest keeps its old names.
MAX_FOLLOWED = 100_000
SHAPE = ("--no-show-signature", "--no-notes", "--diff-merges=off", "--encoding=UTF-8")
_STATUS = re.compile(rb"[ACDMRTUXB][0-9]*")


class Change(Struct, frozen=True):
    """One file of a commit: its path then, its path today, and the path it had before when the commit renamed it."""

    path: str
    today: str
    before: str = ""


class Commit(Struct, frozen=True):
    """What `git log` says about a commit. Of its changes the first `MAX_FILES` are kept; `total` counts them all."""

    sha: str
    author: str
    time: float | None
    message: str
    changes: tuple[Change, ...]
    total: int


class Churn(Struct, frozen=True):
    """How many lines a commit changed, when that could be counted, and the beginning of how."""

    insertions: int | None
    deletions: int | None
    diff: str
    cut: bool


class Names(Struct):
    """What files of the past are called today, learnt while walking back in time."""

    _today: dict[str, str] = field(default_factory=dict)

    def today(self, path: str) -> str:
        return self._today.get(path, path)

    def step_back(self, renames: Sequence[tuple[str, str]], appeared: Sequence[str]) -> None:
        """Go before a commit: there a renamed file has its old name, and one that appeared is not yet there."""
        moved = [(before, self.today(path)) for before, path in renames]
        for path in (*(path for _, path in renames), *appeared):
            self._today.pop(path, None)
        for before, today in moved[: MAX_FOLLOWED - len(self._today)]:
            self._today[before] = today

    def knows(self, path: str) -> bool:
        return path in self._today


def list_commits(root: Path, scope: Sequence[str], head: str, limit: int) -> list[str]:
    """The newest commits, newest first."""
    return git(root, ["rev-list", f"--max-count={limit}", "--end-of-options", head, *scope]).decode("ascii").split()


def read_commits(root: Path, scope: Sequence[str], head: str, limit: int, *, renames: bool = True) -> Generator[Commit]:
    """The newest commits, newest first, as git prints them. Ends in SourceError where the history is damaged."""
    # Without `-M` git compares names only, which works even where file contents are missing, as in partial clones.
    finding = ("-M", f"-l{RENAME_LIMIT}") if renames else ("--no-renames",)
    relative = ("--relative",) if scope else ()
    args = ["log", *SHAPE, "-z", f"--max-count={limit}", "--name-status", *finding, *relative]
    args += ["--format=%H%x00%an%x00%ct%x00%B%x00", "--end-of-options", head, *scope]
    with stream(root, args, timeout=LOG_SECONDS) as chunks:
        yield from _commits(_tokens(chunks))


def read_churn(
    root: Path, scope: Sequence[str], shas: Sequence[str], hiding: Callable[[str], Hides]
) -> Generator[tuple[str, Churn]]:
    """Churn and the beginning of the diff of each commit given, without what is hidden in it. Merges have none."""
    # No file can hold a mark that is made up for this one run, so nothing in a diff can pass for the next commit.
    mark = secrets.token_hex(16)
    relative = ("--relative",) if scope else ()
    args = ["log", "--no-walk=unsorted", *SHAPE, "-p", "-U1", "-M", f"-l{RENAME_LIMIT}", *relative]
    args += [f"--format={mark}%H", "--end-of-options", *shas, *scope]
    with stream(root, args, timeout=DIFF_SECONDS) as chunks:
        for record in records(chunks, mark.encode()):
            sha, _, rest = record.partition(b"\n")
            if b"diff --git" in rest:
                name = sha.decode("ascii", "replace")
                yield name, _churn(rest, hiding(name), whole=len(record) < MAX_COUNTED_BYTES)


def renamed_paths(root: Path, scope: Sequence[str], new: str, old: str, limit: int) -> set[str]:
    """Both names of every file renamed in commits of `new` that are not in `old`."""
    relative = ("--relative",) if scope else ()
    args = ["log", *SHAPE, "-z", f"--max-count={limit}", "--name-status", "--diff-filter=R", "-M", f"-l{RENAME_LIMIT}"]
    printed = git(root, [*args, *relative, "--format=", "--end-of-options", new, f"^{old}", *scope])
    return {path_of(token) for token in printed.split(b"\0") if token and not _STATUS.fullmatch(token.lstrip(b"\n"))}


def commits_touching(root: Path, head: str, limit: int, paths: Sequence[str]) -> set[str]:
    """Commits that changed one of the paths."""
    args = ["rev-list", f"--max-count={limit}", "--full-history", "--end-of-options", head, "--", *paths]
    return set(git(root, args).decode("ascii").split())


def path_of(raw: bytes) -> str:
    """A path as text. Bytes that are not UTF-8 are escaped: they must survive being stored."""
    return raw.decode("utf-8", "backslashreplace")


def text_of(raw: bytes) -> str:
    """A message or name as text: UTF-8, or what old mailers wrote."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def _tokens(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """What stands between NULs. A long message loses its end while it is read."""
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole
        rest = rest[: 2 * MAX_MESSAGE_BYTES]
    if rest:
        yield rest


def _commits(tokens: Iterator[bytes]) -> Iterator[Commit]:
    names = Names()
    sha = next(tokens, b"")
    while sha:
        author, moment, message, _ = (next(tokens, b"") for _ in range(4))
        changes: list[Change] = []
        renames: list[tuple[str, str]] = []
        appeared: list[str] = []
        total = 0
        following = b""
        for token in tokens:
            status = token.lstrip(b"\n")
            if not _STATUS.fullmatch(status):
                following = status
                break
            total += 1
            before = path_of(next(tokens, b"")) if status[:1] in b"RC" else ""
            path = path_of(next(tokens, b""))
            if total <= MAX_FILES:
                changes.append(Change(path, names.today(path), before if status[:1] == b"R" else ""))
            if status[:1] == b"R":
                renames.append((before, path))
            elif status[:1] in b"AC" and names.knows(path):
                appeared.append(path)
        names.step_back(renames, appeared)
        yield Commit(
            sha.decode("ascii", "replace"),
            text_of(author),
            _seconds(moment),
            text_of(message[:MAX_MESSAGE_BYTES]),
            tuple(changes),
            total,
        )
        sha = following


def _seconds(moment: bytes) -> float | None:
    try:
        return float(int(moment))
    except ValueError:
        return None


def records(chunks: Iterator[bytes], mark: bytes) -> Iterator[bytes]:
    """The beginning of what follows each mark; the rest goes by unread."""
    record: bytes | None = None
    held = b""  # what may be the first half of a mark
    for chunk in chunks:
        first, *later = (held + chunk).split(mark)
        for begun in later:
            if record is not None:
                yield (record + first)[:MAX_COUNTED_BYTES]
            record, first = b"", begun
        held = first[-len(mark) :]
        if record is not None:
            record = (record + first[: -len(mark)])[:MAX_COUNTED_BYTES]
    if record is not None:
        yield (record + held)[:MAX_COUNTED_BYTES]


_INDEX_LINE = re.compile(r"^(?:index [0-9a-f]+\.\.[0-9a-f]+.*|similarity index .*)\n", re.MULTILINE)
_FILE_HEADER = re.compile(rb"\n--- [^\n]*\n\+\+\+ [^\n]*\n@@")


def _churn(record: bytes, hides: Hides, *, whole: bool) -> Churn:
    # Before it is cut and counted: what is hidden neither takes room nor shows in a number.
    shown = shown_diff(record[record.find(b"diff --git") :].decode("utf-8", "surrogateescape"), hides)
    patch = shown.encode("utf-8", "surrogateescape").rstrip(b"\n")
    # Counting here takes a hundredth of what git takes to count: it would compare every file a second time.
    headers = len(_FILE_HEADER.findall(patch))
    added, removed = patch.count(b"\n+") - headers, patch.count(b"\n-") - headers
    cut = len(patch) > MAX_DIFF_BYTES
    if cut:
        patch = patch[:MAX_DIFF_BYTES].rpartition(b"\n")[0]
    return Churn(
        added if whole else None,
        removed if whole else None,
        _INDEX_LINE.sub("", patch.decode("utf-8", "replace")).strip("\n"),
        cut,
    )
