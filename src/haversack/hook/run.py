"""The hook itself: JSON in, JSON or nothing out, exit code 0 whatever happens."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Mapping

from haversack.hook.hosts import answer, recognise
from haversack.hook.moment import Kind, Moment
from haversack.hook.worth import worth_asking

PATIENCE = 4.0
"""Seconds after which the hook answers nothing. A person waits for it, and hosts do so for 10 seconds or more."""

GRACE = 0.5
"""Seconds more for whoever does not look at the clock: a host that never closes its pipe, a disk that hangs."""

LARGEST = 32_000_000
"""Bytes of a payload. Hosts send a command's whole output; what is larger than this is not one."""


def main() -> int:
    """Answer the payload on standard input."""
    started = time.monotonic()
    guard = threading.Timer(PATIENCE + GRACE, _give_up)
    guard.daemon = True
    guard.start()
    try:
        _answer(started + PATIENCE)
    except Exception as error:
        with contextlib.suppress(Exception):
            _note("failed", wrong=True, error=f"{type(error).__name__}: {error}")
    guard.cancel()
    return 0


def _answer(until: float) -> None:
    if sys.stdin is None or sys.stdin.isatty():
        with contextlib.suppress(OSError):
            os.write(2, b"haversack hook reads the JSON of an agent's hook from standard input.\n")
        return
    payload = _payload(sys.stdin.buffer.read(LARGEST + 1))
    if payload is None:
        return
    moment = recognise(payload)
    if moment is None:
        event = payload.get("hook_event_name")
        _note("unknown host or event", wrong=True, moment=event if isinstance(event, str) else None)
    elif worth_asking(moment):
        _ask(moment, until)


def _payload(raw: bytes) -> Mapping[str, object] | None:
    if len(raw) > LARGEST:
        _note("the payload is too large", wrong=True, bytes=len(raw))
        return None
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError) as error:
        _note("not JSON on standard input", wrong=True, bytes=len(raw), error=str(error))
        return None
    if isinstance(found, dict):
        return found
    _note("no JSON object on standard input", wrong=True, bytes=len(raw))
    return None


def _ask(moment: Moment, until: float) -> None:
    from haversack.hook.ask import TooLateError, ask
    from haversack.hook.meeting import NoMeetingError

    # Only what may bring an answer wakes the helper.
    start = moment.kind not in (Kind.END, Kind.COMPACT)
    try:
        text = ask(moment, until=until, start=start)
        if text:
            _write(answer(moment, text))
    except TooLateError as error:
        _note("gave up", wrong=True, host=moment.host, moment=moment.event, error=str(error))
    except NoMeetingError as error:
        _note("answers by itself", wrong=True, host=moment.host, moment=moment.event, error=str(error))
        _by_itself(moment)


def _by_itself(moment: Moment) -> None:
    """Pack in this process: slower, but nobody else is there."""
    from haversack.hook.desk import Desk

    with contextlib.closing(Desk()) as desk:
        reply = desk.answer(moment)
        if reply.text:
            _write(answer(moment, reply.text))
        reply.delivered()


def _write(line: str) -> None:
    sys.stdout.buffer.write(line.encode("utf-8", "replace") + b"\n")
    sys.stdout.buffer.flush()


def _note(what: str, *, wrong: bool = False, **fields: str | int | float | bool | None) -> None:
    from haversack.hook.log import note

    note(what, wrong=wrong, **fields)


def _give_up() -> None:
    with contextlib.suppress(Exception):
        _note("gave up", wrong=True, error="no end in sight")
    os._exit(0)
