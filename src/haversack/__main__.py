"""`python -m haversack`, and the program `haversack`: hooks first, because an agent waits for each of them."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the program and leave with its exit code."""
    if sys.argv[1:] == ["hook"]:
        from haversack.hook.run import main as hook

        sys.exit(hook())
    from haversack.cli.main import main as program

    program()


if __name__ == "__main__":
    main()
