"""Dockerfiles, systemd units, process files, scripts: `NAME=value` where the name is that of a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from haversack.patterns import lazily
from haversack.units.secret_masks import Mask, masked
from haversack.units.secret_names import is_secret_name, kind_of_name, points_to_secret

_INLINE: Final = lazily(
    r"""(?<![\w.-])(?P<name>[A-Za-z_-][\w.-]{0,120})["']?[ \t]*(?:=>|[=:])[ \t]*
        (?:"(?P<double>(?:[^"\\\n]|\\.)*)"|'(?P<single>[^'\n]*)'|(?P<bare>[^\s"'`;,)}\]]+))""",
    re.VERBOSE,
)
_HINT: Final = lazily(r"pass|pw|secret|token|key|credential|dsn|pat|pin", re.IGNORECASE)
_HEREDOC: Final = lazily(r"(?<![\w.-])(?P<name>[\w.-]{1,120})[ \t]*=[ \t]*<<[-~]?(?P<word>\w+)\n")
_OLD_ENV: Final = lazily(r"^[ \t]*(?:ENV|env)[ \t]+(?P<name>\w+)[ \t]+(?P<value>[^\n=]+)$", re.MULTILINE)
_CREDENTIAL: Final = lazily(r"^SetCredential(?:Encrypted)?=(?P<name>[^:\n]+):(?P<value>[^\n]+)$", re.MULTILINE)


def assigned_secrets(text: str) -> Iterator[Mask]:
    """`NAME=value` and `name = "value"` anywhere in a line, where the name is that of a secret."""
    for start, end in _hinted_lines(text):
        at = start
        while (found := _INLINE.search(text, at, end)) is not None:
            if not is_secret_name(found["name"]):
                at = found.end("name") + 1  # the value may be an assignment itself
                continue
            at = found.end()
            group = next(name for name in ("double", "single", "bare") if found[name] is not None)
            if not points_to_secret(found[group]):
                yield *found.span(group), f"[redacted:{kind_of_name(found['name'])}]"
    for heredoc in _HEREDOC.finditer(text):
        if is_secret_name(heredoc["name"]):
            stop = re.compile(rf"^\s*{heredoc['word']}\s*$", re.MULTILINE).search(text, heredoc.end())
            if stop is not None:
                yield heredoc.end(), stop.start() - 1, f"[redacted:{kind_of_name(heredoc['name'])}]"


def mask_lines(_: str, text: str) -> str:
    masks = list(assigned_secrets(text))
    for pattern in (_OLD_ENV, _CREDENTIAL):
        masks += [
            (*found.span("value"), f"[redacted:{kind_of_name(found['name'])}]")
            for found in pattern.finditer(text)
            if (pattern is _CREDENTIAL or is_secret_name(found["name"])) and not points_to_secret(found["value"])
        ]
    return masked(text, masks)


def _hinted_lines(text: str) -> Iterator[tuple[int, int]]:
    """Where the lines are that hold a part of a secret's name at all: most do not, and looking closely takes time."""
    done = -1
    for hint in _HINT.finditer(text):
        if hint.start() > done:
            start, done = text.rfind("\n", 0, hint.start()) + 1, text.find("\n", hint.end())
            done = len(text) if done < 0 else done
            yield start, done
