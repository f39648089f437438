"""HCL and Terraform: blocks, named by their labels the way they are referred to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import HASH_COMMENTS
from haversack.sources.code.rules import Comment, Constants, Define, Inside, Lang

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Name
    from haversack.sources.code.view import View


def _labels(view: View, node: Syntax) -> Name:
    """`resource "a" "b"` is a.b; others keep their word: variable.name."""
    held = [view.text(child).strip('"') for child in view.children(node, "identifier", "string_lit")]
    return tuple(held[1:] if len(held) > 2 else held)


def _key(view: View, node: Syntax) -> tuple[str, ...]:
    held = view.child(node, "identifier")
    return (view.text(held),) if held is not None else ()


LANG = Lang(
    grammar="hcl",
    rules={
        "body": Inside(),
        "block": Define("class", name=_labels, body=("body",)),
        "attribute": Constants(_key),
        "comment": Comment(),
        "ERROR": Inside(),
    },
    refs=re.compile(rf"\b((?<=var\.|ule\.|cal\.|ata\.)\w+|[a-z]+_\w+(?=\.\w))|{HASH_COMMENTS}|//.*+"),
)
