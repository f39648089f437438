"""Answers as text within a number of tokens, and cursors to what did not fit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b

from msgspec import Struct

from haversack.errors import UsageError
from haversack.recall.sizes import clip
from haversack.tokens import counter

FEWEST_TOKENS = 100
"""Below this not even the notes on an answer fit."""
MOST_TOKENS = 32_000
"""Hosts refuse or cut what is longer."""
_CURSOR = re.compile(r"(\d{1,9})-([0-9a-f]{6})")


def checked(max_tokens: int) -> int:
    """The number, if an answer can be made with it."""
    if FEWEST_TOKENS <= max_tokens <= MOST_TOKENS:
        return max_tokens
    raise UsageError(f"max_tokens is a number from {FEWEST_TOKENS} to {MOST_TOKENS:,}, not {max_tokens}")


class Cursor(Struct, frozen=True):
    """Where a list goes on: so many entries in, for the same question."""

    asked: str
    start: int = 0

    @classmethod
    def read(cls, given: str, *asked: object) -> Cursor:
        """The place a caller names, or the beginning; UsageError for a cursor of another question."""
        mark = blake2b(repr(asked).encode("utf-8", "replace"), digest_size=3).hexdigest()
        if not given:
            return cls(mark)
        found = _CURSOR.fullmatch(given.strip())
        if found is None or found[2] != mark:
            raise UsageError(
                f"{given[:40]!r} is no cursor of this question", hint="repeat the other arguments as they were"
            )
        return cls(mark, int(found[1]))

    def at(self, start: int) -> str:
        """What a caller gives back to go on there."""
        return f"{start}-{self.asked}"


def page(
    blocks: Sequence[str],
    *,
    max_tokens: int,
    cursor: Cursor,
    notes: Sequence[str] = (),
    limit: int | None = None,
    between: str = "\n",
    empty: str = "Nothing found.",
) -> str:
    """As many blocks as fit from the cursor on, at most `limit`, then the notes, then where it goes on.

    Blocks count from the cursor's beginning, so those before `cursor.start` are there to be passed over.
    """
    count = counter().count
    rest = blocks[cursor.start :]
    shown = len(rest) if limit is None else min(limit, len(rest))
    if not rest:
        return _joined([empty if not cursor.start else "Nothing more."], notes, "", between)
    while True:
        more = len(rest) > shown
        tail = f'More: cursor="{cursor.at(cursor.start + shown)}"' if more else ""
        text = _joined(rest[:shown], notes, tail, between)
        over = count(text) - max_tokens
        if over <= 0:
            return text
        if shown == 1:
            frame = count(_joined([""], notes, tail, between))
            return _joined([clip(rest[0], max(0, max_tokens - frame - 1), count)], notes, tail, between)
        # Half of what is too much at a time would leave room; one by one fills it.
        shown -= max(1, int(shown * over / (over + max_tokens) * 0.9))


def _joined(blocks: Sequence[str], notes: Sequence[str], tail: str, between: str) -> str:
    said = [note for note in (*notes, tail) if note]
    body = between.join(block.rstrip("\n") for block in blocks)
    return "\n\n".join([body, "\n".join(said)]) if said else body
