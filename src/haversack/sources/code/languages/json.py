"""JSON: the keys at the top."""

from __future__ import annotations

from typing import TYPE_CHECKING

from haversack.sources.code.rules import NOTHING, Comment, Constants, Inside, Lang

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.view import View


def _key(view: View, node: Syntax) -> tuple[str, ...]:
    name = view.field_text(node, "key").strip("\"'")
    return (name,) if name else ()


LANG = Lang(
    grammar="json",
    rules={"object": Inside(), "pair": Constants(_key), "comment": Comment(), "ERROR": Inside()},
    refs=NOTHING,
)
