"""C#."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import C_COMMENTS, CHARACTER, DOUBLE, TRIPLE, pattern, words
from haversack.sources.code.rules import LISTED, Comment, Define, Import, Inside, Lang, Mark

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Rule
    from haversack.sources.code.view import View

_USING = re.compile(r"using\s+(?:static\s+)?(?:\w+\s*=\s*)?(?:global::)?([\w.]+)\s*;")


def _modules(text: str) -> tuple[str, ...]:
    return tuple(_USING.findall(text))


def _property(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """A property is worth a node when its accessors do something."""
    accessors = view.field(node, "accessors")
    return (PROPERTY, node) if accessors is not None and "{" in view.text(accessors)[1:] else None


def _body(view: View, node: Syntax) -> Syntax | None:
    return view.field(node, "body") or view.child(node, "arrow_expression_clause")


def _operator(view: View, node: Syntax) -> str:
    return "operator " + (view.field_text(node, "operator") or view.field_text(node, "type"))


def _indexer(_: View, __: Syntax) -> str:
    return "this[]"


CLASS = Define("class", members=True)
TYPE = Define("type", members=True)
METHOD = Define("function", body=_body)
PROPERTY = Define("function", body="accessors")
LANG = Lang(
    grammar="csharp",
    rules={
        "class_declaration": CLASS,
        "struct_declaration": CLASS,
        "record_declaration": CLASS,
        "interface_declaration": TYPE,
        "enum_declaration": Define("type", lists=True),
        "enum_member_declaration": LISTED,
        "delegate_declaration": Define("type", body=()),
        "method_declaration": METHOD,
        "constructor_declaration": METHOD,
        "destructor_declaration": METHOD,
        "operator_declaration": Define("function", name=_operator, body=_body),
        "conversion_operator_declaration": Define("function", name=_operator, body=_body),
        "indexer_declaration": Define("function", name=_indexer, body="accessors"),
        "local_function_statement": METHOD,
        "property_declaration": _property,
        "namespace_declaration": Inside(body="body"),
        "file_scoped_namespace_declaration": Inside(),
        "declaration_list": Inside(),
        "preproc_if": Inside(),
        "preproc_else": Inside(),
        "preproc_elif": Inside(),
        "using_directive": Import(_modules),
        "attribute_list": Mark(),
        "comment": Comment(),
        "ERROR": Inside(),
    },
    refs=pattern(C_COMMENTS, TRIPLE, DOUBLE, CHARACTER, calls=r"\s?\("),
    not_refs=words(
        "if for foreach while switch catch return using lock base this nameof typeof new when fixed sizeof "
        "default get set"
    ),
    bases=re.compile(r"\b(?:class|struct|record|interface)\b[^:]*:\s*(.*)$"),
    test_mark=re.compile(r"\[\s*(?:\w+\.)*(?:Test|TestCase|TestMethod|Fact|Theory|TestFixture|TestClass)\b"),
)
