"""TOML: tables, and the keys before them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from haversack.sources.code.rules import NOTHING, Comment, Constants, Inside, Lang

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.view import View


def _key(view: View, node: Syntax) -> tuple[str, ...]:
    held = view.child(node, "bare_key", "dotted_key", "quoted_key")
    return (view.text(held).strip("\"'"),) if held is not None else ()


KEY = Constants(_key)
LANG = Lang(
    grammar="toml",
    rules={"pair": KEY, "table": KEY, "table_array_element": KEY, "comment": Comment(), "ERROR": Inside()},
    refs=NOTHING,
)
