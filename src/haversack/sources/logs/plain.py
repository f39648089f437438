"""Plain text: a line's head says when, how severe, and from which process."""

from __future__ import annotations

import re
from typing import Final

from haversack.sources.logs.severity import level_named, level_of

# What stands before the message: dates and clocks in any notation, levels, processes, bracketed threads.
_HEAD: Final = re.compile(
    r"""(?:\s*(?:
        \[?(?:[A-Z][a-z]{2},?\s)?[A-Z][a-z]{2}\s{1,2}\d{1,2}\s[\d:.,]{5,15}(?:\s\d{4})?\]?
      | \[?\d{1,2}[/ -][A-Z][a-z]{2}[/ -]\d{4}[:\sT][\d:.,]{5,15}(?:\s[+-]\d{4})?\]?
      | [\[(]?[\d./:,T_+-]{4,40}Z?[\])]?(?=[\s\[\]|:-])
      | [\[<(]?\s?(?:TRACE|DEBUG|VERBOSE|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|SEVERE|CRIT(?:ICAL)?|FATAL
                 |trace|debug|info|notice|warn(?:ing)?|error|crit|fatal|Info|Error|Warning)\s?[\]>)]?:?(?=\s|$)
      | \[[^\]\s]{1,60}\](?=\s)
      | \d{1,10}(?=\s) | [-|](?=\s)
    )\s*){1,8}""",
    re.VERBOSE,
)
_LETTER: Final = re.compile(r"(?:^|\s)(?P<level>[VDIWEF])(?=\s+\w|/\w)")  # Android
_GLOG: Final = re.compile(r"(?P<level>[IWEF])\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ (?:\S+:\d+\] )?")


def head(line: str) -> tuple[str, str]:
    """Level and message."""
    glog = _GLOG.match(line)
    if glog:
        return level_named(glog["level"]), line[glog.end() :]
    found = _HEAD.match(line)
    message = line[found.end() :] if found else line
    level = level_of(line)
    letter = _LETTER.match(message) if found and len(message) > 2 else None
    if letter:
        return level_named(letter["level"]), message[letter.end() :].lstrip(" /")
    return level, message or line
