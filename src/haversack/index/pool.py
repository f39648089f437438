"""Reading processes fed with batches of files; results come back in the order they are done.

A process that dies takes nothing with it: its batch is read again file by file, and the file that kills a process twice
is set aside and named.
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence

from haversack.errors import StoreError
from haversack.index.read import Prepared, Wanted, set_aside
from haversack.index.worker import Order, receive, send

WAITING = 32  # results that may wait for the writer, about 1 MB each: it is busy with other sources for seconds
COMMAND = "from haversack.index.worker import main; main()"


class Pool:
    """Context manager around the processes; leaving it ends them."""

    def __init__(self, order: Order, workers: int) -> None:
        self._order = order
        self._workers = workers
        self._readers: list[_Reader] = []

    def __enter__(self) -> Pool:
        self._readers = [_Reader(self._order) for _ in range(self._workers)]
        return self

    def __exit__(self, *_: object) -> None:
        for reader in self._readers:
            reader.end()

    def read(self, batches: Sequence[list[Wanted]]) -> Iterator[Prepared]:
        """Read all batches; raises StoreError only when processes cannot be started at all."""
        todo: queue.SimpleQueue[list[Wanted]] = queue.SimpleQueue()
        for batch in batches:
            todo.put(batch)
        # Bounded, so that a slow writer holds the readers back instead of filling memory.
        done: queue.Queue[Prepared | StoreError | None] = queue.Queue(maxsize=WAITING)
        for reader in self._readers:
            threading.Thread(target=_serve, args=(reader, todo, done), daemon=True).start()
        working = len(self._readers)
        while working:
            result = done.get()
            if isinstance(result, StoreError):
                raise result
            if result is None:
                working -= 1
            else:
                yield result


class _Reader:
    """One process, started again when it dies."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, batch: list[Wanted]) -> Prepared | None:
        """The batch's rows, or None when the process died over it."""
        try:
            process = self._process or self._start()
            assert process.stdin is not None
            assert process.stdout is not None
            send(process.stdin, batch)
            result = receive(process.stdout)
            assert isinstance(result, Prepared)
            return result
        except (EOFError, OSError, ValueError):
            self.end()
            return None

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        self._process = subprocess.Popen(
            [sys.executable, "-c", COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        assert self._process.stdin is not None
        send(self._process.stdin, self._order)
        return self._process

    def end(self) -> None:
        """Stop the process, if there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _serve(
    reader: _Reader, todo: queue.SimpleQueue[list[Wanted]], done: queue.Queue[Prepared | StoreError | None]
) -> None:
    while True:
        try:
            batch = todo.get_nowait()
        except queue.Empty:
            done.put(None)
            return
        result = reader.read(batch)
        if result is not None:
            done.put(result)
            continue
        if reader.read([]) is None:
            done.put(
                StoreError("reading processes cannot be started", hint="haversack index -v, or set index.workers = 1")
            )
            return
        for want in batch:
            done.put(reader.read([want]) or reader.read([want]) or set_aside(want, "crashes the reader"))
