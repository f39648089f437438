"""Where logs lie: usual places in a project, and the files and patterns somebody named."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from haversack.project import Project

MOST_FILES: Final = 200  # the newest; a folder of more is an archive
DEEPEST: Final = 5  # folders below the one a pattern begins in

# From a root on. A folder that is not there costs one question to the system.
_LOG_NAMES: Final = ("*.log", "*.log.*", "*.jsonl", "*.ndjson", "*.out", "*.err")
USUAL: Final = (
    "*.log",
    "*.log.[0-9]*",
    "*.log.gz",
    "*.log.zst",
    "junit*.xml",
    "TEST-*.xml",
    *(f"{folder}/**/{name}" for folder in ("logs", "log") for name in _LOG_NAMES),
    *(f"{folder}/**/*.xml" for folder in ("test-results", "test-reports", "build/test-results", "junit")),
    "reports/junit*.xml",
    "target/surefire-reports/TEST-*.xml",
    "target/failsafe-reports/TEST-*.xml",
)
_Listed: TypeAlias = dict[str, Sequence[os.DirEntry[str]]]
_ROTATED: Final = re.compile(r"(?:\.(?:gz|zst|\d{1,8}|old|bak)|[-.]\d{4}-?\d\d-?\d\d(?:[-_T]?\d{2,6})?)+(?=$|\.log$)")


class Found(Struct, frozen=True):
    """A log file as it was seen."""

    key: str
    path: Path
    inside: bool
    size: int
    mtime_ns: int
    inode: int

    @property
    def stream(self) -> str:
        """The same for a log and what it was rotated into."""
        folder, _, name = self.key.rpartition("/")
        return f"{folder}/{_ROTATED.sub('', name)}"


def left_to_logs(files: object) -> list[str]:
    """Patterns of what is read here, for the walk that finds other files: one file is read by one source."""
    named = [str(each) for each in files if each != "-"] if isinstance(files, list | tuple) else []
    return [f"/{each.removeprefix('./')}" for each in (*USUAL, *named) if not each.startswith(("..", "/", "~"))]


def find_logs(project: Project, files: Sequence[str], window_hours: int) -> list[Found]:
    """The logs that are there, by key; of a rotated log only what was written within the window."""
    found: dict[str, Found] = {}
    listed: _Listed = {}
    for root, prefix in zip(project.roots, project.prefixes, strict=True):
        for pattern in (*USUAL, *files):
            wanted = str(Path(pattern).expanduser()) if pattern.startswith("~") else pattern
            base = "/" if wanted.startswith("/") else str(root)
            for path in _expand(base, wanted, listed):
                each = _seen(path, root, prefix)
                if each is not None:
                    found.setdefault(each.key, each)
    newest: dict[str, int] = {}
    for each in found.values():
        newest[each.stream] = max(newest.get(each.stream, 0), each.mtime_ns)
    window = window_hours * 3_600_000_000_000
    kept = [each for each in found.values() if each.mtime_ns >= newest[each.stream] - window]
    kept.sort(key=lambda each: (-each.mtime_ns, each.key))
    return sorted(kept[:MOST_FILES], key=lambda each: each.key)


def missing(project: Project, files: Iterable[str], found: Iterable[Found]) -> list[str]:
    """Files somebody named, without patterns, that are not there."""
    have = {str(each.path) for each in found}
    names = [name for name in files if name != "-" and not _is_pattern(name)]
    return [name for name in names if os.path.normpath(_absolute(project, name)) not in have]


def _absolute(project: Project, name: str) -> str:
    return str(project.roots[0] / Path(name).expanduser())


def _is_pattern(text: str) -> bool:
    return any(mark in text for mark in "*?[")


def _expand(base: str, pattern: str, listed: _Listed) -> Iterator[str]:
    """Paths that match: `*` within one name, `**` any folders between, links to folders not followed."""
    parts = [part for part in pattern.split("/") if part not in ("", ".")]
    fixed = 0
    while fixed < len(parts) and not _is_pattern(parts[fixed]):
        fixed += 1
    folder = os.path.normpath(os.path.join(base, *parts[:fixed]))
    if fixed == len(parts):
        yield folder
    else:
        yield from _below(folder, parts[fixed:], 0, listed)


def _below(folder: str, parts: Sequence[str], depth: int, listed: _Listed) -> Iterator[str]:
    if depth > DEEPEST:
        return
    entries = _entries(folder, listed)
    if parts[0] == "**":
        yield from _matching(entries, parts[1:], depth, listed)
        for entry in entries:
            if entry.is_dir(follow_symlinks=False) and entry.name != ".git":
                yield from _below(entry.path, parts, depth + 1, listed)
    else:
        yield from _matching(entries, parts, depth, listed)


def _matching(entries: Iterable[os.DirEntry[str]], parts: Sequence[str], depth: int, listed: _Listed) -> Iterator[str]:
    if not parts:
        return
    for entry in entries:
        if fnmatchcase(entry.name, parts[0]):
            if len(parts) == 1:
                yield entry.path
            elif entry.is_dir(follow_symlinks=False):
                yield from _below(entry.path, parts[1:], depth + 1, listed)


def _entries(folder: str, listed: _Listed) -> Sequence[os.DirEntry[str]]:
    """What is in a folder, asked of the system once for all patterns; nothing when it cannot be listed."""
    if folder not in listed:
        try:
            with os.scandir(folder) as entries:
                listed[folder] = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            listed[folder] = ()
    return listed[folder]


def _seen(path: str, root: Path, prefix: str) -> Found | None:
    try:
        found = Path(path).stat()
        path.encode()
    except (OSError, UnicodeEncodeError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    start = os.path.join(str(root), "")
    inside = path.startswith(start)
    key = prefix + path[len(start) :].replace(os.sep, "/") if inside else path
    return Found(key, Path(path), inside, found.st_size, found.st_mtime_ns, found.st_ino)
