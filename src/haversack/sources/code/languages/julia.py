"""Julia."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import DOUBLE, HASH_COMMENTS, TRIPLE, pattern, words
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang
from haversack.sources.code.view import first_child

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Rule
    from haversack.sources.code.view import View

_USED = re.compile(r"[\w.]+")
_NAMED = re.compile(r"^(?:mutable\s+)?(?:function|macro|struct|abstract\s+type|primitive\s+type)?\s*([\w.!@]+)")


def _modules(text: str) -> tuple[str, ...]:
    return tuple(name for name in _USED.findall(text.partition(":")[0])[1:] if name)


def _name(view: View, node: Syntax) -> str:
    match = _NAMED.match(view.cut(node.start_byte, node.start_byte + 200))
    return match[1].rpartition(".")[2] if match else ""


def _assignment(_: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """`f(x) = …` is a function."""
    left = first_child(node)
    if left is None:
        return None
    if left.type in ("call_expression", "where_expression", "typed_expression"):
        return SHORT, node
    return (CONSTANT, node) if left.type == "identifier" else None


def _assigned(view: View, node: Syntax) -> tuple[str, ...]:
    return tuple(re.findall(r"^(?:const\s+|global\s+)?(\w+)", view.text(node)[:200]))


SHORT = Define("function", name=_name, body=())
CONSTANT = Constants(_assigned)
FUNCTION = Define("function", name=_name, body=("block",))
LANG = Lang(
    grammar="julia",
    rules={
        "module_definition": Inside(),
        "block": Inside(),
        "function_definition": FUNCTION,
        "macro_definition": FUNCTION,
        "struct_definition": Define("class", name=_name, body=("block",)),
        "abstract_definition": Define("type", name=_name, body=()),
        "assignment": _assignment,
        "const_statement": CONSTANT,
        "using_statement": Import(_modules),
        "import_statement": Import(_modules),
        "line_comment": Comment(),
        "block_comment": Comment(),
        "ERROR": Inside(),
    },
    refs=pattern(TRIPLE, DOUBLE, HASH_COMMENTS, calls=r"!?\("),
    not_refs=words("if for while return function end do let begin where"),
    bases=re.compile(r"<:\s*([\w.]+)"),
)
