"""Dart: a function's body stands beside its signature."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import C_COMMENTS, DOUBLE, SINGLE, TRIPLE, pattern, words
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang, Mark

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Name, Rule
    from haversack.sources.code.view import View

_IMPORT = re.compile(r"""['"]([^'"\n]+)['"]""")
_NAMED = re.compile(r"([\w.]+)\s*(?:<[^<>]*>)?\s*\(|\b(?:get|set)\s+(\w+)|\boperator\s*(\S+?)\s*\(")


def _modules(text: str) -> tuple[str, ...]:
    return tuple(name.removeprefix("package:") for name in _IMPORT.findall(text)[:1])


def _signature(view: View, node: Syntax) -> Name:
    match = _NAMED.search(view.text(node))
    return next((part for part in match.groups() if part), "").rpartition(".")[2] if match else ""


def _body(_: View, node: Syntax) -> Syntax | None:
    following = node.next_sibling
    return following if following is not None and following.type == "function_body" else None


def _method(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    return (METHOD, node) if _body(view, node) is not None else None


def _named(view: View, node: Syntax) -> str:
    held = view.field(node, "name") or view.child(node, "identifier", "type_identifier")
    return view.text(held) if held is not None else ""


def _names(view: View, node: Syntax) -> tuple[str, ...]:
    return tuple(re.findall(r"(\w+)\s*=[^=]", view.text(node)[:400]))


BODIES = ("class_body", "enum_body", "extension_body")
METHOD = Define("function", name=_signature, body=_body)
CLASS = Define("class", name=_named, body=BODIES, members=True)
LANG = Lang(
    grammar="dart",
    rules={
        "class_definition": CLASS,
        "mixin_declaration": CLASS,
        "extension_declaration": CLASS,
        "enum_declaration": Define("type", name=_named, body=BODIES, members=True),
        "type_alias": Define("type", name=_named, body=()),
        "function_signature": _method,
        "method_signature": _method,
        "getter_signature": _method,
        "setter_signature": _method,
        "static_final_declaration_list": Constants(_names),
        "import_or_export": Import(_modules),
        "annotation": Mark(),
        "comment": Comment(),
        "documentation_comment": Comment(),
        "ERROR": Inside(),
    },
    refs=pattern(C_COMMENTS, TRIPLE, DOUBLE, SINGLE),
    not_refs=words("if for while switch catch return super this assert String Future List Map"),
    bases=re.compile(r"\b(?:extends|with|implements|on)\b(.*)$"),
)
