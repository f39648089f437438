"""An outline from units that were cut by one: what the parser found once is not looked for again."""

from __future__ import annotations

from collections.abc import Sequence

from haversack.model import Unit
from haversack.sources.code.outline import Node, Outline


def stored_outline(units: Sequence[Unit]) -> Outline | None:
    """The outline of the first unit, a file or a definition, from it and the units inside it; None when not parsed."""
    whole = units[0]
    if whole.anatomy is None or whole.span is None:
        return None
    places: dict[str, int] = {}
    nodes: list[Node] = []
    for unit in units[1:] if whole.kind == "file" else units:
        if unit.anatomy is not None and unit.span is not None:
            places[unit.id] = len(nodes)
            nodes.append(_node(unit, places.get(unit.parent or "", -1)))
    of_file = whole.kind == "file"
    return Outline(
        lang=whole.lang,
        nodes=tuple(nodes),
        imports=whole.imports,
        import_lines=(),
        doc=whole.doc if of_file else "",
        doc_end=whole.anatomy.doc_end if of_file else 0,
        refs=whole.refs if of_file else (),
        comment_lines=whole.anatomy.comments,
        lines=whole.span.end,
        broken=False,
    )


def _node(unit: Unit, parent: int) -> Node:
    assert unit.anatomy is not None
    assert unit.span is not None
    names = unit.meta.get("names")
    return Node(
        kind=unit.kind,
        name=unit.name,
        qualname=unit.qualname,
        start=unit.span.start,
        end=unit.span.end,
        head=unit.anatomy.head,
        body_start=unit.anatomy.body_start,
        body_end=unit.anatomy.body_end,
        signature=unit.signature,
        doc=unit.doc,
        doc_start=unit.anatomy.doc_start,
        doc_end=unit.anatomy.doc_end,
        decorators=unit.decorators,
        bases=unit.bases,
        refs=unit.refs,
        parent=parent,
        names=names if isinstance(names, tuple) else (),
    )
