"""The helper: keeps projects open for the hooks of running sessions, and ends by itself.

It ends when the last session says that it ends, when nobody asked for a while (`hook.linger_minutes`), or when its
socket is no longer there. It holds no lock that a hook waits for: without it, the next hook starts another.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import json
import os
import socket
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from haversack.hook.moment import Kind, Moment

if TYPE_CHECKING:
    from haversack.hook.desk import Desk

LOOK_SECONDS = 1.0  # how often it looks whether it is still wanted
ASKING_SECONDS = 5.0  # for a hook to say what it wants
LEAVING_SECONDS = 10.0  # for one that is ending, or beginning, to be done with it
LEAVING_LOOK_SECONDS = 0.01
BLOCK = 65_536
MOST_UNTIDY = 50  # answers in a row without a second's pause, after which garbage is collected all the same


class Helper:
    """Answers one hook per thread; the desk says who has to wait for whom."""

    def __init__(self, path: Path, desk: Desk) -> None:
        self._path = path
        self._desk = desk
        self._lock = threading.Lock()
        self._sessions: set[str] = set()
        self._asked = time.monotonic()
        self._busy = 0
        self._ended = False
        self._answered = 0

    def serve(self) -> None:
        """Answer until nobody needs it."""
        gc.disable()  # a quarter of an answer's time; it is made up for when nobody waits
        with socket.socket(socket.AF_UNIX) as listening:
            # It listens before anybody finds it: who is refused starts another. Names of sockets must be short.
            unheard = self._path.with_suffix(f".{os.getpid() % 10_000}")
            unheard.unlink(missing_ok=True)
            listening.bind(str(unheard))
            listening.listen(16)
            listening.settimeout(LOOK_SECONDS)
            mark = unheard.stat().st_ino
            unheard.replace(self._path)
            while self._is_wanted(mark):
                try:
                    peer, _ = listening.accept()
                except TimeoutError:
                    self._tidy(1)
                    continue
                self._tidy(MOST_UNTIDY)
                with self._lock:
                    self._busy += 1
                threading.Thread(target=self._answer, args=(peer,), daemon=True).start()
            with contextlib.suppress(OSError):
                if self._path.stat().st_ino == mark:
                    self._path.unlink()

    def _tidy(self, least: int) -> None:
        if self._answered >= least:
            self._answered = 0
            gc.collect()

    def _is_wanted(self, mark: int) -> bool:
        with self._lock:
            if self._busy:
                return True
            if self._ended or time.monotonic() - self._asked >= self._desk.linger_seconds:
                return False
        try:
            return self._path.stat().st_ino == mark
        except OSError:
            return False

    def _answer(self, peer: socket.socket) -> None:
        try:
            with peer:
                peer.settimeout(ASKING_SECONDS)
                moment = _heard(peer)
                self._remember(moment)
                reply = self._desk.answer(moment)
                peer.sendall(json.dumps({"text": reply.text}).encode())
            # Only now: what a hook that gave up never passed on was not given.
            reply.delivered()
        except OSError as error:
            self._desk.note("a hook went away", error=str(error))
        except Exception as error:
            self._desk.note("failed", error=f"{type(error).__name__}: {error}")
        finally:
            with self._lock:
                self._busy -= 1
                self._answered += 1
                self._asked = time.monotonic()

    def _remember(self, moment: Moment) -> None:
        with self._lock:
            if moment.kind is Kind.END:
                self._sessions.discard(moment.ledger)
            else:
                self._sessions.add(moment.ledger)
            self._ended = not self._sessions


def _heard(peer: socket.socket) -> Moment:
    blocks = []
    while block := peer.recv(BLOCK):
        blocks.append(block)
    said = json.loads(b"".join(blocks))
    return Moment(**said | {"kind": Kind(said["kind"])})


def _is_ours(lock: TextIO, path: str) -> bool:
    """Whether nobody else serves. One without a socket is about to begin or about to end: that is waited for."""
    until = time.monotonic() + LEAVING_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if os.path.exists(path) or time.monotonic() > until:
                return False
            time.sleep(LEAVING_LOOK_SECONDS)
        else:
            return True


def main() -> None:
    """Serve on the socket named; whoever comes second leaves."""
    path = sys.argv[1]
    with open(f"{path}.lock", "w", encoding="utf-8") as lock:
        if not _is_ours(lock, path):
            return
        from haversack.hook.desk import Desk

        with contextlib.closing(Desk()) as desk:
            Helper(Path(path), desk).serve()


if __name__ == "__main__":
    main()
