"""GraphQL schemas and operations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import DOUBLE, HASH_COMMENTS, TRIPLE, pattern
from haversack.sources.code.rules import Comment, Define, Inside, Lang

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.view import View


def _named(view: View, node: Syntax) -> str:
    held = view.child(node, "name", "fragment_name")
    return view.text(held) if held is not None else ""


FIELDS = ("fields_definition", "input_fields_definition", "enum_values_definition", "selection_set")
TYPE = Define("type", name=_named, body=FIELDS)
LANG = Lang(
    grammar="graphql",
    rules={
        **dict.fromkeys(
            ("document", "definition", "type_system_definition", "type_definition", "executable_definition",
             "type_system_extension", "type_extension", "ERROR"),
            Inside(),
        ),
        **dict.fromkeys(
            ("interface_type_definition", "enum_type_definition", "input_object_type_definition",
             "union_type_definition", "scalar_type_definition"),
            TYPE,
        ),
        "object_type_definition": Define("class", name=_named, body=FIELDS),
        "object_type_extension": Define("class", name=_named, body=FIELDS),
        "operation_definition": Define("function", name=_named, body=FIELDS),
        "fragment_definition": Define("function", name=_named, body=FIELDS),
        "comment": Comment(),
    },
    refs=pattern(TRIPLE, DOUBLE, HASH_COMMENTS),
    bases=re.compile(r"\bimplements\b([^{@]*)"),
)  # fmt: skip
