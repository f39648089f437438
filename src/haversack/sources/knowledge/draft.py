"""What a parser of one kind of knowledge file hands back: pieces with their lines, before they become units."""

from __future__ import annotations

from msgspec import Struct, field

from haversack.model import MetaValue, Status


class Draft(Struct):
    """Lines `first`..`last` (0-based). `key` names it for good; `inside` is what it stands in, None for the file."""

    kind: str
    title: str
    first: int
    last: int
    key: str
    inside: Draft | None = None
    status: Status = Status.LIVE
    time: float | None = None
    meta: dict[str, MetaValue] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
