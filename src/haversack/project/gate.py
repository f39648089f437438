"""The one place that decides whether a path may be read.

A file may be read when, after following links, it is a regular file inside a project root and not inside a `.git`
folder. The decision is made on the file that was opened, not on its name, so nothing swapped in between slips through.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path
from typing import BinaryIO

from haversack.errors import NotFoundError, OutsideProjectError, ProjectError
from haversack.project.find import Project

# Never follow a link at the end of the path, never wait for a FIFO's writer, never become a terminal's owner.
OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
GIT_FOLDER = ".git"
_WAY_OUT = "Only regular files inside the project roots are read."


def may_read(project: Project, path: Path | str) -> bool:
    """Whether `open_inside` would open this path (absolute, or a project path)."""
    try:
        with open_inside(project, path):
            return True
    except (OutsideProjectError, NotFoundError, ProjectError):
        return False


def open_inside(project: Project, path: Path | str) -> BinaryIO:
    """Open a project file for reading bytes.

    Raises OutsideProjectError when it leads outside the roots or is no regular file, NotFoundError when it is not
    there, ProjectError when the system refuses it.
    """
    shown = str(path)
    target = _absolute(project, path)
    try:
        descriptor = _open(project, target, shown)
    except (FileNotFoundError, NotADirectoryError):
        raise NotFoundError(f"{shown!r} does not exist", hint="It may have been moved or deleted just now.") from None
    except OSError as error:
        raise ProjectError(
            f"{shown!r} cannot be read: {error.strerror or error}", hint="Check its permissions, or ignore it."
        ) from None
    return os.fdopen(descriptor, "rb")


def is_inside(project: Project, real: str) -> bool:
    """Whether a path without links lies in a root and not in a `.git` folder."""
    for root in project.roots:
        start = os.path.join(str(root), "")
        if real.startswith(start):
            # Lower case, because some file systems do not tell `.GIT` from `.git`.
            return GIT_FOLDER not in real[len(start) :].lower().replace(os.sep, "/").split("/")
    return False


def _absolute(project: Project, path: Path | str) -> str:
    if "\0" in str(path):
        raise OutsideProjectError("a path cannot contain a NUL character", hint=_WAY_OUT)
    if isinstance(path, Path):
        return str(path) if path.is_absolute() else project.locate(path.as_posix())
    return path if path.startswith(os.sep) else project.locate(path)


def _open(project: Project, target: str, shown: str) -> int:
    # Opening a device can have effects of its own, so its kind is checked before as well as after.
    if stat.S_ISLNK(os.lstat(target).st_mode):
        target = _followed(project, target, shown)
    _require_regular(os.lstat(target), shown)
    descriptor = os.open(target, OPEN_FLAGS)
    try:
        opened = os.fstat(descriptor)
        _require_regular(opened, shown)
        if not is_inside(project, path_of(descriptor, target, opened)):
            raise _outside(shown)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _followed(project: Project, link: str, shown: str) -> str:
    try:
        real = os.path.realpath(link, strict=True)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OutsideProjectError(f"{shown!r} is a link that leads back to itself", hint=_WAY_OUT) from None
        raise
    if not is_inside(project, real):
        raise _outside(shown)
    return real


def path_of(descriptor: int, target: str, opened: os.stat_result) -> str:
    """The real path of an open file, asked of the system where it can tell."""
    if sys.platform == "linux":
        try:
            return os.readlink(f"/proc/self/fd/{descriptor}")  # noqa: PTH115 - runs for every file; Path costs more than it
        except OSError:  # /proc is not mounted
            return _path_by_name(target, opened)
    return _path_by_name(target, opened)


def _path_by_name(target: str, opened: os.stat_result) -> str:
    """The real path of a name, provided that it still names the open file."""
    real = os.path.realpath(target, strict=True)
    return real if os.path.samestat(os.lstat(real), opened) else ""


def _require_regular(found: os.stat_result, shown: str) -> None:
    if stat.S_ISLNK(found.st_mode):
        raise _outside(shown)
    if not stat.S_ISREG(found.st_mode):
        raise OutsideProjectError(f"{shown!r} is not a regular file", hint=_WAY_OUT)


def _outside(shown: str) -> OutsideProjectError:
    return OutsideProjectError(f"{shown!r} leads outside the project", hint=_WAY_OUT)
