"""Where a project begins: the git root above the working directory, or the folder itself."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from pathlib import Path

from msgspec import Struct

from haversack.errors import OutsideProjectError, ProjectError

# A `.git` file holds one short line; a larger file of that name is something else.
GIT_FILE_BYTES = 4096
KEY_BYTES = 8


class Project(Struct, frozen=True):
    """The folders haversack may read, resolved, and how it reads them.

    With one root, project paths are POSIX paths relative to it; with several, they begin with the root's name.
    """

    roots: tuple[Path, ...]
    git_dirs: tuple[Path | None, ...]
    ignore: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    max_file_bytes: int = 1_000_000

    @property
    def root(self) -> Path:
        """The first root."""
        return self.roots[0]

    @property
    def key(self) -> str:
        """A short name for this set of roots, the same in every run."""
        resolved = b"\0".join(os.fsencode(root) for root in self.roots)
        return hashlib.blake2b(resolved, digest_size=KEY_BYTES).hexdigest()

    @property
    def is_git(self) -> bool:
        """Whether any root is under git."""
        return any(self.git_dirs)

    @property
    def prefixes(self) -> tuple[str, ...]:
        """What the project paths of each root begin with: "" for a single root, else "name/"."""
        return _prefixes(self.roots)

    def resolve(self, relpath: str) -> Path:
        """The file a project path names. It may not exist; `gate` decides whether it may be read."""
        return Path(self.locate(relpath))

    def locate(self, relpath: str) -> str:
        """`resolve`, for those who need the path as text and many of them."""
        for root, prefix in zip(self.roots, self.prefixes, strict=True):
            if relpath.startswith(prefix):
                inside = relpath[len(prefix) :]
                if not _escapes(inside):
                    return os.path.join(root, inside)
                break
        raise OutsideProjectError(
            f"{relpath!r} is not a path inside the project", hint="Give a path relative to the project, without '..'."
        )

    def relative(self, path: Path) -> str | None:
        """The project path of a file or folder, or None when it is outside the roots."""
        given = os.path.normpath(path if path.is_absolute() else self.root / path)
        for candidate in (given, os.path.realpath(given)):
            for root, prefix in zip(self.roots, self.prefixes, strict=True):
                if candidate == str(root):
                    return prefix.rstrip("/") or "."
                start = os.path.join(str(root), "")
                if candidate.startswith(start):
                    return prefix + candidate[len(start) :].replace(os.sep, "/")
        return None


def find_project(
    start: Path,
    *,
    roots: Sequence[Path] = (),
    ignore: Sequence[str] = (),
    include: Sequence[str] = (),
    max_file_bytes: int = 1_000_000,
) -> Project:
    """The project `start` lies in; with `roots`, exactly those folders (relative ones count from `start`)."""
    folder = _folder(start)
    if roots:
        chosen = _outermost([_folder(folder / root) for root in roots])
    else:
        repository = find_repository(folder)
        chosen = [repository.top if repository else folder]
    found = [find_repository(root) for root in chosen]
    return Project(
        tuple(chosen),
        tuple(repository.git_dir if repository else None for repository in found),
        tuple(ignore),
        tuple(include),
        max_file_bytes,
    )


class Repository(Struct, frozen=True):
    """A checked-out git repository: its top folder and where git keeps its data."""

    top: Path
    git_dir: Path

    @property
    def common_dir(self) -> Path:
        """The data all worktrees of the repository share: refs, objects, `info/exclude`."""
        link = read_short(self.git_dir / "commondir")
        return Path(os.path.normpath(self.git_dir / os.fsdecode(link.strip()))) if link else self.git_dir


def find_repository(folder: Path) -> Repository | None:
    """The repository a folder lies in, found as git does, but without running git."""
    for top in (folder, *folder.parents):
        if git_dir := git_dir_at(top):
            return Repository(top, git_dir)
    return None


def git_dir_at(top: Path) -> Path | None:
    """Git's data folder, when `top` is the top of a checkout; worktrees and submodules have a `.git` file instead."""
    dot_git = top / ".git"
    if os.path.isdir(dot_git):
        # Git passes over a `.git` folder that holds no repository, and so do we; a damaged one is reported later.
        return dot_git if any(os.path.exists(dot_git / part) for part in ("HEAD", "objects", "commondir")) else None
    line = read_short(dot_git)
    if not line.startswith(b"gitdir:"):
        return None
    return Path(os.path.normpath(top / os.fsdecode(line.removeprefix(b"gitdir:").strip())))


def read_short(path: Path, limit: int = GIT_FILE_BYTES) -> bytes:
    """The beginning of one of git's own small files; empty when it is missing, unreadable or not a regular file."""
    try:
        if not os.path.isfile(path):
            return b""
        with path.open("rb") as file:
            return file.read(limit)
    except OSError:
        return b""


def _folder(path: Path) -> Path:
    resolved = Path(os.path.realpath(path))
    if os.path.isdir(resolved):
        return resolved
    if os.path.isfile(resolved):
        return resolved.parent
    raise ProjectError(f"{path} is not a folder", hint="Name an existing folder, or run haversack inside a project.")


def _outermost(roots: list[Path]) -> list[Path]:
    """Roots in the order given, without repeats and without those inside another: no file has two project paths."""
    unique = list(dict.fromkeys(roots))
    return [root for root in unique if not any(other in root.parents for other in unique)]


@lru_cache(maxsize=64)
def _prefixes(roots: tuple[Path, ...]) -> tuple[str, ...]:
    if len(roots) == 1:
        return ("",)
    taken = {root.name for root in roots}
    names: list[str] = []
    for root in roots:
        name = root.name
        if name in names:
            name = next(other for number in count(2) if (other := f"{name}-{number}") not in taken)
            taken.add(name)
        names.append(name)
    return tuple(f"{name}/" for name in names)


def _escapes(relpath: str) -> bool:
    parts = relpath.replace(os.sep, "/").split("/")
    return (not parts[0] and len(parts) > 1) or ".." in parts or "\0" in relpath or bool(os.path.splitdrive(relpath)[0])
