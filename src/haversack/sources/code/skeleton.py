"""Empty the bodies of functions before parsing: what they hold is no definition, and it is most of the text.

Only bodies whose end is beyond doubt are emptied: by indentation, the way formatters write it. Newlines stay, so
lines keep their numbers. For C this halves the time to parse and hides the macros that parsers stumble over.
"""

from __future__ import annotations

import re

# A body that opens at the end of a line at column 0, or alone there, and closes with `}` at column 0. Lines in it are
# indented, blank, directives, comments or labels.
AT_COLUMN_ZERO = re.compile(
    rb"""(?: ^\{[\ \t]*\n
           | ^(?!(?:struct|union|enum|typedef|extern)\b[^\n()]*\{) [A-Za-z_][^\n;]*\)[^\n;=()]*\{[\ \t]*\n
         )
         ( (?: [\ \t#/*][^\n]*\n | \n | \w+:[^\n{]*\n )++ )
         (?=\})""",
    re.MULTILINE | re.VERBOSE,
)
# The same at any indentation: lines in it are indented further than the line that opens it.
AT_ANY_COLUMN = re.compile(
    rb"""(?: ^ (?![^\n]*\b(?:class|struct|union|enum|namespace|extern|concept|requires)\b)
             ([\ \t]*+) [^\s#/][^\n;{}]*\)[^\n;{}=()]*\{[\ \t]*\n
         )
         ( (?: \1[\ \t]++[^\n]*\n | [\ \t]*\n | \#[^\n]*\n )++ )
         (?=\1\})""",
    re.MULTILINE | re.VERBOSE,
)


def emptied(data: bytes, bodies: re.Pattern[bytes]) -> bytes:
    """The text with the last group of each match reduced to its newlines."""
    return bodies.sub(_newlines, data)


def _newlines(match: re.Match[bytes]) -> bytes:
    last = match.re.groups
    inside = match.start(last) - match.start()
    return match[0][:inside] + b"\n" * match[last].count(b"\n")
