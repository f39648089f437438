"""Is a value a secret, or a word, a name, a placeholder?"""

from __future__ import annotations

import re

from haversack.patterns import lazily

_PLACEHOLDER = lazily(
    r"""(?: [x*._#-]+ | \[redacted:.* | .*(?:\$\{|\{\{|%\(|<\w).* | [<$%{\[(].*
      | (?:your|my|the|some|any|change|replace|insert|enter|dummy|fake|example|sample|placeholder|redacted|secret
         |default|pass|pwd|token|api[_-]?key|test(?!\d)|foo|bar|null|none|nil|undefined|true|false|string|required|optional
         |hidden|invalid|unknown|missing|empty)
        [a-z_.-]*\d{0,4} )$""",
    re.VERBOSE | re.IGNORECASE,
)
# Words, numbers and runs of capitals in a value. Names are made of few long ones, random text of many short ones:
# random letters and digits average 1.6 characters a piece, lower case with digits 2.5, CamelCase names 5.
_PIECE = lazily(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
OPAQUE_PIECE = 3
# With this many separate numbers in it, a value of longer pieces is no name either.
OPAQUE_NUMBERS = 3
OPAQUE_PIECE_AMONG_NUMBERS = 5
OPAQUE_MIN_CHARS = 8
_IDENTIFIER_PATH = lazily(r"[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)*$")
_WORD_ENDS = lazily(r"[_.:>-]+")
_WORDS = lazily(r"[A-Za-z]+(?:[_.:/-]+[A-Za-z]+)+$")
_FILE_OR_LINK = lazily(r"(?:\.{0,2}/|~/|[a-z]+://)|[\w./-]+\.[a-z]{1,5}$")
_CODE = lazily(r"[(\[{]|->|::")
_DIGIT = lazily(r"[0-9]")
_DIGIT_OR_SYMBOL = lazily(r"[0-9!@#$%^&*+?]")


def is_placeholder(value: str) -> bool:
    """Whether a value only stands where a secret would."""
    return len(set(value)) < 3 or _PLACEHOLDER.match(value) is not None


def is_opaque(value: str) -> bool:
    """Whether a value is made of so many small pieces that nobody chose it as a name."""
    pieces = _PIECE.findall(value)
    chars = sum(map(len, pieces))
    numbers = sum(piece.isdigit() for piece in pieces)
    if chars < OPAQUE_MIN_CHARS or not numbers:
        return False
    longest = OPAQUE_PIECE_AMONG_NUMBERS if numbers >= OPAQUE_NUMBERS else OPAQUE_PIECE
    return len(pieces) * longest >= chars


def is_expression(value: str) -> bool:
    """Whether a value without quotes is a name in a program rather than text."""
    # Word by word: `cast_to_fp8` has small pieces too.
    return _IDENTIFIER_PATH.match(value) is not None and not any(map(is_opaque, _WORD_ENDS.split(value)))


def is_words(value: str) -> bool:
    """Whether a value is several words joined, as in `user-password`."""
    return _WORDS.match(value) is not None


def is_file_or_link(value: str) -> bool:
    """Whether a value names a file or a page."""
    return _FILE_OR_LINK.match(value) is not None


def has_digit(value: str) -> bool:
    return _DIGIT.search(value) is not None


def has_digit_or_symbol(value: str) -> bool:
    return _DIGIT_OR_SYMBOL.search(value) is not None


def is_plausible(value: str) -> bool:
    """Whether what the engine's own general rule found can be a secret: it also takes expressions for values."""
    return is_opaque(value) and not (_CODE.search(value) or is_placeholder(value) or is_file_or_link(value))
