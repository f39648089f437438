"""SQL."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import DASH_COMMENTS, SINGLE, words
from haversack.sources.code.rules import Comment, Constants, Define, Inside, Lang
from haversack.sources.code.view import first_child

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Name, Rule
    from haversack.sources.code.view import View

_QUOTES = str.maketrans("", "", '"`[]')


def _statement(_: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    inner = first_child(node)
    rule = CREATES.get(inner.type) if inner is not None else None
    return (rule, inner) if rule is not None and inner is not None else None


def _name(view: View, node: Syntax) -> Name:
    named = view.child(node, "object_reference")
    return tuple(view.text(named).translate(_QUOTES).split(".")) if named is not None else ""


def _index(view: View, node: Syntax) -> tuple[str, ...]:
    name = view.field_text(node, "column") or view.field_text(node, "name")
    return (name.translate(_QUOTES),) if name else ()


TABLE = Define("class", name=_name, body=("column_definitions",))
QUERY = Define("type", name=_name, body=("create_query",))
CREATES: dict[str, Rule] = {
    "create_table": TABLE,
    "create_view": QUERY,
    "create_materialized_view": QUERY,
    "create_type": Define("type", name=_name, body=()),
    "create_function": Define("function", name=_name, body=("function_body",)),
    "create_trigger": Define("function", name=_name, body=()),
    "create_index": Constants(_index),
    "create_sequence": Constants(_index),
}
LANG = Lang(
    grammar="sql",
    rules={
        "statement": _statement,
        **CREATES,
        "transaction": Inside(),
        "comment": Comment(),
        "marginalia": Comment(),
        "ERROR": Inside(),
    },
    refs=re.compile(
        rf"\b(?i:from|join|into|update|references|table|call|execute|procedure|on)\s+(?!(?i:if|select|only)\b)"
        rf"(?:[\w\"`]+\.)*[\"`]?(\w+)|{DASH_COMMENTS}|{SINGLE}"
    ),
    not_refs=words("set conflict delete update duplicate as where"),
)
