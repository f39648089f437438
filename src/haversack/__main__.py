"""`python -m haversack`, and the program `haversack`: hooks first, because an agent waits for each of them."""

from __future__ import annotations

import gc
import sys

COLLECT_AFTER = 100_000  # new objects; Python's own 700 would have it look through an open index many times a second


def main() -> None:
    """Run the program and leave with its exit code."""
    if sys.argv[1:] == ["hook"]:
        from haversack.hook.run import main as hook

        sys.exit(hook())
    # Most commands end before there is garbage in circles worth looking for; a server still looks, less often.
    gc.set_threshold(COLLECT_AFTER)
    from haversack.cli.main import main as program

    program()


if __name__ == "__main__":
    main()
