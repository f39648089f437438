"""An advisory lock: only one process at a time runs a large build. Small updates need none."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

POLL_SECONDS = 0.1


def _try_lock(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def building(folder: Path, *, wait: bool) -> Iterator[bool]:
    """Whether this process may build; with `wait`, True sooner or later: the system frees a dead holder's lock."""
    handle = os.open(folder / "building.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        held = _try_lock(handle)
        while wait and not held:
            time.sleep(POLL_SECONDS)
            held = _try_lock(handle)
        yield held
    finally:
        os.close(handle)
