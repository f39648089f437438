"""Tell text that would tie a parser in knots from code, in a fraction of the time of parsing it."""

from __future__ import annotations

import re

DEEPEST = 500  # open brackets at once; the deepest of 18,000 real files has 103, and 30,000 overflow the parser's stack
# Punctuation's share of what is not blank. Of 8,000 real files one in a hundred has more, and most of them are data;
# random text has 0.33 and what ties parsers in knots has more.
DENSE = 0.3
_BRACKETS = b"([{)]}"
_OTHERS = bytes(byte for byte in range(256) if byte not in _BRACKETS)
_NOT_PUNCTUATION = bytes(byte for byte in range(256) if not 33 <= byte < 127 or chr(byte).isalnum() or byte == 95)
_BLANK = b" \t\n\r"
_OPENS = bytes(byte in b"([{" for byte in range(256))
_STATEMENT_ENDS = re.compile(rb"[;{}]")


def tangled(data: bytes) -> bool:
    """Whether brackets nest so deeply, closed or not, that no one wrote this by hand."""
    return _deep_brackets(data) or _deep_angles(data)


def dense(data: bytes) -> bool:
    """Whether there is more punctuation than in code."""
    return len(data.translate(None, _NOT_PUNCTUATION)) > DENSE * len(data.translate(None, _BLANK))


def _deep_brackets(data: bytes) -> bool:
    brackets = data.translate(None, _OTHERS)
    if len(brackets) <= DEEPEST:
        return False
    import numpy as np

    opens = np.frombuffer(brackets.translate(_OPENS), np.uint8).astype(np.int32)
    depth = np.cumsum(opens * 2 - 1)
    # Closing brackets in strings and shell patterns must not hide a deep nest after them: count from the lowest point.
    return bool((depth - np.minimum.accumulate(depth)).max() > DEEPEST)


def _deep_angles(data: bytes) -> bool:
    """`a<b<c<…`: type arguments that never close. Shifts and comparisons end with their statement."""
    if data.count(b"<") <= DEEPEST:
        return False
    return any(
        part.count(b"<") - 2 * part.count(b"<<") - part.count(b">") > DEEPEST for part in _STATEMENT_ENDS.split(data)
    )
