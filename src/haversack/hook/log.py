"""Where the hook says what happened: a log of its own, since standard error belongs to the host."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from haversack import logs
from haversack.config.places import cache_folder
from haversack.errors import ConfigError

LOG = "hook.log"
LARGEST = 1_000_000  # bytes; then it becomes `hook.log.1`, in place of the one before


def note(what: str, /, *, wrong: bool = False, **fields: logs.Field) -> None:
    """Write an event to the log. A log that cannot be written costs nobody anything."""
    path = log_path(os.environ)
    if path is None:
        return
    with contextlib.suppress(OSError, ValueError):
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_size > LARGEST:
                path.replace(path.with_name(f"{LOG}.1"))
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            logs.start(1, as_json=True, stream=file)
            (logs.warning if wrong else logs.event)(what, **fields)


def log_path(env: Mapping[str, str]) -> Path | None:
    """The log's path: beside the indexes; None where there is no place for them."""
    named = env.get("HAVERSACK_DATA_DIR", "")
    if named:
        return Path(named) / LOG
    try:
        return cache_folder(env) / LOG
    except ConfigError:
        return None
