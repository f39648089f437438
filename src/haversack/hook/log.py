"""Where the hook says what happened: a log of its own, since standard error belongs to the host."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from haversack import logs
from haversack.config.places import cache_folder
from haversack.errors import ConfigError
from haversack.hook.meeting import NoMeetingError, meeting_folder

LOG = "hook.log"
LARGEST = 1_000_000  # bytes; then it becomes `hook.log.1`, in place of the one before


def note(what: str, /, *, wrong: bool = False, **fields: logs.Field) -> None:
    """Write an event to the first log that takes it. Where none does, that costs nobody anything."""
    line = logs.line("warning" if wrong else "info", what, time.time(), **fields)
    for path in _logs(os.environ):
        with contextlib.suppress(OSError, ValueError):
            _append(path, line)
            return


def _append(path: Path, line: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_size > LARGEST:
            path.replace(path.with_name(f"{LOG}.1"))
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


def _logs(env: Mapping[str, str]) -> Iterator[Path]:
    """Beside the indexes; beside the helper's socket where that cannot be written, as on a full disk."""
    with contextlib.suppress(ConfigError):
        yield Path(env.get("HAVERSACK_DATA_DIR") or cache_folder(env)) / LOG
    with contextlib.suppress(NoMeetingError):
        yield Path(meeting_folder(env)) / LOG
