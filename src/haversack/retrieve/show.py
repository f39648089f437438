"""Open one thing: a unit by id, lines of a file, a whole file, a symbol, a commit."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from haversack.errors import NotFoundError, OutsideProjectError
from haversack.index import symbolic
from haversack.index.units import UnitReader
from haversack.model import Citation, Span, Unit, named_lines
from haversack.retrieve.conversation import cited
from haversack.sources.protocol import TextFile

if TYPE_CHECKING:
    from haversack.index.snapshot import Snapshot
    from haversack.index.store import Store
    from haversack.project import Project


class Shown(Struct, frozen=True):
    """The text as it is on disk now (redacted), where it stands, and what else the words could have meant."""

    title: str
    text: str
    citation: Citation
    lang: str = ""
    unit: Unit | None = None
    alternatives: tuple[Unit, ...] = ()


def show(project: Project, store: Store, target: str) -> Shown:
    """Whatever `target` names; NotFoundError with the nearest names when it names nothing."""
    snapshot = store.snapshot()
    reader = UnitReader(store, snapshot)
    target = target.strip()
    position = symbolic.by_id(snapshot, target)
    if position is not None:
        return _unit(project, reader.at([position])[0], ())
    path, span = named_lines(target) or (target.removeprefix("log "), None)
    if "conversation" in snapshot.sources:
        said = cited(snapshot, reader, path, span)
        if said:
            return _said(said)
    if span:
        return _file(project, path, span)
    if target in snapshot.positions_by_key and snapshot.items[snapshot.positions_by_key[target]].in_file:
        return _file(project, target, None)
    units = reader.at(_positions(snapshot, target))
    if units:
        units.sort(key=lambda unit: (unit.path or "", unit.span.start if unit.span else 0, unit.id))
        return _unit(project, units[0], tuple(units[1:]))
    if project.resolve(target).is_file():
        return _file(project, target, None)
    raise NotFoundError(f"nothing here is called {target!r}", hint=_suggest(snapshot, target))


def text_of(project: Project, unit: Unit) -> str:
    """A unit's whole text: the lines of its file as they are now, or what the store keeps."""
    if unit.path is None:
        return unit.text
    return _file(project, unit.path, unit.span).text


def _said(units: Sequence[Unit]) -> Shown:
    """Messages of a transcript, as the index keeps them: the file itself is not the project's to show."""
    first = units[0]
    return Shown(first.title, "\n\n".join(unit.text for unit in units), first.citations[0], unit=first)


def _positions(snapshot: Snapshot, target: str) -> list[int]:
    found = symbolic.defined(snapshot, [target])[0]
    if not found:
        items = symbolic.commit(snapshot, target) or symbolic.paths(snapshot, target)
        found = [p for p in map(snapshot.first_position, items) if p >= 0]
    return found or symbolic.named_like(snapshot, target)


def _unit(project: Project, unit: Unit, others: tuple[Unit, ...]) -> Shown:
    citation = unit.citations[0] if unit.citations else Citation.of_file(unit.path or "", unit.span)
    return Shown(unit.title, text_of(project, unit), citation, unit.lang, unit, others)


def _file(project: Project, path: str, span: Span | None) -> Shown:
    from haversack.project import read_text

    file = read_text(project, path)
    if not isinstance(file, TextFile):
        if file.reason == "outside":
            raise OutsideProjectError(f"{path} is outside the project", hint="only files of the project are shown")
        raise NotFoundError(
            f"{path} cannot be shown: {file.detail or file.reason}", hint="haversack status lists what is skipped"
        )
    if span is None:
        return Shown(path, file.text, Citation.of_file(path), file.lang)
    lines = file.text.split("\n")
    if span.start < 1 or span.start > len(lines) or span.end < span.start:
        raise NotFoundError(f"{path} has {len(lines)} lines, there is no {span}", hint=f"haversack show {path}")
    span = Span(span.start, min(span.end, len(lines)))
    return Shown(path, "\n".join(lines[span.start - 1 : span.end]), Citation.of_file(path, span), file.lang)


def _suggest(snapshot: Snapshot, target: str) -> str:
    names = [item.key for item in snapshot.items if item.in_file]
    bare = {name.rpartition("/")[2]: name for name in names}
    near = difflib.get_close_matches(target.rpartition("/")[2], list(bare), n=3)
    if near:
        return "did you mean " + ", ".join(bare[name] for name in near) + "?"
    return f'try: haversack search "{target}"'
