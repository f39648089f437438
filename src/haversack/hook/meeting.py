"""Where the hook and the process that answers it meet: a socket in a folder only this user can enter."""

from __future__ import annotations

import os
import stat
import sys
import zlib
from collections.abc import Mapping

from haversack import __version__

ENVIRONMENT = ("HAVERSACK_", "XDG_", "HOME", "PYTHONPATH")
"""Variables that decide which files and settings are used: with other ones, another process answers."""


class NoMeetingError(Exception):
    """There is no place where hook and helper can meet."""


def meeting_folder(env: Mapping[str, str]) -> str:
    """A folder of this user alone, made when it is not there; NoMeetingError where there can be none."""
    if sys.platform == "win32":
        raise NoMeetingError("no sockets in the file system here")
    base = env.get("XDG_RUNTIME_DIR", "")
    if not (base and os.path.isabs(base) and os.path.isdir(base)):
        base = env.get("TMPDIR") or "/tmp"
    folder = os.path.join(base, f"haversack-{os.getuid()}")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        found = os.lstat(folder)
    except OSError as error:
        raise NoMeetingError(f"{folder}: {error.strerror}") from error
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise NoMeetingError(f"{folder} is not this user's alone")
    return folder


def socket_path(env: Mapping[str, str]) -> str:
    """The socket's path, its folder made; NoMeetingError where there can be none."""
    folder = meeting_folder(env)
    said = "\0".join(f"{name}={env[name]}" for name in sorted(env) if name.startswith(ENVIRONMENT))
    mark = zlib.crc32("\0".join((__version__, sys.executable, said)).encode("utf-8", "surrogateescape"))
    return os.path.join(folder, f"hook-{mark:08x}.sock")
