"""Terraform: blocks of a configuration, variables' values, and what a state says there is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from haversack.model import Citation, Unit
from haversack.sources.deployment.piece import Piece, grouped
from haversack.sources.protocol import TextFile
from haversack.units.secret_names import is_secret_name
from haversack.units.secret_terraform import sensitive_names
from haversack.units.yaml_lines import entries


def units(file: TextFile, name: str) -> Iterator[Unit]:
    """The blocks as the code source cuts them, as units of the source called `name`."""
    from haversack.sources.code.cutting import units_of

    sensitive = sensitive_names(file.text)
    for unit in units_of(file):
        named = unit.name
        secrets = (named,) if named and (named in sensitive or is_secret_name(named)) else ()
        yield replace(
            unit,
            id=_own(unit.id, name),
            source=name,
            kind="block" if unit.kind == "class" else unit.kind,
            parent=_own(unit.parent, name) if unit.parent else None,
            citations=(Citation.of_file(file.path, unit.span),),
            meta={**unit.meta, "deploys": "terraform", **({"secrets": secrets} if secrets else {})},
        )


def _own(identity: str, name: str) -> str:
    return name[0] + identity[1:]


def state_pieces(text: str) -> list[Piece]:
    """One piece per resource and one per output of a state, version 4; none for what is no such state."""
    lines = text.split("\n")
    made: list[Piece] = []
    for place, held in grouped(list(entries(text)), 2).items():
        if place[0] not in {"resources", "outputs"}:
            continue
        first, last = min(entry.line for entry in held), max(entry.last for entry in held)
        above = lines[first - 1].strip() if first else ""
        first -= above == "{" or above.startswith(f'"{place[1]}"')
        if made and first < made[-1].last:  # everything on one line: the first one has it
            continue
        made.append(
            _state_piece(place, {entry.path: text[entry.start : entry.end] for entry in held}, first + 1, last + 1)
        )
    return made


def _state_piece(place: tuple[str, ...], said: Mapping[tuple[str, ...], str], first: int, last: int) -> Piece:
    if place[0] == "outputs":
        hidden = (place[1],) if said.get((*place, "sensitive")) == "true" else ()
        return Piece(
            first, last, "output", place[1], f"output {place[1]} in the state", names=(place[1],), secrets=hidden
        )
    kind, name = said.get((*place, "type"), ""), said.get((*place, "name"), "")
    address = ".".join(part for part in (said.get((*place, "module"), ""), kind, name) if part)
    if said.get((*place, "mode")) == "data":
        address = f"data.{address}"
    instances = len({path[3] for path in said if path[2:3] == ("instances",) and len(path) > 3})
    return Piece(
        first,
        last,
        "resource",
        name or kind,
        f"{address} in the state",
        qualname=address,
        doc=f"{instances} instances" if instances > 1 else "",
        names=tuple(part for part in (address, name) if part),
        meta={"instances": instances, "resource": kind},
    )
