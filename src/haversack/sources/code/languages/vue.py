"""Vue components: template and style as pieces, scripts as what they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.rules import Comment, Define, Inside, Lang, Script

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.view import View

# Components a template mentions, as <CartLine> or <cart-line>, and what it calls.
REFS = re.compile(r"(?:<|(?<=[=\"{(]))([A-Z]\w+|[a-z]+-[\w-]+|[a-z]\w+(?=[\"}(]))")


def tag(view: View, node: Syntax) -> str:
    """The section's tag."""
    return re.split(r"[\s>]", view.text(node)[1:40], maxsplit=1)[0]


SECTION = Define("block", name=tag, body=())
LANG = Lang(
    grammar="vue",
    rules={
        "template_element": SECTION,
        "style_element": SECTION,
        "script_element": Script(),
        "comment": Comment(),
        "ERROR": Inside(),
    },
    refs=REFS,
)
