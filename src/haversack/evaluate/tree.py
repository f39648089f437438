"""The project as it was: a working tree in haversack's own folder that moves from commit to commit."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from haversack.errors import SourceError
from haversack.project.find import find_repository
from haversack.project.git import git


class PastTree:
    """Files and history as of one commit. Objects are borrowed from the project's; nothing is written there."""

    def __init__(self, root: Path, folder: Path) -> None:
        repository = find_repository(root)
        if repository is None:
            raise SourceError(f"{root} is not in a git repository", hint="past commits are what this is measured on")
        self.folder = folder
        self._top = repository.top
        data = folder / ".git"
        (data / "objects" / "info").mkdir(parents=True)
        (data / "refs" / "heads").mkdir(parents=True)
        common = repository.common_dir
        (data / "objects" / "info" / "alternates").write_text(f"{common / 'objects'}\n", encoding="utf-8")
        (data / "HEAD").write_text("ref: refs/heads/main\n", encoding="ascii")
        (data / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n", encoding="ascii")
        shallow = common / "shallow"
        if shallow.is_file():
            shutil.copyfile(shallow, data / "shallow")

    def move(self, commit: str) -> None:
        """Nothing later than the commit can be seen; files that do not differ are left untouched."""
        (self.folder / ".git" / "refs" / "heads" / "main").write_text(f"{commit}\n", encoding="ascii")
        git(self.folder, ["read-tree", "-u", "--reset", "main"])

    def roots(self, today: Sequence[Path]) -> tuple[str, ...]:
        """The project's folders as they are called in this tree; none when it is the whole repository."""
        inside = [root.relative_to(self._top).as_posix() for root in today if root.is_relative_to(self._top)]
        return () if inside == ["."] else tuple(inside)
