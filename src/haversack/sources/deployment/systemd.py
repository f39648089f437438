"""systemd units: one piece per section."""

from __future__ import annotations

import re
from posixpath import basename
from typing import Final

from haversack.sources.deployment.piece import Piece, unique
from haversack.units.secret_names import is_secret_name

_SECTION: Final = re.compile(r"\[(?P<name>[\w -]+)\]\s*$")
_VARIABLE: Final = re.compile(
    r"^Environment=(?P<rest>[^\n]*)|^(?:Load|Set)Credential\w*=(?P<credential>[^:\n]+)", re.MULTILINE
)
_UNITS: Final = re.compile(r"^(?:After|Before|Requires|Wants|BindsTo|PartOf|Unit)=(?P<units>[^\n]+)", re.MULTILINE)


def pieces(text: str, path: str) -> list[Piece]:
    """The sections in order."""
    lines = text.split("\n")
    starts = [(number, found["name"]) for number, line in enumerate(lines, 1) if (found := _SECTION.match(line))]
    ends = [*(number - 1 for number, _ in starts[1:]), len(lines)]
    unit = basename(path)
    made = []
    for (first, name), last in zip(starts, ends, strict=False):
        while last > first and not lines[last - 1].strip():
            last -= 1
        body = "\n".join(lines[first - 1 : last])
        variables: list[str] = []
        credentials: list[str] = []
        for found in _VARIABLE.finditer(body):
            if found["credential"]:
                credentials.append(found["credential"])
            else:
                variables += re.findall(r"([A-Za-z_]\w*)=", found["rest"])
        needed = [word for found in _UNITS.finditer(body) for word in found["units"].split()]
        made.append(
            Piece(
                first,
                last,
                "section",
                name,
                f"{unit} [{name}]",
                qualname=f"{unit}.{name}",
                names=unique(variables),
                secrets=unique([*credentials, *filter(is_secret_name, variables)]),
                refs=unique(needed),
            )
        )
    return made
