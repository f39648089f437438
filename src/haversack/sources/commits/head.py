"""Which commit is checked out, told from git's own small files: no process is started to learn that nothing changed."""

from __future__ import annotations

import re
from pathlib import Path

from haversack.errors import SourceError
from haversack.project.find import Repository, read_short

# Repositories with a hundred thousand tags have packed refs of this size.
MAX_PACKED_REFS_BYTES = 16_000_000
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_NO_COMMITS = "does not have any commits yet"


def head_of(repository: Repository, root: Path) -> str | None:
    """The checked-out commit; None before the first commit. SourceError when the repository is damaged."""
    return _from_files(repository) or _from_git(root)


def shallow_commits(repository: Repository) -> frozenset[str]:
    """Where a shallow clone ends: commits whose parents are missing, so that all their files look new."""
    listed = read_short(repository.common_dir / "shallow", MAX_PACKED_REFS_BYTES)
    return frozenset(listed.decode("ascii", "replace").split())


def _from_files(repository: Repository) -> str | None:
    said = _text(repository.git_dir / "HEAD")
    if _SHA.fullmatch(said):
        return said
    name = said.removeprefix("ref: ")
    if not name.startswith("refs/") or ".." in name:
        return None
    for folder in (repository.git_dir, repository.common_dir):
        found = _text(folder / name)
        if found:
            # Anything but a commit's name is damage or a link: git knows which.
            return found if _SHA.fullmatch(found) else None
    packed = read_short(repository.common_dir / "packed-refs", MAX_PACKED_REFS_BYTES).decode("utf-8", "replace")
    line = re.search(rf"^({_SHA.pattern}) {re.escape(name)}$", packed, re.MULTILINE)
    return line[1] if line else None


def _from_git(root: Path) -> str | None:
    from haversack.project.git import git

    try:
        said = git(root, ["log", "-n1", "--format=%H"]).decode("ascii", "replace").strip()
    except SourceError as error:
        if _NO_COMMITS in error.message:
            return None
        raise
    return said or None


def _text(path: Path) -> str:
    return read_short(path).decode("utf-8", "replace").strip()
