"""A reading process: gets an order on standard input, then batches of files, and answers each with rows.

Started as a plain subprocess, not through `multiprocessing`: a user's script needs no `__main__` guard, nothing is
forked from a threaded process, and it works alike on every system.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from haversack.project import Project


class Order(Struct, frozen=True):
    """What every batch of one run has in common."""

    project: Project
    sources: tuple[str, ...] | None
    options: Mapping[str, Mapping[str, object]]
    model: str | None  # as the setting names it; None: no vectors


def send(pipe: IO[bytes], message: object) -> None:
    """One length-prefixed message. Both ends are the same program, so pickle is safe here."""
    body = pickle.dumps(message, protocol=5)
    pipe.write(len(body).to_bytes(8, "little") + body)
    pipe.flush()


def receive(pipe: IO[bytes]) -> object:
    """The next message; EOFError when the other side is gone."""
    head = pipe.read(8)
    if len(head) < 8:
        raise EOFError
    return pickle.loads(pipe.read(int.from_bytes(head, "little")))


def main() -> None:
    """Serve until the pipe closes."""
    inbox, outbox = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a stray print must not break the protocol
    from haversack.index.embed_folder import load_embedder
    from haversack.index.read import read_files
    from haversack.sources.code.grammar import die_when_stuck
    from haversack.sources.registry import load_sources

    try:
        order = receive(inbox)
        assert isinstance(order, Order)
        files = load_sources(order.sources, options=order.options).files
        embedder = None if order.model is None else load_embedder(order.model)
        die_when_stuck()  # a parser that never returns ends this process; the pool names the file and goes on
        gc.disable()  # batches are acyclic data; the collector would walk them for nothing
        while True:
            wanted = receive(inbox)
            assert isinstance(wanted, list)
            send(outbox, read_files(order.project, files, wanted, embedder))
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        return
