"""Turn one file into units that share its lines among them: every line belongs to the innermost unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from haversack.model import Anatomy, Citation, Role, Span, Unit
from haversack.sources.code.languages import dialect
from haversack.sources.code.refs import PLAIN, uses, words
from haversack.sources.code.rules import NOTHING
from haversack.sources.code.syntax import cut
from haversack.units.ids import unit_id

if TYPE_CHECKING:
    from haversack.sources.code.outline import Node, Outline
    from haversack.sources.protocol import TextFile

SOURCE = "code"
LONGEST_DOC = 1_000  # characters kept beside a unit for its summary; all of it is in the text
SHOWN_NAMES = 3  # of a group of constants, in its title
DATA = words("json jsonc json5 yaml xml svg toml properties")
DATA_CHARACTERS = 50_000  # of a data file: above this its keys say less than its lines
IMPORTS_APART = 12  # lines: what follows after more is no longer with the others
MOST_IMPORTS = 80  # lines that count as a file's imports


def units_of(file: TextFile) -> Iterator[Unit]:
    """The file's own unit, then its definitions and the blocks of what stands between them, in order of appearance."""
    is_data = file.lang == "csv" or (file.lang in DATA and len(file.text) > DATA_CHARACTERS)
    whole = cut(file.text, "" if is_data else file.lang)
    file_unit = _file_unit(file, whole.outline, whole.rest)
    yield file_unit
    definitions = list(_definitions(file, file_unit.id, whole.outline, whole.own))
    lines = file.text.split("\n")
    blocks = [
        _block(file, definitions[each.owner] if each.owner >= 0 else file_unit, lines, each.span, number)
        for number, each in enumerate(whole.between)
    ]
    # What lies inside another follows it, as the readers of the index expect.
    yield from sorted((*definitions, *blocks), key=_place)


def _place(unit: Unit) -> tuple[int, int]:
    return (unit.span.start, -unit.span.end) if unit.span else (0, 0)


def _last(file: TextFile) -> int:
    """The number of the file's last line, as editors count: what ends with a newline has no line after it."""
    return max(1, file.text.count("\n") + (not file.text.endswith("\n")))


def _definitions(file: TextFile, file_id: str, outline: Outline, own: Sequence[str]) -> Iterator[Unit]:
    seen: Counter[tuple[str, str]] = Counter()
    ids: list[str] = []
    marked = _tests_are_marked(file.lang)
    for node, text in zip(outline.nodes, own, strict=True):
        key = (node.kind, node.qualname)
        this = unit_id(SOURCE, file.path, node.kind, node.qualname, seen[key])
        seen[key] += 1
        ids.append(this)
        span = Span(node.start, node.end)
        yield Unit(
            id=this,
            source=SOURCE,
            kind=node.kind,
            title=_title(node),
            text=text,
            path=file.path,
            span=span,
            name=node.name,
            qualname=node.qualname,
            signature=node.signature,
            doc=_shortened(node.doc),
            decorators=node.decorators,
            lang=file.lang,
            role=Role.TEST if node.is_test and marked and file.role is Role.SOURCE else file.role,
            parent=ids[node.parent] if node.parent >= 0 else file_id,
            bases=node.bases,
            refs=node.refs,
            citations=(Citation.of_file(file.path, span), Citation.of_symbol(this, node.qualname, file.path)),
            meta={"names": node.names} if node.names else {},
            anatomy=Anatomy(node.head, node.body_start, node.body_end, node.doc_start, node.doc_end),
        )


def _tests_are_marked(lang: str) -> bool:
    """Whether tests are told by a mark beside them. A mere name may be that of something that tests a connection."""
    known = dialect(lang)
    return known is not None and known.lang.test_name is NOTHING


def _file_unit(file: TextFile, outline: Outline, text: str) -> Unit:
    span = Span(1, _last(file))
    return Unit(
        id=unit_id(SOURCE, file.path, "file", ""),
        source=SOURCE,
        kind="file",
        title=file.path,
        text=text,
        path=file.path,
        span=span,
        name=file.path.rpartition("/")[2],
        doc=_shortened(outline.doc),
        lang=file.lang,
        role=file.role,
        refs=outline.refs,
        imports=outline.imports,
        citations=(Citation.of_file(file.path, span),),
        anatomy=_anatomy(outline) if outline.nodes else None,
    )


def _anatomy(outline: Outline) -> Anatomy:
    """What stands above the first definition of a file: its docstring, comments such as a licence, and its imports."""
    first = outline.nodes[0].start
    comments = tuple((start, end) for start, end in outline.comment_lines if start <= first)
    start, end = _imports(outline.import_lines)
    return Anatomy(1, start, end, 1 if outline.doc_end else 0, outline.doc_end, comments)


def _imports(lines: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The first and last line of a file's imports, without those that stand apart; zeros where there are none."""
    if not lines:
        return 0, 0
    first, last = lines[0]
    for start, end in lines[1:]:
        if start - last > IMPORTS_APART or end - first >= MOST_IMPORTS:
            break
        last = max(last, end)
    return first, min(last, first + MOST_IMPORTS - 1)


def _block(file: TextFile, owner: Unit, lines: Sequence[str], span: Span, number: int) -> Unit:
    """Lines between definitions; those of a long class are called as it is."""
    text = "\n".join(lines[span.start - 1 : span.end])
    known = dialect(file.lang)
    found, skipped = (known.lang.refs, known.lang.not_refs) if known is not None else (PLAIN, frozenset())
    return Unit(
        id=unit_id(SOURCE, file.path, "block", "", number),
        source=SOURCE,
        kind="block",
        title=f"{file.path}:{span}",
        text=text,
        path=file.path,
        span=span,
        qualname=owner.qualname,
        lang=file.lang,
        role=owner.role,
        parent=owner.id,
        refs=() if file.lang in DATA else uses(text, found, skipped, ()),
        citations=(Citation.of_file(file.path, span),),
    )


def _title(node: Node) -> str:
    if len(node.names) <= 1:
        return node.qualname
    return ", ".join(node.names[:SHOWN_NAMES]) + (", …" if len(node.names) > SHOWN_NAMES else "")


def _shortened(doc: str) -> str:
    if len(doc) <= LONGEST_DOC:
        return doc
    return doc[:LONGEST_DOC].rpartition("\n")[0] or doc[:LONGEST_DOC]
