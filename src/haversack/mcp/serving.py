"""One project, served: opened when first asked for, kept current in the background, answered one request at a time."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Generic, TypeVar

import anyio
from msgspec import Struct

from haversack import logs
from haversack.api import Haversack
from haversack.errors import HaversackError
from haversack.mcp.current import Current, Stop
from haversack.mcp.keeper import Keeper, Told
from haversack.mcp.turns import Turns, in_thread
from haversack.project.home import refuse_home
from haversack.render.unread import not_read

if TYPE_CHECKING:
    from haversack.index.build import IndexReport

Given = TypeVar("Given")
FIRST_TASK, FIRST_BUDGET = "What is this project?", 500
"""A packet that is made for nobody as soon as the index stands, so that the first real one finds everything loaded."""


class Answered(Struct, Generic[Given], frozen=True):
    """What was asked for, and how far it reflects the files on disk."""

    value: Given
    freshness: str


async def nobody(_done: int, _of: int, _words: str) -> None:
    """Tells nobody."""


class Serving:
    """Answers about one project while the context is open."""

    def __init__(self, path: str | Path = ".", *, data_dir: str | Path | None = None) -> None:
        self._path = path
        self._data_dir = data_dir
        self._current: Current | None = None
        self._turns = Turns()
        self._stack = AsyncExitStack()
        self.keeper = Keeper(self._opened, self._catch_up)

    async def __aenter__(self) -> Serving:
        tasks = await self._stack.enter_async_context(anyio.create_task_group())
        tasks.start_soon(self._keep)
        self._stack.callback(tasks.cancel_scope.cancel)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.__aexit__(kind, error, trace)
        if self._current is not None:
            self._current.close()

    async def ask(
        self, work: Callable[[Current], Given], *, client: Hashable = None, told: Told = nobody
    ) -> Answered[Given]:
        """What the work gives on a current index, or on what is indexed when more is to be read than one waits for."""
        awaited = self.keeper.build.running
        settled = await self.keeper.settled(told)
        given = await self._turn(work, client)
        # What a build that was awaited could not do, another would not do, either: whoever asks next tries again.
        if given.report.pending and settled and not (awaited and self.keeper.build.problem):
            self.keeper.build_soon()
            if not awaited and await self.keeper.settled(told):
                given = await self._turn(work, client)
        return Answered(given.value, self._freshness(given.report))

    # -- parts -----------------------------------------------------------------------------------------------------

    async def _turn(self, work: Callable[[Current], Given], client: Hashable) -> _Done[Given]:
        def run(stop: Stop) -> _Done[Given]:
            current = self._open()
            current.work(stop, building=self.keeper.build.running)
            return _Done(work(current), current.seen)

        async with self._turns.of(client):
            return await in_thread(run)

    def _open(self) -> Current:
        if self._current is None:
            current = Current(self._path, data_dir=self._data_dir)
            refuse_home(current.project)
            self._current = current
        return self._current

    def _opened(self) -> Haversack:
        haversack = Haversack(self._path, data_dir=self._data_dir)
        refuse_home(haversack.project)
        return haversack

    async def _keep(self) -> None:
        try:
            await self.keeper.run()
        except Exception as error:  # whatever it is: answers go on, each looking at the files itself
            logs.error("the index is no longer kept current in the background", problem=repr(error))
            self.keeper.build.running = False

    async def _catch_up(self) -> bool:
        """Read what changed if it is little; whether it was."""

        def look(current: Current) -> tuple[Path, ...]:
            if current.is_cold:
                current.budget(FIRST_TASK, budget=FIRST_BUDGET)
            else:
                current.refresh()
            return current.builder.folders()

        try:
            done = await self._turn(look, self)
        except (HaversackError, OSError) as error:
            logs.warning("the index could not be brought up to date", problem=str(error))
            return True
        self.keeper.watch(done.value)
        return not done.report.pending

    def _freshness(self, report: IndexReport) -> str:
        if report.pending:
            why = self.keeper.build.problem
            said = f"They cannot be: {why}" if why else "Being read now: ask again in a moment."
            return f"{not_read(report.pending, report.files)} {said}"
        if self.keeper.build.running:
            return f"All {report.files:,} files are read; history and other sources are still being read."
        return f"Reflects all {report.files:,} files as of this call."


class _Done(Struct, Generic[Given], frozen=True):
    value: Given
    report: IndexReport
