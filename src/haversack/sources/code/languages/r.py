"""R: functions are values that are assigned."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import DOUBLE, HASH_COMMENTS, SINGLE, words
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Rule
    from haversack.sources.code.view import View

_LOADED = re.compile(r"""^(?:library|require|requireNamespace|source)\s*\(\s*["']?([\w./-]+)""")
_TEST = re.compile(r"""^(?:test_that|describe|it)\s*\(\s*["']([^"'\n]+)""")


def _modules(text: str) -> tuple[str, ...]:
    return tuple(_LOADED.findall(text))


def _assignment(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    left, right = view.field(node, "lhs"), view.field(node, "rhs")
    if left is None or right is None or left.type not in ("identifier", "string"):
        return None
    return (FUNCTION if right.type == "function_definition" else VALUE), node


def _call(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    text = view.cut(node.start_byte, node.start_byte + 200)
    if _TEST.match(text):
        return TEST, node
    return (LOADED, node) if _LOADED.match(text) else None


def _name(view: View, node: Syntax) -> str:
    return view.field_text(node, "lhs").strip("`\"'")


def _names(view: View, node: Syntax) -> tuple[str, ...]:
    return (_name(view, node),)


def _body(view: View, node: Syntax) -> Syntax | None:
    value = view.field(node, "rhs")
    return view.field(value, "body") if value is not None else None


def _test_name(view: View, node: Syntax) -> str:
    match = _TEST.match(view.cut(node.start_byte, node.start_byte + 200))
    return f"test {match[1]}" if match else ""


LOADED = Import(_modules)
FUNCTION = Define("function", name=_name, body=_body)
VALUE = Constants(_names)
TEST = Define("function", name=_test_name, body="arguments", is_test=True)
LANG = Lang(
    grammar="r",
    rules={"binary_operator": _assignment, "call": _call, "comment": Comment(), "ERROR": Inside()},
    refs=re.compile(rf"([A-Za-z.][\w.]*+)(?=\()|[\w.]++|{HASH_COMMENTS}|{DOUBLE}|{SINGLE}"),
    not_refs=words("if for while function return c list library require source"),
)
