"""One piece of work at a time, clients in turn: who asks a hundred things at once waits behind who asks one."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from typing import TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread

from haversack.mcp.current import Stop

Given = TypeVar("Given")


class Turns:
    """A lock that goes round the clients that wait, not along the requests."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, deque[anyio.Event]] = {}
        self._taken = False

    @asynccontextmanager
    async def of(self, client: Hashable) -> AsyncIterator[None]:
        """Hold the turn."""
        if self._taken:
            await self._wait(client)
        self._taken = True
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, client: Hashable) -> None:
        called = anyio.Event()
        self._waiting.setdefault(client, deque()).append(called)
        try:
            await called.wait()
        except BaseException:
            if called.is_set():  # called and cancelled at once: the turn is somebody else's
                self._pass_on()
            else:
                self._waiting[client].remove(called)
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            client = next(iter(self._waiting))
            queue = self._waiting.pop(client)
            if queue:
                called = queue.popleft()
                if queue:
                    self._waiting[client] = queue  # at the end of the round
                called.set()
                return
        self._taken = False


async def in_thread(work: Callable[[Stop], Given]) -> Given:
    """Do the work in a thread; when whoever waits is cancelled, it is asked to stop and waited for."""
    stop, started, ended = Stop(), threading.Event(), anyio.Event()

    def run() -> Given:
        started.set()
        try:
            stop.check()
            return work(stop)
        finally:
            anyio.from_thread.run_sync(ended.set)

    try:
        return await anyio.to_thread.run_sync(run, abandon_on_cancel=True)
    except anyio.get_cancelled_exc_class():
        stop.ask()  # first: whoever starts only now sees it
        if started.is_set():
            with anyio.CancelScope(shield=True):
                await ended.wait()
        raise
