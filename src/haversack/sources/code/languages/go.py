"""Go."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import BACKTICK, C_COMMENTS, CHARACTER, DOUBLE, pattern, words
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Name, Rule
    from haversack.sources.code.view import View

_PATH = re.compile(r'"([^"\n]+)"')
_RECEIVER = re.compile(r"(\w+)\s*(?:\[[^\]]*\])?\s*\)?$")


def _modules(text: str) -> tuple[str, ...]:
    return tuple(_PATH.findall(text))


def _method(view: View, node: Syntax) -> Name:
    match = _RECEIVER.search(view.field_text(node, "receiver").rstrip(") "))
    name = view.field_text(node, "name")
    return (match[1], name) if match else name


def _types(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """One type, or a list of them in brackets."""
    inner = [child for child in node.children if child.type in ("type_spec", "type_alias")]
    if len(inner) == 1 and view.child(node, "(") is None:
        return _type(view, inner[0])
    return Inside(), node


def _type(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    kind = view.field(node, "type")
    return (STRUCT if kind is not None and kind.type == "struct_type" else TYPE), node


def _type_body(view: View, node: Syntax) -> Syntax | None:
    kind = view.field(node, "type")
    if kind is None or kind.type not in ("struct_type", "interface_type"):
        return None
    return view.child(kind, "field_declaration_list", "{")


def _names(view: View, node: Syntax) -> tuple[str, ...]:
    specs = list(view.children(node, "const_spec", "var_spec"))
    for held in view.children(node, "var_spec_list"):
        specs += view.children(held, "var_spec")
    return tuple(view.text(child) for spec in specs for child in spec.children if child.type == "identifier")


STRUCT = Define("class", body=_type_body)
TYPE = Define("type", body=_type_body)
LANG = Lang(
    grammar="go",
    rules={
        "function_declaration": Define("function"),
        "method_declaration": Define("function", name=_method),
        "type_declaration": _types,
        "type_spec": _type,
        "type_alias": Define("type", body=()),
        "const_declaration": Constants(_names),
        "var_declaration": Constants(_names),
        "import_declaration": Import(_modules),
        "comment": Comment(),
        "ERROR": Inside(),
    },
    refs=pattern(C_COMMENTS, DOUBLE, CHARACTER, BACKTICK, calls=r"\(|\[[\w., *]{1,60}\]\("),
    not_refs=words(
        "if for switch return func make len cap append new panic copy delete string error byte int select "
        "interface struct map chan nil"
    ),
    test_name=re.compile(r"(?:Test|Benchmark|Fuzz|Example)(?:[A-Z_0-9]|$)"),
)
