"""What changes from one line to the next is masked, so that lines written by one statement become equal."""

from __future__ import annotations

import re
from typing import Final

WILD: Final = "<*>"
LONGEST_MASKED: Final = 2_000  # characters of a line that decide its pattern: bounds every expression below
MEMO_WORDS: Final = 1 << 17  # words whose masks are remembered; a log repeats few words very often

_SHAPES: Final = re.compile(
    r"""
      (?<![\w.])[a-z][a-z+.-]{0,20}://\S+                                           # addresses
    | (?<![\w/.])(?:[\w.-]+)?(?:/[\w.$@%+~:-]+)+/?(?:\?[^\s"']*)?                   # paths
    | (?<!\w)[A-Za-z]:\\[^\s"',;]*
    | \b[\w-]+(?:\.[\w-]+)+:\d+\b                                                   # a host and its port
    | \b[A-Za-z]+\(\d+\)                                                            # one of several by its number
    | (?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{1,4}(?![\w:])                # network addresses
    """,
    re.VERBOSE,
)
_SHAPED: Final = re.compile(r"[/\\:(]")
_BREAKS: Final = re.compile(r"[\s,;:=()\[\]{}\"'<>|]+")
_VARIABLE: Final = re.compile(r"[\d*]")
_NUMBERS: Final = re.compile(r"\d+")
# A size said a second time in parentheses, which small ones go without.
_ASIDE: Final = re.compile(r"\s?\([\d.,]+\s?(?:[KMGT]i?B|bytes)\)")
# Units change with the amount: `900 B`, `1.2 KB`. Names of days and months stand in dates.
_UNITS: Final = frozenset(
    {"s", "sec", "secs", "second", "seconds", "ms", "minute", "minutes", "hour", "hours", "day", "days"}
    | {"B", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB"}
)
_CALENDAR: Final = frozenset(
    {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "AM", "PM", "UTC", "GMT", "EST", "EDT", "CST", "CDT", "PST"}
    | {"PDT", "CET", "CEST", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
)
_PERSON: Final = frozenset({"user", "username"})  # whoever it is, the statement is the same


def mask(line: str) -> tuple[str, ...]:
    """The words of a line with everything variable replaced; neighbouring wild cards are one."""
    line = _NUMBERS.sub("0", line[:LONGEST_MASKED])
    if "B)" in line or "bytes)" in line:
        line = _ASIDE.sub(" ", line)
    words: list[str] = []
    before = ""
    for token in line.split():
        pieces = _PIECES[token]
        if before in _PERSON and pieces:
            pieces = (WILD, *pieces[1:])
        for word in pieces:
            if word != WILD:
                if before != WILD or word not in _UNITS:
                    words.append(word)
            else:
                while words and words[-1] in _CALENDAR:
                    words.pop()
                if not words or words[-1] != WILD:
                    words.append(WILD)
            before = word
        before = before.lower() if before != WILD else WILD
    return tuple(words)


class _Pieces(dict[str, tuple[str, ...]]):
    """A token's words, masked, remembered."""

    def __missing__(self, token: str) -> tuple[str, ...]:
        if len(self) >= MEMO_WORDS:
            self.clear()
        shaped = _SHAPES.sub("*", token) if _SHAPED.search(token) else token
        words = (word for word in _BREAKS.split(shaped) if word)
        found = self[token] = tuple(WILD if _VARIABLE.search(word) else word for word in words)
        return found


_PIECES: Final = _Pieces()
