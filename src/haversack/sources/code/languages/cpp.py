"""C++."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.languages.c import (
    KEYWORDS,
    RULES,
    aggregate,
    declaration,
    enumeration,
    is_function,
)
from haversack.sources.code.refs import C_COMMENTS, DOUBLE, SINGLE, pattern
from haversack.sources.code.rules import Define, Inside, Lang
from haversack.sources.code.skeleton import AT_ANY_COLUMN

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Rule
    from haversack.sources.code.view import View


def _templated(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """What a `template <…>` introduces."""
    for child in node.children:
        look = _TEMPLATED.get(child.type)
        if look is not None:
            return look(view, child)
        if child.type == "alias_declaration":
            return ALIAS, child
    return None


def _field(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """A type defined inside a class."""
    kind = view.field(node, "type")
    if kind is None or view.field(kind, "body") is None:
        return None
    return enumeration(view, kind) if kind.type == "enum_specifier" else aggregate(view, kind)


def _friend(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """A function that a class defines beside its own."""
    inner = view.child(node, "function_definition")
    return is_function(view, inner) if inner is not None else None


def _namespace(view: View, node: Syntax) -> str:
    return view.field_text(node, "name").replace("::", ".")


ALIAS = Define("type", body=())
_TEMPLATED = {
    "function_definition": is_function,
    "friend_declaration": _friend,
    "class_specifier": aggregate,
    "struct_specifier": aggregate,
    "union_specifier": aggregate,
    "declaration": declaration,
    "template_declaration": _templated,
}

LANG = Lang(
    grammar="cpp",
    rules={
        **RULES,
        "template_declaration": _templated,
        "alias_declaration": ALIAS,
        "concept_definition": ALIAS,
        "namespace_definition": Inside(body="body", name=_namespace),
        "field_declaration": _field,
        "friend_declaration": _friend,
    },
    refs=pattern(C_COMMENTS, DOUBLE, SINGLE, calls=r"\s?\(|<[\w:, *&]{1,60}>\("),
    not_refs=KEYWORDS,
    bodies=AT_ANY_COLUMN,
    macros=True,
    bases=re.compile(r"[^:]:(?!:)\s*(.*)$"),
)
