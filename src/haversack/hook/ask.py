"""Ask the helper: a process that has the project open already. It is started when it is not there."""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from typing import TYPE_CHECKING

from haversack.hook.meeting import NoMeetingError, socket_path

if TYPE_CHECKING:
    from haversack.hook.moment import Moment

POLL_SECONDS = 0.005
BLOCK = 65_536


class TooLateError(Exception):
    """The helper has not answered in time; it goes on with what it does, and the next hook finds it done."""


def ask(moment: Moment, *, until: float, start: bool = True) -> str:
    """The helper's text for this moment; NoMeetingError when there can be none, TooLateError after `until`.

    `until` is a time of the monotonic clock. With `start=False` nobody is woken up, and the answer is empty.
    """
    path = socket_path(os.environ)
    with socket.socket(socket.AF_UNIX) as peer:
        if not _reached(peer, path):
            if not start:
                return ""
            _start_helper(path)
            while not _reached(peer, path):
                if time.monotonic() > until:
                    raise TooLateError("the helper did not start")
                time.sleep(POLL_SECONDS)
        try:
            return _asked(peer, moment, until)
        except TimeoutError as error:
            raise TooLateError("the helper is busy") from error
        except OSError as error:
            raise NoMeetingError(f"the helper went away: {error}") from error


def _reached(peer: socket.socket, path: str) -> bool:
    try:
        peer.connect(path)
    except (FileNotFoundError, ConnectionRefusedError):
        return False
    except OSError as error:
        raise NoMeetingError(f"{path}: {error.strerror or error}") from error
    return True


def _asked(peer: socket.socket, moment: Moment, until: float) -> str:
    peer.settimeout(max(0.001, until - time.monotonic()))
    peer.sendall(json.dumps(moment._asdict()).encode())
    peer.shutdown(socket.SHUT_WR)
    blocks = []
    while True:
        peer.settimeout(max(0.001, until - time.monotonic()))
        block = peer.recv(BLOCK)
        if not block:
            break
        blocks.append(block)
    if not blocks:
        raise OSError("it answered nothing")
    reply: dict[str, str] = json.loads(b"".join(blocks))
    return reply["text"]


def _start_helper(path: str) -> None:
    """A process of its own session, tied to nothing of ours: the host waits for whoever holds its pipes."""
    import subprocess

    try:
        subprocess.Popen(
            [sys.executable, "-m", "haversack.hook.helper", path],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd=os.path.dirname(path),
        )
    except OSError as error:
        raise NoMeetingError(f"the helper cannot be started: {error}") from error
