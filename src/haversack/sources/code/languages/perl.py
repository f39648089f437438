"""Perl."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import DOUBLE, HASH_COMMENTS, SINGLE, pattern, words
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Rule
    from haversack.sources.code.view import View

_USED = re.compile(r"^(?:use|require)\s+([A-Z]\w*(?:::\w+)*)")
_DECLARED = re.compile(r"^(?:our|my)\s+[$@%](\w+)")


def _modules(text: str) -> tuple[str, ...]:
    return tuple(_USED.findall(text))


def _declaration(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    return (VARIABLE, node) if _DECLARED.match(view.cut(node.start_byte, node.start_byte + 100)) else None


def _names(view: View, node: Syntax) -> tuple[str, ...]:
    return tuple(_DECLARED.findall(view.cut(node.start_byte, node.start_byte + 100)))


VARIABLE = Constants(_names)
LANG = Lang(
    grammar="perl",
    rules={
        "function_definition": Define("function"),
        "binary_expression": _declaration,
        "variable_declaration": _declaration,
        "use_no_statement": Import(_modules),
        "comments": Comment(),
        "ERROR": Inside(),
    },
    refs=pattern(HASH_COMMENTS, DOUBLE, SINGLE, r"[$@%]\w++", more=r"|(?<=->)\w++"),
    not_refs=words("if unless while for foreach return my our sub shift push pop defined ref die print qw"),
)
