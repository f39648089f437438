"""A project as a server needs it: no answer waits for a large build, and work that nobody waits for ends."""

from __future__ import annotations

import threading
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from haversack.api import Haversack
from haversack.assemble.texts import Texts
from haversack.index.build import IndexReport
from haversack.sources.protocol import TextFile

if TYPE_CHECKING:
    from haversack.index.build import Progress

MOST_AT_ONCE = 50
"""Changed files an answer reads itself, at about 5 ms each; more than that is the keeper's work."""
WRITER_SECONDS = 1.0
"""How long an answer waits for another process that writes the index, before it is made from what there is."""

KEPT_FILES, KEPT_ITEMS = 64, 1024
"""Texts and decoded items kept between answers, a quarter of what a short run keeps: a server stays below 400 MB on a
project of 5,000 files, and a packet takes 5 % longer."""


class StoppedError(Exception):
    """Nobody waits for this work any more."""


class Stop:
    """Whether a piece of work should end; it looks here where it can."""

    def __init__(self) -> None:
        self._asked = threading.Event()

    def ask(self) -> None:
        self._asked.set()

    def check(self) -> None:
        """StoppedError when the work should end."""
        if self._asked.is_set():
            raise StoppedError

    def progress(self, _stage: str, _done: int, _of: int) -> None:
        """The same for whoever reports progress."""
        self.check()


class StoppableTexts(Texts):
    """Texts whose reading ends when the work should: every packet reads many."""

    kept = KEPT_FILES
    stop = Stop()

    def file(self, path: str) -> TextFile | None:
        self.stop.check()
        return super().file(path)


class Current(Haversack):
    """One project for many answers. `seen` says what the last one was made from."""

    def __init__(self, path: str | Path, *, data_dir: str | Path | None = None) -> None:
        super().__init__(path, data_dir=data_dir)
        self.seen = IndexReport()
        self.stop = Stop()
        self.building = False

    @cached_property
    def texts(self) -> StoppableTexts:
        """Texts of files, read while somebody waits for them."""
        return StoppableTexts(self.project)

    @property
    def is_cold(self) -> bool:
        """Whether nothing was read from the index yet."""
        return "store" not in self.__dict__

    def work(self, stop: Stop, *, building: bool = False) -> None:
        """What follows is done for somebody who may lose interest, perhaps while the index is being built."""
        self.stop = self.texts.stop = stop
        self.building = building
        # Problems that come with every call (a full disk) would be told more often each time.
        self.problems = tuple(dict.fromkeys(self.problems))

    def refresh(self, progress: Progress | None = None) -> IndexReport:
        """Read what changed if it is little; what is more, or what somebody is at already, is named as pending."""
        self.stop.check()
        self.store.kept_items = KEPT_ITEMS
        self.store.wait_at_most(WRITER_SECONDS)
        if self.building:
            changed, gone, sweep = self.builder.compare()
            self.seen = IndexReport(files=len(sweep.files), problems=sweep.problems, pending=(*changed, *gone))
        else:
            self.seen = self.builder.refresh(progress=progress or self.stop.progress, most=MOST_AT_ONCE)
        self.stop.check()
        return self.seen
