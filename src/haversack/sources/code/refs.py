"""Names a piece of code uses, found by one pass of one pattern over its text.

A tree would tell the same at several times the price. Strings and comments match without the group, so what they
say is not a use.
"""

from __future__ import annotations

import re

MOST_REFS = 200  # of one unit; what uses more names is a table, and its first names stand for it
TOO_SHORT = 2  # characters: type parameters and loop variables

# What is never closed reaches to the end: looking for the end again from every opening would take forever.
C_COMMENTS = r"//.*+|/\*[\s\S]*?(?:\*/|\Z)"
HASH_COMMENTS = r"\#.*+"
DASH_COMMENTS = r"--.*+"
DOUBLE = r'"(?:[^"\\\n]++|\\.)*+"?'
SINGLE = r"'(?:[^'\\\n]++|\\.)*+'?"
CHARACTER = r"'(?:[^'\\\n]|\\.[^'\n]{0,8})'"  # languages in which a lone quote means something else
BACKTICK = r"`(?:[^`\\]++|\\.)*+`?"
TRIPLE = r'"""[\s\S]*?(?:"""|\Z)|\'\'\'[\s\S]*?(?:\'\'\'|\Z)'

CALLS = r"\("


def pattern(*silent: str, calls: str = CALLS, more: str = "") -> re.Pattern[str]:
    """Group 1: capitalised words, words before what matches `calls`, and whatever `more` matches."""
    word = rf"[A-Z]\w*+|[a-z_]\w*+(?={calls})"
    # Words come first because most of a text is words; one that is no use is swallowed whole by the second branch.
    return re.compile(rf"({word}{more})|\w++|{'|'.join(silent)}")


PLAIN = pattern(r"(?!)")  # for languages without rules: strings and comments cannot be told from the rest


def uses(text: str, found: re.Pattern[str], skipped: frozenset[str], own: tuple[str, ...]) -> tuple[str, ...]:
    """The names in order of appearance, each once."""
    names = dict.fromkeys(found.findall(text))
    kept = [name for name in names if len(name) >= TOO_SHORT and name not in skipped and name not in own]
    return tuple(kept[:MOST_REFS])


def words(text: str) -> frozenset[str]:
    """A table of words, written as one string."""
    return frozenset(text.split())
