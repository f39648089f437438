"""PowerShell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import DOUBLE, HASH_COMMENTS, SINGLE, words
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Rule
    from haversack.sources.code.view import View

_LOADED = re.compile(r"^(?:Import-Module\s+|using\s+module\s+|\.\s+)[\"']?([^\"'\s;]+)", re.I)
_ASSIGNED = re.compile(r"^\$((?:\w+:)?\w+)\s*=")


def _modules(text: str) -> tuple[str, ...]:
    return tuple(_LOADED.findall(text))


def _pipeline(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    text = view.cut(node.start_byte, node.start_byte + 200)
    if _LOADED.match(text):
        return LOADED, node
    return (VARIABLE, node) if _ASSIGNED.match(text) else None


def _names(view: View, node: Syntax) -> tuple[str, ...]:
    return tuple(_ASSIGNED.findall(view.cut(node.start_byte, node.start_byte + 200)))


def _named(view: View, node: Syntax) -> str:
    held = view.child(node, "function_name", "simple_name")
    return view.text(held) if held is not None else ""


LOADED = Import(_modules)
VARIABLE = Constants(_names)
LANG = Lang(
    grammar="powershell",
    rules={
        "statement_list": Inside(),
        "function_statement": Define("function", name=_named, body=("script_block",)),
        "class_statement": Define("class", name=_named, body=("{",), members=True),
        "class_method_definition": Define("function", name=_named, body=("script_block",)),
        "pipeline": _pipeline,
        "comment": Comment(),
        "ERROR": Inside(),
    },
    refs=re.compile(rf"\b([A-Z][a-z]+-\w+|[A-Z]\w+)\b|{HASH_COMMENTS}|{DOUBLE}|{SINGLE}"),
    not_refs=words("Write-Output Write-Host Import-Module"),
    bases=re.compile(r"^class\s+\w+\s*:\s*(.*)$"),
)
