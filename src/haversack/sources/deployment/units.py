"""A deployment file's units: the file, and what it declares."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from posixpath import basename
from typing import Final

from haversack.model import Citation, MetaValue, Span, Unit
from haversack.sources.deployment import (
    NAME,
    ci,
    compose,
    dockerfile,
    env,
    helm,
    kubernetes,
    procfile,
    systemd,
    terraform,
)
from haversack.sources.deployment.piece import Piece
from haversack.sources.deployment.places import environment_of
from haversack.sources.protocol import CAUTION, TextFile
from haversack.units import deployed
from haversack.units.ids import unit_id

DEPLOYS: Final = "deploys"
"""The key under which a unit's metadata says which kind of deployment file it is from."""
SECRETS: Final = "secrets"
"""The key under which a unit's metadata names secrets. Values have no place in a unit."""
MOST_IN_TITLE: Final = 6  # variables that an environment file's title names
MANY_ALIASES: Final = 100  # hand-written files hold a dozen; a file that expands without end needs more
_TEMPLATE: Final = re.compile(r"(?m)^[^#\n]*(?<!\$)\{\{[-\s]*(?:\.|\$\w*\.|include|range|if|end|with|define)\b")
_ALIAS: Final = re.compile(r"(?<=[\s\[,:-])\*\w")


def units_of(file: TextFile, kind: str) -> list[Unit]:
    """The units of a file of that kind, in order."""
    if kind == deployed.TERRAFORM and not file.path.endswith(".json"):
        return list(terraform.units(file, NAME))
    return list(_units(file, kind, _pieces(file, kind)))


def _pieces(file: TextFile, kind: str) -> list[Piece]:
    text, path = file.text, file.path
    if kind == deployed.KUBERNETES:
        return [] if basename(path).lower().startswith("kustomization.") else kubernetes.pieces(text)
    if kind == deployed.COMPOSE:
        return compose.pieces(text)
    if kind == deployed.HELM:
        return helm.pieces(text, path)
    if kind == deployed.CI:
        return ci.pieces(text, path)
    if kind == deployed.STATE:
        return terraform.state_pieces(text)
    if kind == deployed.DOCKERFILE:
        return dockerfile.pieces(text)
    if kind == deployed.PROCFILE:
        return procfile.pieces(text)
    return systemd.pieces(text, path) if kind == deployed.SYSTEMD else []


def _units(file: TextFile, kind: str, pieces: Sequence[Piece]) -> Iterator[Unit]:
    lines = file.text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    whole = unit_id(NAME, file.path, "file", "")
    shared: dict[str, MetaValue] = {DEPLOYS: kind}
    if caution := _caution(file.text):
        shared[CAUTION] = caution
    if environment := environment_of(file.path):
        shared["environment"] = environment
    yield _file_unit(file, whole, lines, kind, pieces, shared)
    seen: Counter[tuple[str, str]] = Counter()
    for piece in pieces:
        key = (piece.kind, piece.qualname or piece.name)
        span = Span(piece.first, piece.last)
        yield Unit(
            id=unit_id(NAME, file.path, *key, seen[key]),
            source=NAME,
            kind=piece.kind,
            title=piece.title,
            text="\n".join(lines[piece.first - 1 : piece.last]),
            path=file.path,
            span=span,
            name=piece.name,
            qualname=piece.qualname,
            doc=piece.doc,
            lang=file.lang,
            role=file.role,
            time=file.mtime_ns / 1e9,
            parent=whole,
            refs=piece.refs,
            citations=(Citation.of_file(file.path, span),),
            meta={**shared, **_said(piece), **piece.meta},
        )
        seen[key] += 1


def _caution(text: str) -> str:
    """Why what stands in a file is not yet what will run; "" when it is."""
    if _TEMPLATE.search(text):
        return "is a template; it is shown as written, without what fills it"
    aliases = sum(1 for _ in islice(_ALIAS.finditer(text), MANY_ALIASES))
    return "refers to its own anchors all over; it is shown as written, not expanded" if aliases == MANY_ALIASES else ""


def _said(piece: Piece) -> dict[str, MetaValue]:
    said: dict[str, MetaValue] = {"names": piece.names} if piece.names else {}
    return said | ({SECRETS: piece.secrets} if piece.secrets else {})


def _file_unit(
    file: TextFile,
    identity: str,
    lines: Sequence[str],
    kind: str,
    pieces: Sequence[Piece],
    shared: dict[str, MetaValue],
) -> Unit:
    """The file with the lines that no piece has."""
    taken = {number for piece in pieces for number in range(piece.first, piece.last + 1)}
    span = Span(1, len(lines)) if lines else None
    meta = dict(shared)
    title = file.path
    if kind == deployed.ENV:
        names = env.names(file.text)
        title = f"{file.path}: {', '.join(names[:MOST_IN_TITLE])}" + (", …" if len(names) > MOST_IN_TITLE else "")
        meta |= {"names": names, SECRETS: env.secrets(file.text)}
    return Unit(
        id=identity,
        source=NAME,
        kind="file",
        title=title if lines else file.path,
        text="\n".join(line for number, line in enumerate(lines, 1) if number not in taken),
        path=file.path,
        span=span,
        name=basename(file.path),
        lang=file.lang,
        role=file.role,
        time=file.mtime_ns / 1e9,
        citations=(Citation.of_file(file.path, span),),
        meta=meta,
    )
