"""Compose files: one piece per service, volume, network, secret and config."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from haversack.sources.deployment.piece import Piece, extents, grouped, unique
from haversack.units.secret_names import is_secret_name
from haversack.units.yaml_lines import Entry, entries

SECTIONS: Final = {
    "services": "service",
    "volumes": "volume",
    "networks": "network",
    "secrets": "secret",
    "configs": "config",
}
_USES: Final = frozenset({"depends_on", "secrets", "configs", "networks", "volumes", "links"})
_NAME: Final = re.compile(r"[A-Za-z_][\w.-]*")


def pieces(text: str) -> list[Piece]:
    """The services and what they share, in order."""
    lines = text.split("\n")
    found = list(entries(text))
    groups = grouped(found, 2)
    made = []
    for entry, first, last in extents(found, lambda e: len(e.path) == 2 and e.path[0] in SECTIONS, lines):
        section, name = entry.path
        held = groups[entry.path]
        variables = _variables(text, held)
        images = [text[other.start : other.end] for other in held if other.path[2:] == ("image",)]
        used = [
            (
                other.path[2],
                text[other.start : other.end].partition(":")[0] if other.path[3][0] == "#" else other.path[3],
            )
            for other in held
            if len(other.path) == 4 and other.path[2] in _USES and other.path[3]
        ]
        taken = [name for kind, name in used if kind == "secrets"]
        made.append(
            Piece(
                first,
                last,
                SECTIONS[section],
                name,
                f"{SECTIONS[section]} {name}",
                qualname=f"{section}.{name}",
                doc=", ".join(f"image {image}" for image in images),
                names=unique([name, *variables]),
                secrets=unique([*([name] if section == "secrets" else taken), *filter(is_secret_name, variables)]),
                refs=unique(
                    [*(name for _, name in used), *(image.rpartition("/")[2].partition(":")[0] for image in images)]
                ),
            )
        )
    return made


def _variables(text: str, held: Sequence[Entry]) -> list[str]:
    """Names under `environment`, written as a map or as a list."""
    names = []
    for entry in held:
        if len(entry.path) == 4 and entry.path[2] == "environment":
            listed = _NAME.match(text, entry.start, entry.end) if entry.path[3].startswith("#") else None
            names.append(listed[0] if listed else entry.path[3])
    return [name for name in names if not name.startswith("#")]
