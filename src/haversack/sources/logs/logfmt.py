"""logfmt: `ts=… level=info msg="…" key=value`."""

from __future__ import annotations

import re
from typing import Final

from haversack.sources.logs.severity import level_named, level_of

_PAIR: Final = re.compile(
    r"""(?P<key>[A-Za-z_][\w.@-]{0,60})=(?P<value>"(?:[^"\\]|\\.){0,4000}"|[^\s"]{0,4000})(?=\s|$)"""
)
_LEVELS: Final = frozenset({"level", "lvl", "severity", "log_level"})
_TIMES: Final = frozenset({"ts", "time", "timestamp", "t", "at"})
FEWEST_PAIRS: Final = 3  # of a line; fewer are often part of a sentence


def is_logfmt(line: str) -> bool:
    """Whether a line is made of pairs."""
    return bool(_PAIR.match(line)) and len(_PAIR.findall(line)) >= FEWEST_PAIRS


def head(line: str) -> tuple[str, str]:
    """Level, and all pairs but level and time."""
    level = ""
    rest: list[str] = []
    end = 0
    for pair in _PAIR.finditer(line):
        rest.append(line[end : pair.start()].strip())
        end = pair.end()
        if pair["key"] in _LEVELS:
            level = level_named(pair["value"].strip('"'))
        elif pair["key"] not in _TIMES:
            rest.append(pair[0])
    rest.append(line[end:].strip())
    return level or level_of(line), " ".join(part for part in rest if part)
