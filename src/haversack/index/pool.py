"""Reading processes fed with batches of files; results come back in the order they are done."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence

from haversack.errors import StoreError
from haversack.index.read import Prepared, Wanted
from haversack.index.worker import Order, receive, send


class Pool:
    """Context manager around the processes; leaving it ends them."""

    def __init__(self, order: Order, workers: int) -> None:
        self._order = order
        self._workers = workers
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Pool:
        environment = {
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        for _ in range(self._workers):
            process = subprocess.Popen(
                [sys.executable, "-c", "from haversack.index.worker import main; main()"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
            )
            self._processes.append(process)
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
            process.terminate()
        for process in self._processes:
            process.wait()

    def read(self, batches: Sequence[list[Wanted]]) -> Iterator[Prepared]:
        """Read all batches; raises StoreError when a process dies, naming the batch it died on."""
        todo: queue.SimpleQueue[list[Wanted]] = queue.SimpleQueue()
        for batch in batches:
            todo.put(batch)
        # Bounded, so that a slow writer holds the readers back instead of filling memory.
        done: queue.Queue[Prepared | StoreError] = queue.Queue(maxsize=2 * self._workers)
        threads = [
            threading.Thread(target=self._serve, args=(process, todo, done), daemon=True) for process in self._processes
        ]
        for thread in threads:
            thread.start()
        for _ in batches:
            result = done.get()
            if isinstance(result, StoreError):
                raise result
            yield result

    def _serve(
        self,
        process: subprocess.Popen[bytes],
        todo: queue.SimpleQueue[list[Wanted]],
        done: queue.Queue[Prepared | StoreError],
    ) -> None:
        inbox, outbox = process.stdout, process.stdin
        assert inbox is not None
        assert outbox is not None
        batch: list[Wanted] = []
        try:
            send(outbox, self._order)
            while True:
                try:
                    batch = todo.get_nowait()
                except queue.Empty:
                    return
                send(outbox, batch)
                result = receive(inbox)
                assert isinstance(result, Prepared)
                done.put(result)
        except (EOFError, OSError, ValueError):
            names = ", ".join(want.path for want in batch[:3])
            done.put(
                StoreError(f"a reading process ended while it read {names} …", hint="haversack index -v --workers 0")
            )
