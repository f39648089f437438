"""The outline of a source file, from its syntax tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from haversack.sources.code.languages import dialect
from haversack.sources.code.outline import Node, Outline
from haversack.sources.code.refs import MOST_REFS, uses
from haversack.sources.code.stretches import Stretch, stretches

if TYPE_CHECKING:
    from haversack.sources.code.parsed import Parsed
    from haversack.sources.code.walk import Draft


class Cut(Struct, frozen=True):
    """An outline, what stands between definitions, and the text that is each definition's own: without what is inside.

    `rest` is the text of the file that is neither.
    """

    outline: Outline
    between: tuple[Stretch, ...]
    own: tuple[str, ...]
    rest: str


def outline(text: str, lang: str) -> Outline:
    """All definitions of a file; none when the language is not parsed or the text cannot be."""
    return cut(text, lang).outline


def cut(text: str, lang: str) -> Cut:
    """The outline with each definition's own text."""
    lines = text.split("\n")
    found = _found(text, lines, lang)
    if found is None:
        return _cut(lines, _empty(lang, text, lines), (), text)
    own, rest = _own_texts(lines, found.drafts, ())
    nodes = tuple(
        _node(draft, uses(mine, rules.refs, rules.not_refs, draft.names or (draft.name,)))
        for draft, rules, mine in zip(found.drafts, found.langs, own, strict=True)
    )
    used = dict.fromkeys((*uses(rest, found.lang.refs, found.lang.not_refs, ()), *found.imported))
    return _cut(lines, _outlined(lang, lines, found, nodes, tuple(used)[:MOST_REFS]), own, rest)


def _cut(lines: list[str], found: Outline, own: tuple[str, ...], rest: str) -> Cut:
    between = stretches(lines, found)
    if between:
        own, rest = _own_texts(lines, found.nodes, between)
    return Cut(found, between, own, rest)


def _found(text: str, lines: list[str], lang: str) -> Parsed | None:
    known = dialect(lang)
    if known is None or not text:
        return None
    # Imported late: a project without code never loads a parser.
    from haversack.sources.code.parsed import parsed

    return parsed(text, lines, known)


def _outlined(lang: str, lines: list[str], found: Parsed, nodes: tuple[Node, ...], refs: tuple[str, ...]) -> Outline:
    return Outline(
        lang=lang,
        nodes=nodes,
        imports=tuple(found.imports),
        import_lines=tuple(found.import_lines),
        doc=found.doc,
        doc_end=found.doc_end,
        refs=refs,
        comment_lines=_merged(found.comments),
        lines=len(lines),
        broken=found.faults > 0,
    )


def _own_texts(
    lines: list[str], definitions: Sequence[Draft | Node], between: Sequence[Stretch]
) -> tuple[tuple[str, ...], str]:
    """Each definition's lines without those of what lies inside it, and the lines outside all."""
    inner: dict[int, list[tuple[int, int]]] = {}
    for each in definitions:
        inner.setdefault(each.parent, []).append((each.start, each.end))
    for stretch in between:
        inner.setdefault(stretch.owner, []).append((stretch.span.start, stretch.span.end))
    own = tuple(_around(lines, each.start, each.end, inner.get(n, ())) for n, each in enumerate(definitions))
    return own, _around(lines, 1, len(lines), inner.get(-1, ()))


def _around(lines: list[str], start: int, end: int, inner: Sequence[tuple[int, int]]) -> str:
    kept: list[str] = []
    for first, last in sorted(inner):
        kept += lines[start - 1 : first - 1]
        start = last + 1
    kept += lines[start - 1 : end]
    return "\n".join(kept)


def _node(draft: Draft, refs: tuple[str, ...]) -> Node:
    return Node(
        draft.kind,
        draft.name,
        draft.qualname,
        draft.start,
        draft.end,
        draft.head,
        *draft.body,
        draft.signature,
        draft.doc,
        *draft.doc_lines,
        draft.marks,
        draft.bases,
        refs,
        draft.parent,
        draft.is_test,
        draft.names,
    )


def _merged(spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _empty(lang: str, text: str, lines: list[str]) -> Outline:
    return Outline(lang, (), (), (), "", 0, (), (), len(lines), broken=dialect(lang) is not None and bool(text))
