"""A document's units: the file, and its sections, cells or operations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from posixpath import basename

from haversack.model import Citation, MetaValue, Span, Status, Unit
from haversack.sources.docs import NAME
from haversack.sources.docs.conventions import CONVENTION, code_of, convention_of, observations, record
from haversack.sources.docs.cut import PATH_SEPARATOR, Piece, part_starts, pieces
from haversack.sources.docs.front import PREFIX, front_matter
from haversack.sources.docs.markup import markup
from haversack.sources.docs.mentions import codes, refs_by_word, refs_of, typed_edges
from haversack.sources.docs.notebook import Cell, cells
from haversack.sources.docs.openapi import Operation, is_openapi, operations
from haversack.sources.protocol import TextFile
from haversack.units.ids import unit_id


def units_of(file: TextFile) -> list[Unit]:
    """The units of the document, in order."""
    written = markup(file.path, file.lang) or "text"
    if written == "notebook":
        found = cells(file.text)
        if found is not None:
            return list(_notebook_units(file, found))
    if is_openapi(file.path):
        lines = _lines(file)
        described = operations(lines, file.path)
        if described:
            return list(_api_units(file, lines, described))
    return list(_document_units(file, written))


def _document_units(file: TextFile, written: str) -> Iterator[Unit]:
    lines = _lines(file)
    skipped, front = front_matter(lines) if written == "markdown" else (0, {})
    cut = pieces(lines, written, skipped)
    ids = _Ids(file.path)
    whole = ids.next("file", "")
    first_heading = next((piece.path[0] for piece in cut if piece.path), "")
    title = str(front.get(f"{PREFIX}title") or "") or first_heading or basename(file.path)
    named: list[str] = [whole]
    facts = observations(lines) if written == "markdown" else ()
    follows = convention_of(file.path) or (
        "note" if facts and (f"{PREFIX}permalink" in front or "[[" in file.text) else ""
    )
    code = code_of(file.path) if follows in ("adr", "requirement") else ""
    status, said = record(file.path, lines, front) if follows == "adr" else (Status.LIVE, {})
    marked: dict[str, MetaValue] = {CONVENTION: follows} if follows else {}
    yield _unit(
        file,
        whole,
        "file",
        title,
        _text(lines, cut[0]),
        span=Span(1, len(lines)) if lines else None,
        name=code or basename(file.path),
        status=status,
        meta=front | marked | said | ({"observations": facts} if follows == "note" else {}),
    )
    for piece in cut[1:]:
        identity = ids.next("section", piece.label)
        named.append(identity)
        yield _unit(
            file,
            identity,
            "section",
            _part_title(piece.label or title, piece.part, piece.parts),
            _text(lines, piece),
            span=Span(piece.first + 1, piece.last + 1),
            name=piece.path[-1] if piece.path else title,
            qualname=piece.label,
            parent=named[piece.parent] if piece.parent >= 0 else whole,
            status=status,
            meta=_section_meta(piece.level, piece.part, piece.parts) | marked,
        )


def _api_units(file: TextFile, lines: Sequence[str], described: Sequence[Operation]) -> Iterator[Unit]:
    """One unit per operation; the file keeps the lines that belong to none."""
    ids = _Ids(file.path)
    whole = ids.next("file", "")
    taken = {number for each in described for number in range(each.first, each.last + 1)}
    rest = "\n".join(line for number, line in enumerate(lines) if number not in taken)
    yield _unit(file, whole, "file", basename(file.path), rest, span=Span(1, len(lines)), name=basename(file.path))
    for each in described:
        label = f"{each.method.upper()} {each.path}"
        meta: dict[str, MetaValue] = {"method": each.method, "route": each.path, "tags": each.tags}
        yield _unit(
            file,
            ids.next("operation", label),
            "operation",
            f"{label}: {each.summary}" if each.summary else label,
            "\n".join(lines[each.first : each.last + 1]),
            span=Span(each.first + 1, each.last + 1),
            name=each.id,
            qualname=label,
            parent=whole,
            meta=meta | {"deprecated": True} if each.deprecated else meta,
        )


def _lines(file: TextFile) -> list[str]:
    lines = [line.removesuffix("\r") for line in file.text.split("\n")]
    if not file.text or file.text.endswith("\n"):
        lines.pop()
    return lines


def _notebook_units(file: TextFile, found: Sequence[Cell]) -> Iterator[Unit]:
    """Sections run from heading to heading, each a row of cells."""
    ids = _Ids(file.path)
    whole = ids.next("file", "")
    title = next((cell.title for cell in found if cell.level), basename(file.path))
    groups: list[list[Cell]] = [[]]
    for cell in found:
        if cell.level:
            groups.append([])
        groups[-1].append(cell)
    above: list[tuple[int, str, str]] = []  # level, title, id of the open headings
    for number, group in enumerate(groups):
        lines = "\n\n".join(cell.text for cell in group).split("\n") if group else []
        starts = part_starts(lines, 0, len(lines) - 1)
        head = group[0] if number else Cell(0, "")
        while number and above and above[-1][0] >= head.level:
            above.pop()
        label = PATH_SEPARATOR.join([*(heading for _, heading, _ in above), head.title]) if number else ""
        parent = above[-1][2] if above else whole
        for part, (start, end) in enumerate(zip(starts, [*starts[1:], len(lines)], strict=True), 1):
            text = "\n".join(lines[start:end])
            if not number and part == 1:
                yield _unit(file, whole, "file", title, text, name=basename(file.path), meta={"cells": len(found)})
                continue
            identity = ids.next("section", label)
            if part == 1:
                above.append((head.level, head.title, identity))
            yield _unit(
                file,
                identity,
                "section",
                _part_title(label or title, part, len(starts)),
                text,
                name=head.title or title,
                qualname=label,
                parent=parent,
                meta=_section_meta(head.level, part, len(starts)) | {"cells": f"{group[0].number}-{group[-1].number}"},
            )


class _Ids:
    """Ids for one file: the same heading twice gets different ones."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.seen: Counter[tuple[str, str]] = Counter()

    def next(self, kind: str, qualname: str) -> str:
        ordinal = self.seen[kind, qualname]
        self.seen[kind, qualname] += 1
        return unit_id(NAME, self.path, kind, qualname, ordinal)


def _unit(
    file: TextFile,
    identity: str,
    kind: str,
    title: str,
    text: str,
    *,
    span: Span | None = None,
    name: str = "",
    qualname: str = "",
    parent: str | None = None,
    status: Status = Status.LIVE,
    meta: Mapping[str, MetaValue] | None = None,
) -> Unit:
    said = dict(meta or {})
    if CONVENTION in said and (edges := typed_edges(text, file.path)):
        said["edges"] = edges
    known_as = codes(f"{basename(file.path)} {title}" if kind == "file" else name)
    if known_as:
        said["names"] = known_as
    return Unit(
        id=identity,
        source=NAME,
        kind=kind,
        title=title,
        text=text,
        path=file.path,
        span=span,
        name=name,
        qualname=qualname,
        lang=file.lang or markup(file.path) or "text",
        role=file.role,
        time=file.mtime_ns / 1e9,
        parent=parent,
        status=status,
        refs=refs_of(text, file.path) if CONVENTION in said else refs_by_word(text, file.path),
        citations=(Citation.of_file(file.path, span),),
        meta=said,
    )


def _text(lines: Sequence[str], piece: Piece) -> str:
    return "\n".join(lines[piece.first : piece.last + 1])


def _part_title(title: str, part: int, parts: int) -> str:
    return f"{title} (part {part})" if parts > 1 else title


def _section_meta(level: int, part: int, parts: int) -> dict[str, MetaValue]:
    meta: dict[str, MetaValue] = {"level": level}
    return meta | {"part": part, "parts": parts} if parts > 1 else meta
