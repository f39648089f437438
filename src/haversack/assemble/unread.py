"""Files that a task names and that are not in the index: whoever asked for them should know why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from haversack.errors import OutsideProjectError
from haversack.model import Problem, Task

if TYPE_CHECKING:
    from haversack.index.snapshot import Snapshot
    from haversack.project import Project

# Not: what is not there, and what is outside the project.
TOLD = ("oversized", "binary", "minified", "rendered", "unreadable")
FIX = "the task names it; give the part that matters in the task itself"


def named_but_unread(project: Project, snapshot: Snapshot, task: Task) -> tuple[Problem, ...]:
    """A problem for each file of the project that the task names by its path and that cannot be quoted."""
    found = []
    for path in dict.fromkeys(path.removeprefix("./") for path in task.paths):
        item = snapshot.item(path)
        if item is not None and item.count:
            continue
        from haversack.project.reading import Skipped, read_text

        try:
            read = read_text(project, path)
        except OutsideProjectError:
            continue
        if isinstance(read, Skipped) and read.reason in TOLD:
            found.append(Problem(path, read.detail or read.reason, FIX))
    return tuple(found)
