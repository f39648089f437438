"""How units are laid down in the store: compact rows per item, text only where no file holds it."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, overload

import msgspec

from haversack.model import Anatomy, Citation, Role, Span, Status, Unit

DOC_LIMIT = 600  # characters of a docstring that are kept: enough for a summary; the file has the rest
COMPRESS_FROM = 256  # bytes; below this zlib gains nothing

# Kinds are one byte per unit in a segment, so that a filter never decodes a unit. 0 is any kind not named here.
KINDS = (
    "other", "file", "class", "function", "method", "type", "constant", "block", "section", "commit",
    "message", "decision", "preference", "correction",
)  # fmt: skip
KIND_CODE = {kind: code for code, kind in enumerate(KINDS)}
ROLES = tuple(Role)
ROLE_CODE = {role: code for code, role in enumerate(ROLES)}
# By what is stored: looked up some hundred times for a packet, and an enumeration is slow to call.
_ROLES = {str(role): role for role in Role}
_STATUSES = {str(status): status for status in Status}


class UnitRow(msgspec.Struct, array_like=True, frozen=True):
    """A unit without what its item already says (source, path, language)."""

    id: str
    kind: str
    title: str
    text: str
    start: int
    end: int
    name: str
    qualname: str
    signature: str
    doc: str
    decorators: tuple[str, ...]
    role: str
    time: float | None
    status: str
    trust: str
    parent: str | None
    bases: tuple[str, ...]
    refs: tuple[str, ...]
    imports: tuple[str, ...]
    citations: tuple[tuple[Any, ...], ...]
    meta: dict[str, Any]
    anatomy: tuple[int, ...] = ()


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[msgspec.Raw]).decode
_decode_row = msgspec.msgpack.Decoder(UnitRow).decode


def encode_units(units: Sequence[Unit], *, keep_text: bool) -> bytes:
    """The units of one item as bytes."""
    body = _encode([_row(unit, keep_text) for unit in units])
    return b"z" + zlib.compress(body, 1) if len(body) >= COMPRESS_FROM else b"r" + body


def decode_units(blob: bytes, *, source: str, path: str | None, lang: str) -> Units:
    """The units of one item as they were encoded."""
    rows = _decode(zlib.decompress(blob[1:]) if blob[:1] == b"z" else blob[1:])
    return Units(rows, source, path, lang)


class Units(Sequence[Unit]):
    """The units of one item, each decoded when it is asked for: of a file with hundreds a task wants a few."""

    def __init__(self, rows: Sequence[msgspec.Raw], source: str, path: str | None, lang: str) -> None:
        self._rows = rows
        self._item = source, path, lang
        self._made: dict[int, Unit] = {}

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> Unit: ...

    @overload
    def __getitem__(self, place: slice) -> list[Unit]: ...

    def __getitem__(self, place: int | slice) -> Unit | list[Unit]:
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(len(self)))]
        made = self._made.get(place)
        if made is None:
            made = self._made[place] = _unit(_decode_row(self._rows[place]), *self._item)
        return made


def _row(unit: Unit, keep_text: bool) -> UnitRow:
    return UnitRow(
        unit.id,
        unit.kind,
        unit.title,
        unit.text if keep_text else "",
        unit.span.start if unit.span else 0,
        unit.span.end if unit.span else 0,
        unit.name,
        unit.qualname,
        unit.signature,
        unit.doc[:DOC_LIMIT],
        unit.decorators,
        str(unit.role),
        unit.time,
        str(unit.status),
        unit.trust,
        unit.parent,
        unit.bases,
        unit.refs,
        unit.imports,
        # A file citation of the unit's own span is implied; storing it again would double the rows.
        tuple((c.kind, c.target, c.start, c.end, c.name, c.file) for c in unit.citations if not _implied(unit, c)),
        dict(unit.meta),
        _from_start(unit.anatomy, unit.span) if unit.anatomy and unit.span else (),
    )


def _from_start(parts: Anatomy, span: Span) -> tuple[int, ...]:
    """The lines of the parts, counted from the unit's first line as 1: small numbers, that take a byte each."""
    comments = (line for comment in parts.comments for line in comment)
    lines = (parts.head, parts.body_start, parts.body_end, parts.doc_start, parts.doc_end, *comments)
    return tuple(line and line - span.start + 1 for line in lines)


def _anatomy(row: UnitRow) -> Anatomy | None:
    if not row.anatomy:
        return None
    head, body_start, body_end, doc_start, doc_end, *more = (line and line + row.start - 1 for line in row.anatomy)
    return Anatomy(head, body_start, body_end, doc_start, doc_end, tuple(zip(more[::2], more[1::2], strict=True)))


def _implied(unit: Unit, citation: Citation) -> bool:
    if citation.kind == "symbol":
        return citation == Citation.of_symbol(unit.id, unit.qualname, unit.path or "")
    return unit.path is not None and citation == Citation.of_file(unit.path, unit.span)


def _unit(row: UnitRow, source: str, path: str | None, lang: str) -> Unit:
    span = Span(row.start, row.end) if row.start else None
    cited = tuple(Citation(*fields) for fields in row.citations)
    if path is not None:
        symbol = (Citation.of_symbol(row.id, row.qualname, path),) if row.qualname and source == "code" else ()
        cited = (Citation.of_file(path, span), *symbol, *cited)
    return Unit(
        id=row.id,
        source=source,
        kind=row.kind,
        title=row.title,
        text=row.text,
        path=path,
        span=span,
        name=row.name,
        qualname=row.qualname,
        signature=row.signature,
        doc=row.doc,
        decorators=row.decorators,
        lang=lang,
        role=_ROLES[row.role],
        time=row.time,
        status=_STATUSES[row.status],
        trust=row.trust,
        parent=row.parent,
        bases=row.bases,
        refs=row.refs,
        imports=row.imports,
        citations=cited,
        meta={key: tuple(value) if isinstance(value, list) else value for key, value in row.meta.items()},
        anatomy=_anatomy(row),
    )
