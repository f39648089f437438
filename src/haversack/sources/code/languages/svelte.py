"""Svelte components: markup and style as pieces, scripts as what they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from haversack.sources.code.languages.html import LEAST_LINES
from haversack.sources.code.languages.vue import REFS, SECTION, tag
from haversack.sources.code.rules import Comment, Define, Inside, Lang, Script

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Rule
    from haversack.sources.code.view import View


def _element(_: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    first, last = node.start_point[0], node.end_point[0]
    return (ELEMENT, node) if last - first + 1 >= LEAST_LINES else None


ELEMENT = Define("block", name=tag, body=())
LANG = Lang(
    grammar="svelte",
    rules={
        "element": _element,
        "style_element": SECTION,
        "script_element": Script(),
        "comment": Comment(),
        "ERROR": Inside(),
    },
    refs=REFS,
)
