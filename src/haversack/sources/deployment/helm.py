"""Helm charts: values by their keys at the top, templates by resource, the chart itself."""

from __future__ import annotations

import re
from typing import Final

from haversack.sources.deployment import kubernetes
from haversack.sources.deployment.piece import Piece, extents, grouped, unique
from haversack.units.secret_names import is_secret_name
from haversack.units.yaml_lines import entries

_VALUES: Final = re.compile(r"\.Values\.([\w.]+)")


def pieces(text: str, path: str) -> list[Piece]:
    """Resources of a template, else the keys of a values file."""
    name = path.rpartition("/")[2].lower()
    if "/templates/" in f"/{path}":
        lines = text.split("\n")
        return [
            _with_values(piece, "\n".join(lines[piece.first - 1 : piece.last])) for piece in kubernetes.pieces(text)
        ]
    if name.startswith(("chart.", "helmfile")):
        return []
    lines = text.split("\n")
    found = list(entries(text))
    groups = grouped(found, 1)
    made = []
    for entry, first, last in extents(found, lambda e: len(e.path) == 1, lines):
        held = [".".join(other.path) for other in groups[entry.path]]
        key = entry.path[0]
        secrets = unique([name for name in held if is_secret_name(name.rpartition(".")[2])])
        made.append(
            Piece(first, last, "values", key, f"values {key}", qualname=key, names=unique([key]), secrets=secrets)
        )
    return made


def _with_values(piece: Piece, text: str) -> Piece:
    """The piece, with the values its template takes."""
    taken = unique(_VALUES.findall(text))
    return Piece(
        piece.first, piece.last, piece.kind, piece.name, piece.title, piece.qualname, piece.doc, piece.names,
        piece.secrets, unique([*piece.refs, *(value.partition(".")[0] for value in taken)]),
        {**piece.meta, **({"values": taken} if taken else {})},
    )  # fmt: skip
