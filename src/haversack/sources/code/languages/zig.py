"""Zig: types are constants whose value is a struct."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import C_COMMENTS, CHARACTER, DOUBLE, pattern, words
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Rule
    from haversack.sources.code.view import View

_IMPORT = re.compile(r'@import\(\s*"([^"]+)"')
AGGREGATES = ("struct_declaration", "union_declaration", "opaque_declaration")


def _modules(text: str) -> tuple[str, ...]:
    return tuple(_IMPORT.findall(text))


def _variable(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    if view.child(node, *AGGREGATES) is not None:
        return STRUCT, node
    if view.child(node, "enum_declaration", "error_set_declaration") is not None:
        return ENUM, node
    held = view.child(node, "builtin_function")
    return (IMPORT if held is not None and view.text(held).startswith("@import") else VARIABLE), node


def _named(view: View, node: Syntax) -> str:
    held = view.child(node, "identifier")
    return view.text(held) if held is not None else ""


def _names(view: View, node: Syntax) -> tuple[str, ...]:
    name = _named(view, node)
    return (name,) if name else ()


def _test(view: View, node: Syntax) -> str:
    held = view.child(node, "string", "identifier")
    return f"test {view.text(held)}".replace('"', "") if held is not None else "test"


IMPORT = Import(_modules)
STRUCT = Define("class", name=_named, body=AGGREGATES, members=True)
ENUM = Define("type", name=_named, body=("enum_declaration", "error_set_declaration"), members=True)
VARIABLE = Constants(_names)
LANG = Lang(
    grammar="zig",
    rules={
        "variable_declaration": _variable,
        "function_declaration": Define("function"),
        "test_declaration": Define("function", name=_test, body=("block",), is_test=True),
        "comment": Comment(),
        "ERROR": Inside(),
    },
    refs=pattern(C_COMMENTS, DOUBLE, CHARACTER),
    not_refs=words("if while for switch return fn struct enum union catch orelse try Self"),
)
