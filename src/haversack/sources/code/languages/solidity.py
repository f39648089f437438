"""Solidity."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import C_COMMENTS, DOUBLE, SINGLE, pattern, words
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang, own_name

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.view import View

_IMPORT = re.compile(r"""['"]([^'"\n]+)['"]""")


def _modules(text: str) -> tuple[str, ...]:
    return tuple(_IMPORT.findall(text)[:1])


def _constructor(_: View, __: Syntax) -> str:
    return "constructor"


CLASS = Define("class", members=True)
LANG = Lang(
    grammar="solidity",
    rules={
        "contract_declaration": CLASS,
        "library_declaration": CLASS,
        "interface_declaration": Define("type", members=True),
        "struct_declaration": Define("class"),
        "enum_declaration": Define("type"),
        "function_definition": Define("function"),
        "modifier_definition": Define("function"),
        "constructor_definition": Define("function", name=_constructor),
        "constant_variable_declaration": Constants(own_name),
        "import_directive": Import(_modules),
        "comment": Comment(),
        "ERROR": Inside(),
    },
    refs=pattern(C_COMMENTS, DOUBLE, SINGLE),
    not_refs=words("if for while return require assert revert function constructor modifier returns emit mapping"),
    bases=re.compile(r"\bis\b(.*)$"),
)
