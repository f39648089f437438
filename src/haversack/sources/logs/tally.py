"""Counts lines by what they say, at the speed of reading: equal lines are counted in bulk, looked at once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from haversack.sources.logs.masks import mask
from haversack.sources.logs.templates import Words, merge

# A line's level and its message without time, level and process.
Head: TypeAlias = Callable[[str], tuple[str, str]]

MEMO_LINES: Final = 200_000  # lines, digits aside, whose pattern is remembered: some 40 MB
MOST_KEYS: Final = 20_000  # different masked lines kept apart; beyond, they are merged and the rarest dropped
LONGEST_EXAMPLE: Final = 1_000  # bytes
HEADER_CHARS: Final = 120  # of a line, where its time stands
# When every line seems new, it is hexadecimal numbers that differ: those are worth a second pass over the text.
MANY_MISSES: Final = 0.2
JUDGED_LINES: Final = 2_000
FEW_LINES: Final = 200  # too few to judge by

_DIGITS: Final = bytes.maketrans(b"0123456789\r\t", b"0000000000  ")
_RUNS: Final = (b"0000000", b"0000", b"000", b"00", b"00")
_HEXADECIMAL: Final = re.compile(rb"0[a-f][0a-f]*")


class Seen(Struct, frozen=True):
    """A masked line: how often, where first and last, how the first and last began (times), and the last in full."""

    count: int
    first: int
    last: int
    begins: bytes
    ends: bytes
    example: bytes

    def then(self, later: Seen) -> Seen:
        """Both together; `later` may also be earlier."""
        begin, end = min(self, later, key=lambda s: s.first), max(self, later, key=lambda s: s.last)
        return Seen(self.count + later.count, begin.first, end.last, begin.begins, end.ends, end.example)


class Key(Struct, frozen=True):
    """What a masked line is known by."""

    level: str
    words: Words


NOTHING: Final = Key("", ())


class Tally:
    """Lines counted by level and masked words."""

    def __init__(self, head: Head) -> None:
        self._head = head
        self._memo: dict[bytes, Key] = {}
        self._squeeze_more = False
        self.seen: dict[Key, Seen] = {}
        self.dropped = 0

    def add(self, lines: Sequence[bytes], numbers: Sequence[int], originals: Sequence[bytes] | None = None) -> None:
        """Count lines; `numbers` are where they stand, `originals` how they look where that differs."""
        originals = originals or lines
        if not self.seen and len(lines) > JUDGED_LINES:  # learn from a few lines how the rest is best counted
            self.add(lines[:JUDGED_LINES], numbers[:JUDGED_LINES], originals[:JUDGED_LINES])
            lines, numbers, originals = lines[JUDGED_LINES:], numbers[JUDGED_LINES:], originals[JUDGED_LINES:]
        if not lines:
            return
        keys = self._coarse(b"\n".join(lines)).split(b"\n")
        counts = Counter(keys)
        last = dict(zip(keys, range(len(keys)), strict=True))
        first = dict(zip(reversed(keys), range(len(keys) - 1, -1, -1), strict=True))
        misses = 0
        for coarse, count in counts.items():
            one, other = first[coarse], last[coarse]
            key = self._memo.get(coarse)
            if key is None:
                misses += 1
                key = self._look(coarse, lines[one])
            if key.words:
                begins, ends = lines[one][:HEADER_CHARS], lines[other][:HEADER_CHARS]
                example = originals[other][:LONGEST_EXAMPLE]
                self.put(key, Seen(count, numbers[one], numbers[other], begins, ends, example))
        self._squeeze_more = self._squeeze_more or misses > max(MANY_MISSES * len(lines), FEW_LINES)
        if len(self.seen) > MOST_KEYS:
            self.merge_down(MOST_KEYS // 2)

    def put(self, key: Key, seen: Seen) -> None:
        """Count what was counted elsewhere."""
        have = self.seen.get(key)
        self.seen[key] = have.then(seen) if have else seen

    def take_back(self, key: Key) -> None:
        """One line less, because it will be read again."""
        have = self.seen.get(key)
        if have and have.count > 1:
            self.seen[key] = replace(have, count=have.count - 1)
        elif have:
            del self.seen[key]

    def key_of(self, line: bytes) -> Key:
        """What a line is counted under; no words when it is not counted."""
        if b"\0" in line:
            return NOTHING
        level, message = self._head(readable(line[: 2 * LONGEST_EXAMPLE].decode("utf-8", "replace")))
        return Key(level, mask(message))

    def templates(self) -> dict[Key, Words]:
        """Each key's template. Lines of different levels are never one."""
        found: dict[Key, Words] = {}
        for level in sorted({key.level for key in self.seen}):
            mine = {key.words: seen.count for key, seen in self.seen.items() if key.level == level}
            found |= {Key(level, words): template for words, template in merge(mine).items()}
        return found

    def merge_down(self, most: int) -> None:
        """Keep at most so many keys: first templates instead of lines, then the most frequent of those."""
        self._memo.clear()
        merged: dict[Key, Seen] = {}
        for key, template in self.templates().items():
            into = Key(key.level, template)
            merged[into] = merged[into].then(self.seen[key]) if into in merged else self.seen[key]
        kept = sorted(merged.items(), key=lambda pair: (-pair[1].count, pair[1].first))
        self.dropped += sum(seen.count for _, seen in kept[most:])
        self.seen = dict(sorted(kept[:most], key=lambda pair: pair[1].first))

    def _look(self, coarse: bytes, line: bytes) -> Key:
        if len(self._memo) >= MEMO_LINES:
            self._memo.clear()
        key = self._memo[coarse] = self.key_of(line)
        return key

    def _coarse(self, text: bytes) -> bytes:
        """The text with every number made 0: what differs only in numbers becomes equal without being looked at."""
        text = text.translate(_DIGITS)
        for run in _RUNS:
            text = text.replace(run, b"0")
        if self._squeeze_more:
            # Letters after a digit, then, backwards, before it: words with digits in them are masked in any case.
            text = _HEXADECIMAL.sub(b"0", text)
            text = _HEXADECIMAL.sub(b"0", text[::-1])[::-1]
        return text


def readable(text: str) -> str:
    """The text without colours and control characters: nothing in it that a terminal would obey."""
    return _CONTROL.sub("\ufffd", _COLOURS.sub("", text)).rstrip()


_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1e\x7f\x80-\x9f]")
