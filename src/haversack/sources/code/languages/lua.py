"""Lua."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import DASH_COMMENTS, DOUBLE, SINGLE, pattern, words
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang
from haversack.sources.code.view import first_child

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Name, Rule
    from haversack.sources.code.view import View

_REQUIRE = re.compile(r"""\brequire\s*\(?\s*['"]([^'"\n]+)['"]""")
_TEST = re.compile(r"""^(describe|context|it|test|pending|spec)\s*\(\s*['"]([^'"\n]*)""")


def _modules(text: str) -> tuple[str, ...]:
    return tuple(_REQUIRE.findall(text))


def _dotted(view: View, node: Syntax) -> Name:
    return tuple(re.split(r"[.:]", view.field_text(node, "name")))


def _assignment(view: View, node: Syntax) -> Syntax:
    return view.child(node, "assignment_statement") or node


def _value(view: View, node: Syntax) -> Syntax | None:
    held = view.child(_assignment(view, node), "expression_list")
    return first_child(held) if held is not None else None


def _targets(view: View, node: Syntax) -> str:
    held = view.child(_assignment(view, node), "variable_list")
    return view.text(held) if held is not None else ""


def _variable(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """`x = function` is a function, `x = require` an import."""
    value = _value(view, node)
    if value is not None and value.type == "function_definition":
        return ASSIGNED, node
    if value is not None and view.text(value)[:8].startswith("require"):
        return IMPORT, node
    return CONSTANT, node


def _assigned_name(view: View, node: Syntax) -> Name:
    return tuple(re.split(r"[.:]", _targets(view, node).split(",")[0].strip()))


def _assigned_body(view: View, node: Syntax) -> Syntax | None:
    value = _value(view, node)
    return view.field(value, "body") if value is not None else None


def _names(view: View, node: Syntax) -> tuple[str, ...]:
    return tuple(name.strip() for name in _targets(view, node).split(",") if re.fullmatch(r"\s*[\w.]+\s*", name))


def _call(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """A test block."""
    match = _TEST.match(view.text(node)[:200])
    if match is None or _block(view, node) is None:
        return (IMPORT, node) if view.cut(node.start_byte, node.start_byte + 7) == "require" else None
    return (SUITE if match[1] in ("describe", "context") else CASE), node


def _case_name(view: View, node: Syntax) -> str:
    match = _TEST.match(view.text(node)[:200])
    return f"{match[1]} {match[2]}" if match else ""


def _block(view: View, node: Syntax) -> Syntax | None:
    arguments = view.field(node, "arguments")
    held = view.child(arguments, "function_definition") if arguments is not None else None
    return view.field(held, "body") if held is not None else None


IMPORT = Import(_modules)
CONSTANT = Constants(_names)
ASSIGNED = Define("function", name=_assigned_name, body=_assigned_body)
SUITE = Define("class", name=_case_name, body=_block, members=True, is_test=True)
CASE = Define("function", name=_case_name, body=_block, is_test=True)
LANG = Lang(
    grammar="lua",
    rules={
        "function_declaration": Define("function", name=_dotted),
        "variable_declaration": _variable,
        "assignment_statement": _variable,
        "function_call": _call,
        "if_statement": Inside(),
        "comment": Comment(),
        "ERROR": Inside(),
    },
    refs=pattern(
        r"--\[\[[\s\S]*?(?:\]\]|\Z)", DASH_COMMENTS, DOUBLE, SINGLE, r"\[\[[\s\S]*?(?:\]\]|\Z)", calls=r"\s?[(\"'{]"
    ),
    not_refs=words(
        "if then else elseif for while return function require local and or not in do end pairs ipairs self"
    ),
)
