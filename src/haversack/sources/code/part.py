"""The outline of a definition from its own lines, without the rest of its file."""

from __future__ import annotations

from dataclasses import replace

from haversack.sources.code.outline import Node, Outline
from haversack.sources.code.syntax import skeleton


def outline_part(text: str, lang: str, first_line: int, inside: str = "") -> Outline:
    """The definitions in these lines of a file, numbered as there; broken when the lines do not parse alone.

    `inside` is what their qualified names begin with in the file, such as `Outer.`.
    """
    found = skeleton(_dedented(text), lang)
    by = first_line - 1
    return replace(
        found,
        nodes=tuple(_moved(node, by, inside) for node in found.nodes),
        import_lines=tuple((start + by, end + by) for start, end in found.import_lines),
        comment_lines=tuple((start + by, end + by) for start, end in found.comment_lines),
        doc_end=found.doc_end + by if found.doc_end else 0,
        lines=found.lines + by,
        broken=found.broken or not found.nodes,
    )


def _dedented(text: str) -> str:
    """The lines as far to the left as the first one allows; what hangs further left stays where it is."""
    indent = text[: len(text) - len(text.lstrip(" \t"))]
    return "\n".join(line.removeprefix(indent) for line in text.split("\n")) if indent else text


def _moved(node: Node, by: int, inside: str) -> Node:
    body, doc = bool(node.body_start), bool(node.doc_start)
    return replace(
        node,
        qualname=inside + node.qualname,
        start=node.start + by,
        end=node.end + by,
        head=node.head + by,
        body_start=node.body_start + by * body,
        body_end=node.body_end + by * body,
        doc_start=node.doc_start + by * doc,
        doc_end=node.doc_end + by * doc,
    )
