"""Levels, whatever a program calls them."""

from __future__ import annotations

import re
from typing import Final

# From the least to the most severe; a line that does not say stands between debug and info.
LEVELS: Final = ("debug", "", "info", "warning", "error", "fatal")
RANK: Final = {level: rank for rank, level in enumerate(LEVELS)}
ERROR_RANK: Final = RANK["error"]

_NAMES: Final = {
    "debug": "trace trc debug dbg verbose finest finer fine config v d silly",
    "info": "info inf information informational notice note ok i success audit",
    "warning": "warn wrn warning w alarm",
    "error": "error err eror e severe failure fail fault exception",
    "fatal": "fatal ftl crit critical alert emerg emergency panic f dpanic",
}
_BY_NAME: Final = {name: level for level, names in _NAMES.items() for name in names.split()}
# journald and syslog count downwards from 0, emergency.
_BY_PRIORITY: Final = ("fatal", "fatal", "fatal", "error", "warning", "info", "info", "debug")
_BY_TENS: Final = {10: "debug", 20: "debug", 30: "info", 40: "warning", 50: "error", 60: "fatal"}  # bunyan and pino

_SAID: Final = re.compile(
    r"""\b(?:TRACE|DEBUG|VERBOSE|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|SEVERE|CRIT(?:ICAL)?|ALERT|EMERG|FATAL|PANIC)\b
      | (?<=[\[<(|])\s?(?:trace|debug|info|notice|warn(?:ing)?|err(?:or)?|crit(?:ical)?|alert|emerg|fatal)(?=\s?[\]>)|])
      | (?:^|(?<=[ \]]))(?:Trace|Debug|Info|Notice|Warning|Error|Critical|Fatal|error|warning|fatal)(?=[ :,\]])""",
    re.VERBOSE,
)
_WRONG: Final = re.compile(
    r"\b(?:error|exception|fatal|panic(?:ked)?|failed|failure|cannot|could not|unable to|refused|denied|timed out"
    r"|segfault|abort(?:ed)?|crash(?:ed)?)\b|[a-z](?:Error|Exception)\b",
    re.IGNORECASE,
)
HEADER_CHARS: Final = 160  # a level further along is a word of the message


def level_named(name: str) -> str:
    """The level of a name such as `WARN`, of a syslog priority 0 to 7, or of a number such as 30."""
    plain = name.strip().lower()
    if plain.isdecimal():
        number = int(plain[:4])
        return _BY_PRIORITY[number] if number < len(_BY_PRIORITY) else _BY_TENS.get(number, "")
    return _BY_NAME.get(plain, "")


def level_of(line: str) -> str:
    """The level a line of text says in its head, or what its words sound like."""
    said = _SAID.search(line, 0, HEADER_CHARS)
    if said:
        return level_named(said[0])
    return "error" if _WRONG.search(line, 0, 2 * HEADER_CHARS) else ""
