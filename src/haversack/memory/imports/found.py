"""What a reader of another tool's files hands over, and how foreign records get names that stay."""

from __future__ import annotations

from hashlib import blake2b

from msgspec import Struct

from haversack.memory.nouns import Memory, Record, Reward
from haversack.model import Problem

LONGEST = 20_000
"""Characters kept of one text of another tool: transcripts of whole sessions stand in some of them."""


class Found(Struct, frozen=True):
    """One thing that was read: exactly one of these, or a problem in its place."""

    memory: Memory | None = None
    experience: Record | None = None
    reward: Reward | None = None
    problem: Problem | None = None
    own: bool = False
    """Whether haversack itself wrote it: then it is stored as it is, whatever says the same."""
    unknown: str = ""
    """What kind of record it is, when it is none that can be remembered."""


def foreign_id(*parts: object) -> str:
    """The same name for the same record at every import."""
    whole = "\0".join(map(str, parts)).encode("utf-8", "surrogatepass")
    return "m" + blake2b(whole, digest_size=6).hexdigest()


def shortened(text: str) -> str:
    """The text, or how it begins when it is too long to be a memory."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()}\n[{len(text) - LONGEST:,} more characters]"
