"""`python -m haversack`, and the program `haversack`: hooks first, because an agent waits for each of them."""

from __future__ import annotations

import gc
import sys
from typing import NoReturn

COLLECT_AFTER = 100_000  # new objects; Python's own 700 would have it look through an open index many times a second


def main() -> None:
    """Run the program and leave with its exit code."""
    if sys.argv[1:] == ["hook"]:
        from haversack.hook.run import main as hook

        sys.exit(hook())
    # Most commands end before there is garbage in circles worth looking for; a server still looks, less often.
    gc.set_threshold(COLLECT_AFTER)
    from haversack.cli.main import main as program

    try:
        program()
    except SystemExit as left:
        _leave(left)


def _leave(left: SystemExit) -> NoReturn:
    """End as Python would, but for taking an index and a vocabulary apart, a tenth of what a packet takes in all."""
    import atexit
    import os
    import threading

    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        raise left from None  # Python says what became of them
    others = (each for each in threading.enumerate() if each is not threading.main_thread())
    if not isinstance(left.code, int) or any(not each.daemon for each in others):
        raise left
    atexit._run_exitfuncs()
    os._exit(left.code)


if __name__ == "__main__":
    main()
