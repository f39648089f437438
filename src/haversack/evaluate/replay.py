"""Every past task against the project as it was before it: open the index as of its parent, do something, move on."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from haversack.config.settings import WITHOUT_READER
from haversack.errors import HaversackError
from haversack.evaluate.past import PastTask
from haversack.evaluate.tree import PastTree
from haversack.model import Problem

if TYPE_CHECKING:
    from haversack.api import Haversack
    from haversack.index.build import Progress

# What is true now and was not then: a packet for a past task must not see it.
NOT_THEN = ("conversation", "logs", "memories", "experiences", "values", "ci")
PREFIX = "past-"
REMOVALS, BETWEEN_REMOVALS = 20, 0.05
LONGEST_SECONDS = 86_400  # nobody waits longer for a measurement

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
    with _folder(now.folder) as folder:
        tree = PastTree(now.project.root, folder / "tree")
        config = now.config.override(
            {f"sources.{name}.enabled": False for name in NOT_THEN if name in now.config.sources}
            | {"index.data_dir": str(folder / "data"), "project.roots": tree.roots(now.project.roots)}
            | dict(WITHOUT_READER)
        )
        # Oldest first: from one to the next little changes, and only that is read.
        for number, task in enumerate(sorted(tasks, key=lambda task: (task.time, task.commit))):
            if progress is not None:
                progress("past commits", number, len(tasks))
            try:
                tree.move(task.parent)
                with Haversack(tree.folder, config=config) as then:
                    then.learned = now.learned  # what is measured is this project's ranking, tuned or not
                    found.append((task, look(then, task)))
            except HaversackError as error:
                problems.append(Problem(f"commit {task.parent[:12]}", error.message, "it is left out"))
    if progress is not None:
        progress("", 0, 0)
    return found, problems


@contextmanager
def _folder(inside: Path) -> Iterator[Path]:
    """An empty folder that is gone afterwards; so are those that killed processes left behind long ago."""
    for left in inside.glob(f"{PREFIX}*"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > LONGEST_SECONDS:
                shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=inside))
    try:
        yield folder
    finally:
        # A child of an interrupted run may write there for a moment yet.
        for _ in range(REMOVALS):
            shutil.rmtree(folder, ignore_errors=True)
            if not folder.exists():
                break
            time.sleep(BETWEEN_REMOVALS)
