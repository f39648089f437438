"""JSON records of lines that may be torn, damaged, too long or something else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from haversack.sources.conversation.message import Counts

if TYPE_CHECKING:
    from haversack.sources.conversation.lines import Line

DAMAGED: Final = (msgspec.MsgspecError, ValueError, RecursionError)
_decode = msgspec.json.Decoder().decode


def decoded(line: Line, counts: Counts) -> dict[str, object] | None:
    """The record of a line; None for a blank, torn, damaged or overlong one, of which the last two are counted."""
    if line.body is None:
        counts.too_long.append(line.number)
        return None
    if not line.body.strip():
        return None
    try:
        found = _decode(line.body)
    except DAMAGED:
        found = None
    if isinstance(found, dict):
        counts.records += 1
        return found
    if line.complete:  # the last line of a file that is being written is torn, and whole the next time
        counts.damaged.append(line.number)
    return None
