"""Kotlin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import C_COMMENTS, CHARACTER, DOUBLE, TRIPLE, pattern, words
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang, Mark

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Name, Rule
    from haversack.sources.code.view import View

_IMPORT = re.compile(r"import\s+([\w.`]+)")
_TYPE = re.compile(r"\b(?:interface|enum\s+class|annotation\s+class)\b")
BODIES = ("class_body", "enum_class_body")


def _modules(text: str) -> tuple[str, ...]:
    return tuple(name.rstrip(".").replace("`", "") for name in _IMPORT.findall(text))


def _class(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    body = view.child(node, *BODIES)
    head = view.cut(node.start_byte, body.start_byte if body is not None else node.end_byte)
    return (TYPE if _TYPE.search(head) else CLASS), node


def _name(view: View, node: Syntax) -> str:
    return view.field_text(node, "name").strip("`")


def _function(view: View, node: Syntax) -> Name:
    """`fun String.shout()` extends String."""
    receiver = view.child(node, "user_type", "function_value_parameters")
    name = _name(view, node)
    if (
        receiver is None
        or receiver.type != "user_type"
        or not view.text(node)[receiver.end_byte - node.start_byte :].startswith(".")
    ):
        return name
    return re.sub(r"<.*", "", view.text(receiver)), name


def _companion(view: View, node: Syntax) -> str:
    return _name(view, node) or "Companion"


def _constructor(_: View, __: Syntax) -> str:
    return "constructor"


def _names(view: View, node: Syntax) -> tuple[str, ...]:
    declared = view.child(node, "variable_declaration", "multi_variable_declaration")
    return tuple(re.findall(r"\w+", view.text(declared))[:1]) if declared is not None else ()


CLASS = Define("class", name=_name, body=BODIES, members=True)
TYPE = Define("type", name=_name, body=BODIES, members=True)
LANG = Lang(
    grammar="kotlin",
    rules={
        "class_declaration": _class,
        "object_declaration": CLASS,
        "companion_object": Define("class", name=_companion, body=BODIES, members=True),
        "function_declaration": Define("function", name=_function, body=("function_body",)),
        "secondary_constructor": Define("function", name=_constructor, body=("block",)),
        "type_alias": Define("type", name="type", body=()),
        "property_declaration": Constants(_names),
        "import": Import(_modules),
        "annotation": Mark(),
        "line_comment": Comment(),
        "block_comment": Comment(),
        "ERROR": Inside(),
    },
    modifiers=frozenset({"modifiers"}),
    refs=pattern(C_COMMENTS, TRIPLE, DOUBLE, CHARACTER, calls=r"\s?[({]"),
    not_refs=words(
        "if else for while when try catch finally return do init get set fun object companion constructor "
        "class interface this is in as by String Int Boolean Long Unit Any"
    ),
    bases=re.compile(r"(?:\)|\b(?:class|object|interface)\s+[\w`]+(?:\s*<.*>)?)\s*:\s*(.*)$"),
    test_mark=re.compile(r"@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\b"),
)
