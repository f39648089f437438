"""Reading and replacing other programs' files: links followed, nothing half written, mode kept."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from haversack.install.agent import Machine, Scope

MAX_BYTES = 64_000_000
"""Claude Code keeps histories in its file: tens of megabytes happen. More is not a settings file."""


class LeftAloneError(Exception):
    """Why a file is not touched, and the way out."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(what)
        self.what, self.fix = what, fix


class Content(Struct, frozen=True):
    """A file as it was read: where it really is, its bytes (None when there is none), its text."""

    path: Path
    raw: bytes | None
    text: str


def real_place(path: Path, machine: Machine, scope: Scope) -> Path:
    """Where the file really is; a project's files may not lead out of the project."""
    real = Path(os.path.realpath(path))
    if scope == "project" and not real.is_relative_to(os.path.realpath(machine.root)):
        raise LeftAloneError(
            f"is a link to {real}, outside the project", "Install with --scope user, or remove the link."
        )
    if path.is_symlink() and not real.exists():
        raise LeftAloneError("is a link to a file that does not exist", "Remove the link or make the file it names.")
    return real


def read(real: Path) -> Content:
    """The file; one that is not text, not a file or too large is left alone."""
    try:
        state = real.stat()
    except (FileNotFoundError, NotADirectoryError):
        return Content(real, None, "")
    except OSError as error:
        raise LeftAloneError(f"cannot be read: {error.strerror}", "Look at its owner and permissions.") from None
    if not stat.S_ISREG(state.st_mode):
        raise LeftAloneError("is not a file", "Move it away.")
    if state.st_size > MAX_BYTES:
        raise LeftAloneError(f"has {state.st_size} bytes, more than settings have", "Look at what fills it.")
    try:
        raw = real.read_bytes()
        return Content(real, raw, raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise LeftAloneError(f"is not UTF-8 (byte {error.start})", "Save it as UTF-8.") from None
    except OSError as error:
        raise LeftAloneError(f"cannot be read: {error.strerror}", "Look at its owner and permissions.") from None


def replace(before: Content, text: str) -> list[Path]:
    """Put the text in the file's place and return the folders that had to be made for it."""
    try:
        made = _make_folders(before.path.parent)
        _replace(before, text.encode("utf-8"))
    except OSError as error:
        raise LeftAloneError(f"cannot be written: {error.strerror}", "Look at its owner and permissions.") from None
    return made


def _replace(before: Content, raw: bytes) -> None:
    handle, written = tempfile.mkstemp(prefix=".haversack-", dir=before.path.parent)
    name = Path(written)
    try:
        with open(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        _take_over(before, name)
        if (before.path.read_bytes() if before.path.exists() else None) != before.raw:
            raise LeftAloneError("was changed by another program just now", "Run the command again.")
        name.replace(before.path)
    except BaseException:
        with contextlib.suppress(OSError):
            name.unlink()
        raise


def _take_over(before: Content, name: Path) -> None:
    """Give the new file the mode and, where that is allowed, the owner of the old one."""
    if before.raw is None:
        mask = os.umask(0)
        os.umask(mask)
        name.chmod(0o666 & ~mask)
        return
    old = before.path.stat()
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):
            os.chown(name, old.st_uid, old.st_gid)
    name.chmod(stat.S_IMODE(old.st_mode))


def _make_folders(folder: Path) -> list[Path]:
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing


def delete(path: Path) -> None:
    """Remove a file."""
    try:
        path.unlink()
    except OSError as error:
        raise LeftAloneError(f"cannot be removed: {error.strerror}", "Look at its owner and permissions.") from None


def prune(folders: Iterable[str]) -> None:
    """Remove those of the folders that are empty, the inner ones first."""
    for folder in sorted(folders, key=len, reverse=True):
        with contextlib.suppress(OSError):
            Path(folder).rmdir()
