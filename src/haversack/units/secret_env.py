"""Environment files: names stay, values go, but for those that can be nobody's secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from haversack.patterns import lazily
from haversack.units.deployed import is_example
from haversack.units.secret_masks import Mask, masked
from haversack.units.secret_names import is_left_open, is_secret_name, points_to_secret, words

ENV_VALUE: Final = "[redacted:env-value]"
_ASSIGNED: Final = lazily(
    r"""^[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_][\w.-]*)[ \t]*[=:][ \t]*
        (?P<value>"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`|[^\n]*)""",
    re.MULTILINE | re.VERBOSE | re.DOTALL,
)
# What tells one environment from another and can be nobody's secret. Everything else stays a name.
_PLAIN_WORDS: Final = words(
    "true false yes no on off 0 1 none null enabled disabled development dev production prod staging "
    "stage test testing local localhost debug info warn warning error critical trace silent verbose utf-8 "
    "utc http https json text 127.0.0.1 0.0.0.0 postgres mysql sqlite redis memory smtp"
)
_NUMBER: Final = lazily(r"\d{1,6}(?:\.\d{1,3})?(?:ms|s|m|h|d|kb|mb|gb|k|g)?$", re.IGNORECASE)
_MEASURES: Final = lazily(
    r"(?i)(?:port|timeout|ttl|limit|count|size|workers?|threads?|replicas|concurrency|retries|interval|seconds|minutes"
    r"|hours|days|max|min|level|version|pool|memory|batch|rate|length|depth)s?(?:_?\w{0,8})?$"
)
_COMMENTED: Final = lazily(r"(?m)^[ \t]*#+[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_]\w*)[ \t]*=[ \t]*(?P<value>[^\n]+)")
_TRAILING_COMMENT: Final = lazily(r"(?<=\s)#")


def mask_env(path: str, text: str) -> str:
    example = is_example(path)

    def masks() -> Iterator[Mask]:
        for found in _ASSIGNED.finditer(text):
            value = found["value"]
            quoted = value[:1] in {'"', "'", "`"}
            said = value if quoted else _TRAILING_COMMENT.split(value, maxsplit=1)[0].rstrip()
            if not _is_open(found["name"], said, example=example):
                yield found.start("value") + quoted, found.end("value") - quoted, ENV_VALUE
        for found in _COMMENTED.finditer(text):
            if not _is_open(found["name"], found["value"].strip(), example=example):
                yield *found.span("value"), ENV_VALUE
        yield from _stray_lines(text)

    return masked(text, masks())


def _is_open(name: str, value: str, *, example: bool) -> bool:
    """Whether a value of an environment file may be shown."""
    said = value.strip("\"'`").strip()
    if example:  # what is no secret by its name, the rules for text look at as at any other text
        return not is_secret_name(name) or is_left_open(said)
    if is_secret_name(name):
        return points_to_secret(said)
    if said.lower() in _PLAIN_WORDS or not said or (said.startswith("${") and said.endswith("}") and ":" not in said):
        return True
    return _NUMBER.match(said) is not None and _MEASURES.search(name) is not None


def _stray_lines(text: str) -> Iterator[Mask]:
    """Lines that are no assignment: the rest of a value that was not quoted as it should be."""
    at = 0
    covered = 0
    for line in text.split("\n"):
        bare = line.strip()
        found = _ASSIGNED.match(text, at)
        if found is not None:
            covered = max(covered, found.end())
        elif at >= covered and bare and not bare.startswith("#") and not _SHELL_LINE.match(bare):
            start = at + len(line) - len(line.lstrip())
            yield start, at + len(line.rstrip()), ENV_VALUE
        at += len(line) + 1


# A line of a shell, or a name alone, which takes its value from outside.
_SHELL_LINE: Final = lazily(
    r"(?:(?:source|use|layout|dotenv|watch_file|PATH_add|set|unset|export|if|then|else|elif|fi|eval|\.)"
    r"(?:\s+[\w.$/{}~-]{1,60}){0,4}|[A-Z][A-Z_]{0,60})$"
)
