"""Java."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import C_COMMENTS, CHARACTER, DOUBLE, TRIPLE, pattern, words
from haversack.sources.code.rules import LISTED, Comment, Define, Import, Inside, Lang, Mark

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Rule
    from haversack.sources.code.view import View

_IMPORT = re.compile(r"import\s+(?:static\s+)?([\w.]+)")


def _modules(text: str) -> tuple[str, ...]:
    return tuple(name.rstrip(".") for name in _IMPORT.findall(text))


def _constant(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """A value, or one that has methods of its own."""
    return (WITH_METHODS if view.field(node, "body") is not None else LISTED), node


WITH_METHODS = Inside(body="body", name="name")
CLASS = Define("class", members=True)
TYPE = Define("type", members=True)
METHOD = Define("function")
LANG = Lang(
    grammar="java",
    rules={
        "class_declaration": CLASS,
        "record_declaration": CLASS,
        "interface_declaration": TYPE,
        "enum_declaration": Define("type", members=True, lists=True),
        "annotation_type_declaration": TYPE,
        "enum_body_declarations": Inside(),
        "enum_constant": _constant,
        "method_declaration": METHOD,
        "constructor_declaration": METHOD,
        "compact_constructor_declaration": METHOD,
        "import_declaration": Import(_modules),
        "marker_annotation": Mark(),
        "annotation": Mark(),
        "line_comment": Comment(),
        "block_comment": Comment(),
        "ERROR": Inside(),
    },
    modifiers=frozenset({"modifiers"}),
    refs=pattern(C_COMMENTS, TRIPLE, DOUBLE, CHARACTER, calls=r"\s?\("),
    not_refs=words(
        "if for while switch catch return super this synchronized try assert new String Override Object "
        "Integer Boolean Long"
    ),
    bases=re.compile(r"\b(?:extends|implements)\b(.*)$"),
    test_mark=re.compile(r"@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b"),
)
