"""What a look at a project's folders finds, and what it remembers for the next look."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct, field

from haversack.project.ignore import FILE_NAMES, Kind, Scope
from haversack.project.skips import MARKERS, VENDOR_MARKERS

EXAMPLES = 3
EXCLUDE = ".git/info/exclude"
IGNORED = "ignored"
UNDECODABLE = "undecodable-name"
UNREADABLE = "unreadable"
# The time of a folder that could not be listed: no folder has it, so the next sweep tries again.
UNLISTED = 0


class Stamp(Struct, frozen=True, array_like=True, gc=False):
    """A file's size and modification time: when neither differs, the file is taken as unchanged.

    A large project has a hundred thousand of them: the garbage collector need not look at each.
    """

    size: int
    mtime_ns: int


MISSING = Stamp(-1, -1)


class Aside(NamedTuple):
    """How many entries of one folder were set aside for one reason, and the first few."""

    number: int
    examples: tuple[str, ...]


class Found(Struct):
    """What has been seen so far, by project path.

    `dirs`: each folder's modification time. `asides`: what was set aside, by folder and reason. `special`: the names in
    a folder that decide about it as a whole. `rules`: the ignore files found. `tracked`: per repository, the ignored
    files it tracks; `failed`: why it could not be asked. `large`: files over the size limit, which may shrink.
    `unruled`: roots without git whose `.gitignore` would leave out everything, and is passed over.
    """

    files: dict[str, Stamp] = field(default_factory=dict)
    dirs: dict[str, int] = field(default_factory=dict)
    asides: dict[str, dict[str, Aside]] = field(default_factory=dict)
    special: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rules: dict[str, Stamp] = field(default_factory=dict)
    tracked: dict[str, tuple[str, ...]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    large: dict[str, int] = field(default_factory=dict)
    unruled: tuple[str, ...] = ()


class Place(Struct, frozen=True):
    """A folder to list and what holds in it.

    `buried`: an ignored folder, and by what kind of rule. It is entered only for files that something else speaks for:
    git, which tracks some of what it ignores, or the settings.
    """

    path: str
    scope: Scope
    buried: Kind | None = None


_SPECIAL = frozenset((".git", *FILE_NAMES, *MARKERS))


def special_names(path: str, names: Iterable[str]) -> tuple[str, ...]:
    """Those of a folder's names that decide about the whole folder; when they change, all in it is decided anew."""
    special = _SPECIAL | VENDOR_MARKERS if path.rpartition("/")[2] == "vendor" else _SPECIAL
    return tuple(sorted(special.intersection(names)))


def stamp_of(found: os.stat_result) -> Stamp:
    return Stamp(found.st_size, found.st_mtime_ns)


def stamp_at(path: str) -> Stamp:
    """A file's stamp, or `MISSING`."""
    try:
        return stamp_of(os.lstat(path))
    except OSError:
        return MISSING


def is_storable(name: str) -> bool:
    """Whether a name is UTF-8. Python spells other bytes as surrogates, which no store and no terminal takes."""
    if name.isascii():
        return True
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def spelled(name: str) -> str:
    """A name for people, with bytes that are not UTF-8 written as escapes."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def below(path: str) -> str:
    """What project paths in a folder begin with."""
    return f"{path}/" if path else ""
