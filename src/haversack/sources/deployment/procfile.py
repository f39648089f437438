"""Procfiles: one piece per process."""

from __future__ import annotations

import re
from typing import Final

from haversack.sources.deployment.piece import Piece

LONGEST_COMMAND: Final = 200  # characters of a command that stand in a summary
_PROCESS: Final = re.compile(r"(?P<name>[A-Za-z][\w-]*):\s*(?P<command>.+)")


def pieces(text: str) -> list[Piece]:
    """The processes in order."""
    return [
        Piece(
            number,
            number,
            "process",
            found["name"],
            f"process {found['name']}",
            qualname=found["name"],
            doc=found["command"][:LONGEST_COMMAND],
            names=(found["name"],),
        )
        for number, line in enumerate(text.split("\n"), 1)
        if (found := _PROCESS.match(line))
    ]
