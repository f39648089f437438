"""Every past task against the project as it was before it: open the index as of its parent, do something, move on."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from haversack.errors import SourceError
from haversack.evaluate.past import PastTask
from haversack.evaluate.tree import PastTree
from haversack.model import Problem

if TYPE_CHECKING:
    from haversack.api import Haversack
    from haversack.index.build import Progress

# What is true now and was not then: a packet for a past task must not see it.
NOT_THEN = ("conversation", "logs", "memories", "experiences", "values", "ci")
FOLDER = "past"

Result = TypeVar("Result")


def replay(
    now: Haversack,
    tasks: Sequence[PastTask],
    look: Callable[[Haversack, PastTask], Result],
    *,
    progress: Progress | None = None,
) -> tuple[list[tuple[PastTask, Result]], list[Problem]]:
    """What `look` finds for each task, and the tasks whose commit could not be brought back."""
    from haversack.api import Haversack

    found: list[tuple[PastTask, Result]] = []
    problems: list[Problem] = []
    flags: dict[str, object] = {f"sources.{name}.enabled": False for name in NOT_THEN if name in now.config.sources}
    with _folder(now.folder / FOLDER) as folder:
        tree = PastTree(now.project.root, folder / "tree")
        # Oldest first: from one to the next little changes, and only that is read.
        for number, task in enumerate(sorted(tasks, key=lambda task: (task.time, task.commit))):
            if progress is not None:
                progress("past commits", number, len(tasks))
            try:
                tree.move(task.parent)
            except SourceError as error:
                problems.append(Problem(f"commit {task.parent[:12]}", error.message, "it is left out"))
                continue
            with Haversack(tree.folder, data_dir=folder / "data", flags=flags) as then:
                found.append((task, look(then, task)))
    if progress is not None:
        progress("", 0, 0)
    return found, problems


@contextmanager
def _folder(path: Path) -> Iterator[Path]:
    """An empty folder that is gone afterwards."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
