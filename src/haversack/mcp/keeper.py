"""Keeps a project's index current beside the answers: builds it, then watches the folders that were read."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import anyio
from msgspec import Struct, field

from haversack import logs
from haversack.api import Haversack
from haversack.errors import HaversackError
from haversack.mcp.turns import in_thread

if TYPE_CHECKING:
    from haversack.mcp.current import Stop

PATIENCE = 3.0
"""Seconds from its beginning that answers wait for a build: a small project is there by then, and nobody thinks that
it hangs. Of a longer one they give what is there."""
LOOK_EVERY = 0.05
"""Seconds between looks at how far a build is, while somebody waits for it."""
AGAIN_AFTER = 0.5
"""Seconds before asking again whether the other process that builds is done."""
DEBOUNCE_MS = 200
"""Changes this near each other are one change: an editor saves in several steps."""

Told = Callable[[int, int, str], Awaitable[None]]
"""Called with how much is done, of how much, in words."""


class Build(Struct):
    """How far a build is. What it is before it has begun: everything is still to be looked at."""

    running: bool = True
    done: int = 0
    total: int = 0
    problem: str = ""
    began: float = field(default_factory=perf_counter)


class Keeper:
    """One project's builder. `small` brings the index up to date if that is little work and says whether it was."""

    def __init__(self, opened: Callable[[], Haversack], small: Callable[[], Awaitable[bool]]) -> None:
        self._opened = opened
        self._small = small
        self._woken = anyio.Event()
        self._moved = anyio.Event()
        self._read_folders: tuple[Path, ...] = ()
        self.build = Build()
        self.watched: tuple[Path, ...] = ()

    async def run(self) -> None:
        """Build, then go on until cancelled."""
        await self._build()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._watch)
            self._woken.set()
            try:
                while True:
                    await self._woken.wait()
                    self._woken = anyio.Event()
                    if self.build.running or not await self._small():
                        await self._build()
            finally:
                self._moved.set()  # the thread that watches cannot be cancelled, only told

    def build_soon(self) -> None:
        """Somebody found more changed than an answer can read."""
        self.build = Build()
        self._woken.set()

    def watch(self, folders: tuple[Path, ...]) -> None:
        """These are the folders that are read now."""
        if folders != self.watched:
            self.watched = folders
            self._moved.set()

    async def settled(self, told: Told) -> bool:
        """Wait as long as an answer may for a build that runs; whether none runs any more."""
        said = -1
        with anyio.move_on_after(max(0.0, self.build.began + PATIENCE - perf_counter())):
            while self.build.running:
                if self.build.done != said:
                    said = self.build.done
                    await told(said, self.build.total, "indexing the project")
                await anyio.sleep(LOOK_EVERY)
        return not self.build.running

    async def _build(self) -> None:
        self.build = build = Build()
        try:
            while not await in_thread(self._read):
                await anyio.sleep(AGAIN_AFTER)
            self.watch(self._read_folders)
        except (HaversackError, OSError) as error:
            # The same error meets whoever asks, with its way out; here it only ends the build.
            build.problem = error.message if isinstance(error, HaversackError) else str(error)
            logs.warning("the index could not be built", problem=str(error))
        finally:
            build.running = False

    def _read(self, stop: Stop) -> bool:
        """Bring the index up to date; False while another process is at it."""
        build = self.build

        def progress(stage: str, done: int, total: int) -> None:
            stop.check()
            if stage:
                build.done, build.total = done, total

        with self._opened() as haversack:
            report = haversack.refresh(progress)
            self._read_folders = haversack.builder.folders()
        if not report.pending:
            logs.event("index is current", files=report.files, read=report.read, seconds=report.seconds)
        return not report.pending

    async def _watch(self) -> None:
        """Wake at every change in the folders that were read; without notice of changes every answer still looks."""
        from watchfiles import awatch

        while True:
            self._moved = anyio.Event()
            if not self.watched:
                await self._moved.wait()
                continue
            try:
                async for _ in awatch(
                    *self.watched, recursive=False, debounce=DEBOUNCE_MS, watch_filter=None, stop_event=self._moved
                ):
                    self._woken.set()
            except (OSError, RuntimeError) as error:
                # A folder that is gone again, or more folders than the system watches.
                logs.warning("files cannot be watched; every answer looks at them", problem=str(error))
                await self._moved.wait()
