"""Dockerfiles: one piece per stage."""

from __future__ import annotations

import re
from typing import Final

from haversack.sources.deployment.piece import Piece, unique
from haversack.units.secret_names import is_secret_name

_FROM: Final = re.compile(r"[ \t]*FROM\s+(?:--\S+\s+)*(?P<image>\S+)(?:\s+AS\s+(?P<name>\S+))?", re.IGNORECASE)
_VARIABLE: Final = re.compile(r"^[ \t]*(?:ENV|ARG)[ \t]+(?P<rest>[^\n]+)", re.IGNORECASE | re.MULTILINE)
_COPIED: Final = re.compile(r"--from=([\w./:-]+)")
_SECRET_MOUNT: Final = re.compile(r"--mount=type=secret\b[^\s]*?\bid=([\w.-]+)")


def pieces(text: str) -> list[Piece]:
    """The stages in order; what stands before the first one stays with the file."""
    lines = text.split("\n")
    starts = [(number, found) for number, line in enumerate(lines, 1) if (found := _FROM.match(line))]
    ends = [*(number - 1 for number, _ in starts[1:]), len(lines)]
    made = []
    for position, ((first, found), last) in enumerate(zip(starts, ends, strict=False)):
        while last > first and not lines[last - 1].strip():
            last -= 1
        body = "\n".join(lines[first - 1 : last])
        variables = variables_of(body)
        name = found["name"] or f"stage {position}"
        made.append(
            Piece(
                first,
                last,
                "stage",
                name,
                f"stage {found['name'] or position} from {found['image']}",
                qualname=name,
                doc=f"from {found['image']}",
                names=unique([found["name"] or "", *variables]),
                secrets=unique([*filter(is_secret_name, variables), *_SECRET_MOUNT.findall(body)]),
                refs=unique([*_COPIED.findall(body), found["image"].rpartition("/")[2].partition(":")[0]]),
            )
        )
    return made


def variables_of(text: str) -> list[str]:
    """Names that ENV and ARG set."""
    names: list[str] = []
    for found in _VARIABLE.finditer(text):
        pairs = re.findall(r"([A-Za-z_]\w*)=", found["rest"])
        names += pairs or re.findall(r"^[A-Za-z_]\w*", found["rest"])
    return names
