"""Files that a task names and the project does not have: a typing error, or a file that is still to be written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from haversack.index import symbolic
from haversack.model import Task
from haversack.patterns import lazily
from haversack.units.frames import is_file

if TYPE_CHECKING:
    from haversack.index.snapshot import Snapshot
    from haversack.project import Project

# Other packages' files are named, too: they are rooted in their package, or in a copy of it, at a host or a scope.
_ELSEWHERE: Final = lazily(r"@|(?:.*/)?vendor/|[\w-]+(?:\.[\w-]+)+/")
# What stands right before a path that is no file of this project: an address, a place on a disk, an import of a module.
_BEFORE: Final = r"""(?:://\S*|[/\\~]|\b(?:include|import|from|require)\b[\s(]*[<"'`][^\s>"'`]*)"""


def named_but_absent(project: Project, snapshot: Snapshot, task: Task) -> tuple[str, ...]:
    """The paths in a task that lead to nothing here, as they were written, in order."""
    others = {*task.rooted, *(frame[0] for frame in task.frames)}
    return tuple(path for path in task.paths if path not in others and _is_absent(project, snapshot, task.text, path))


def _is_absent(project: Project, snapshot: Snapshot, text: str, path: str) -> bool:
    parts = path.split("/")
    if len(parts) < 2 or not is_file(path) or ".." in parts or _ELSEWHERE.match(path):
        return False
    # A diff puts a letter before its paths, and people the name of the repository.
    for tail in (path, "/".join(parts[1:])):
        if symbolic.paths(snapshot, tail) or any((root / tail).exists() for root in project.roots):
            return False
    return not re.search(_BEFORE + re.escape(path), text)
