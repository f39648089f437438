"""One root's history: where it is, and how its commits are named in the store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from haversack.project.find import Project, Repository, find_repository

NAME = "commits"
# Changes when units of the same commit would come out different, so that a known history is read anew.
FORMAT = "4"
HEAD = "HEAD"
WITH_DIFF, WITHOUT_DIFF = "d", "n"
FAILED = "failed:"


class History(Struct, frozen=True):
    """One root's history. `scope` limits it to the root when the repository is larger."""

    root: Path
    prefix: str
    repository: Repository
    scope: tuple[str, ...]

    @property
    def place(self) -> str:
        """What a packet calls it: never where the project lies on this machine."""
        return self.key("git history")

    def key(self, name: str) -> str:
        return f"{self.prefix.rstrip('/')}:{name}" if self.prefix else name

    def owns(self, key: str) -> bool:
        return key.startswith(self.key("")) if self.prefix else ":" not in key


def histories(project: Project) -> Iterator[History]:
    """The history of every root that has one."""
    for root, prefix in zip(project.roots, project.prefixes, strict=True):
        repository = find_repository(root)
        if repository:
            yield History(root, prefix, repository, () if repository.top == root else ("--", "."))
