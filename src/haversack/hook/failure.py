"""A failing test or build, as a task: its name in the session, and the lines that say what failed."""

from __future__ import annotations

from msgspec import Struct

from haversack.units.frames import find_frames

MOST_LINES = 80  # from the end: where runners sum up
INNERMOST = 3  # frames that tell one failure from another
LONGEST_COMMAND = 300


class Failure(Struct, frozen=True):
    """`name` is the same for the same failure, `task` what a packet is to be made for."""

    name: str
    task: str


def failure_of(command: str, output: str) -> Failure:
    """What failed: told by its innermost frames, or by the command where there are none."""
    frames = find_frames(output.splitlines())
    places = sorted({f"{frame.path}:{frame.function or frame.line}" for frame in frames[-INNERMOST:]})
    name = " ".join(places) or " ".join(command.split())
    tail = "\n".join(output.splitlines()[-MOST_LINES:])
    return Failure(f"failed {name}"[:1_000], f"{command[:LONGEST_COMMAND]} failed\n{tail}")
