"""Swift."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import C_COMMENTS, DOUBLE, TRIPLE, pattern, words
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang, Mark

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Rule
    from haversack.sources.code.view import View

_IMPORT = re.compile(r"import\s+(?:struct\s+|class\s+|enum\s+|protocol\s+|func\s+|typealias\s+|let\s+|var\s+)?([\w.]+)")
BODIES = ("class_body", "enum_class_body", "protocol_body")


def _modules(text: str) -> tuple[str, ...]:
    return tuple(_IMPORT.findall(text))


def _class(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    kind = view.field_text(node, "declaration_kind")
    return {"enum": TYPE, "extension": EXTENSION}.get(kind, CLASS), node


def _extended(view: View, node: Syntax) -> str:
    return re.sub(r"<.*", "", view.field_text(node, "name"))


def _extension(view: View, node: Syntax) -> str:
    return f"extension {_extended(view, node)}"


def _computed(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """A property that computes something is like a method, others are constants."""
    held = view.field(node, "computed_value")
    if held is not None and held.end_point[0] > held.start_point[0]:
        return COMPUTED, node
    return CONSTANT, node


def _names(view: View, node: Syntax) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", view.field_text(node, "name"))[:1])


def _property(view: View, node: Syntax) -> str:
    return view.field_text(node, "name")


def _keyword(view: View, node: Syntax) -> str:
    """`init`, `deinit` and `subscript` have no name of their own."""
    match = re.search(r"\b(init|deinit|subscript)\b", view.text(node)[:200])
    return match[1] if match else ""


CLASS = Define("class", body=BODIES, members=True)
TYPE = Define("type", body=BODIES, members=True)
EXTENSION = Define("class", name=_extension, owner=_extended, body=BODIES, members=True)
COMPUTED = Define("function", name=_property, body="computed_value")
CONSTANT = Constants(_names)
UNNAMED = Define("function", name=_keyword, body=("function_body", "computed_property"))
LANG = Lang(
    grammar="swift",
    rules={
        "class_declaration": _class,
        "protocol_declaration": TYPE,
        "function_declaration": Define("function", body="body"),
        "protocol_function_declaration": Define("function", body=()),
        "init_declaration": UNNAMED,
        "deinit_declaration": UNNAMED,
        "subscript_declaration": UNNAMED,
        "typealias_declaration": Define("type", body=()),
        "property_declaration": _computed,
        "import_declaration": Import(_modules),
        "attribute": Mark(),
        "comment": Comment(),
        "multiline_comment": Comment(),
        "ERROR": Inside(),
    },
    modifiers=frozenset({"modifiers"}),
    refs=pattern(C_COMMENTS, TRIPLE, DOUBLE, calls=r"\s?[({]"),
    not_refs=words(
        "if else guard for while switch catch do return repeat defer get set init deinit subscript in is as "
        "try await super self throws rethrows func where String Int Bool Void Any"
    ),
    bases=re.compile(r"\b(?:class|struct|enum|protocol|extension|actor)\s+[\w.]+(?:\s*<.*>)?\s*:\s*(.*)$"),
    test_name=re.compile(r"test[A-Z_]\w*$"),
    test_mark=re.compile(r"^@(?:Test|Suite)\b"),
)
