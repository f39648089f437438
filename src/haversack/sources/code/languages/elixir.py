"""Elixir: everything is a call, so calls are told apart by their word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import DOUBLE, HASH_COMMENTS, pattern, words
from haversack.sources.code.rules import Comment, Define, Import, Inside, Lang, Mark
from haversack.sources.code.view import first_child

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Name, Rule
    from haversack.sources.code.view import View

_IMPORT = re.compile(r"^(?:use|alias|import|require)\s+([A-Z][\w.]*)(?:\.\{([^}]*)\})?")
_DEFINED = re.compile(r"^def\w*\s+(?:unquote\()?([^\s(,]+)")
FUNCTIONS = words("def defp defmacro defmacrop defguard defguardp defdelegate")
MODULES = words("defmodule defprotocol defimpl")


def _modules(text: str) -> tuple[str, ...]:
    match = _IMPORT.match(text)
    if match is None:
        return ()
    inner = [part.strip() for part in (match[2] or "").split(",") if part.strip()]
    return tuple(f"{match[1].rstrip('.')}.{part}" for part in inner) or (match[1],)


def _call(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    word = view.field_text(node, "target")
    if word in FUNCTIONS:
        return FUNCTION, node
    if word in MODULES:
        return MODULE, node
    if word in ("use", "alias", "import", "require"):
        return IMPORT, node
    if word in ("describe", "test") and view.child(node, "do_block") is not None:
        return (SUITE if word == "describe" else CASE), node
    return None


def _attribute(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """`@doc` documents, `@spec` and `@impl` mark."""
    start = view.cut(node.start_byte, node.start_byte + 10)
    if start.startswith(("@doc", "@moduledoc")):
        return Comment(), node
    return (Mark(), node) if start.startswith(("@spec", "@impl", "@deprecated", "@tag")) else None


def _module(view: View, node: Syntax) -> Name:
    held = view.child(node, "arguments")
    first = first_child(held) if held is not None else None
    return view.text(first) if first is not None else ""


def _function(view: View, node: Syntax) -> str:
    match = _DEFINED.match(view.cut(node.start_byte, node.start_byte + 200))
    return match[1] if match else ""


def _case(view: View, node: Syntax) -> str:
    return " ".join(view.text(node).partition(" do")[0].partition("\n")[0].replace('"', "").split())[:120]


IMPORT = Import(_modules)
MODULE = Define("class", name=_module, body=("do_block",), members=True)
FUNCTION = Define("function", name=_function, body=("do_block",))
SUITE = Define("class", name=_case, body=("do_block",), members=True, is_test=True)
CASE = Define("function", name=_case, body=("do_block",), is_test=True)
LANG = Lang(
    grammar="elixir",
    rules={"call": _call, "unary_operator": _attribute, "comment": Comment(), "ERROR": Inside()},
    refs=pattern(r'"""[\s\S]*?(?:"""|\Z)', HASH_COMMENTS, DOUBLE, calls=r"[?!]?\("),
    not_refs=words(
        "def defp defmodule defmacro do end fn if unless case cond with for quote unquote when nil __MODULE__"
    ),
)
