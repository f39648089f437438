"""The one way to a file outside the project: only what a source declared, and only a plain file of a sane size.

The decision is made on the file that was opened, not on its name, so nothing swapped in between slips through.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from typing import BinaryIO

from haversack.errors import SourceError
from haversack.project.gate import OPEN_FLAGS, path_of

_WAY_OUT = "Only plain files that a source declares are read outside the project."


def declare(*places: str) -> tuple[str, ...]:
    """Files and folders a source may read, links in their own names followed once."""
    return tuple(dict.fromkeys(os.path.realpath(place) for place in places))


def open_declared(path: str, declared: Sequence[str], *, most_bytes: int) -> BinaryIO:
    """Open a file that is one of `declared` or lies inside one; SourceError says why not."""
    if "\0" in path:
        raise SourceError("a path cannot contain a NUL character", hint=_WAY_OUT)
    try:
        real = os.path.realpath(path, strict=True)
        # Opening a device can have effects of its own, so its kind is checked before as well as after.
        _require(real, os.lstat(real), declared, path, most_bytes)
        descriptor = os.open(real, OPEN_FLAGS)
    except OSError as error:
        what = error.strerror or str(error)
        raise SourceError(f"{path} cannot be read: {what}", hint="Check that it is there and yours to read.") from None
    try:
        opened = os.fstat(descriptor)
        _require(path_of(descriptor, real, opened), opened, declared, path, most_bytes)
    except BaseException:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "rb")


def is_declared(real: str, declared: Sequence[str]) -> bool:
    """Whether a path without links is one of these places or inside one."""
    return any(real == place or real.startswith(os.path.join(place, "")) for place in declared)


def _require(real: str, found: os.stat_result, declared: Sequence[str], shown: str, most_bytes: int) -> None:
    if not is_declared(real, declared):
        raise SourceError(f"{shown} leads to {real or 'another file'}, which no source declares", hint=_WAY_OUT)
    if not stat.S_ISREG(found.st_mode):
        raise SourceError(f"{shown} is not a plain file", hint=_WAY_OUT)
    if found.st_size > most_bytes:
        raise SourceError(f"{shown} has {found.st_size:,} bytes", hint=f"At most {most_bytes:,} are read; split it.")
