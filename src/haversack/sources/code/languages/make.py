"""Makefiles: rules are functions, variables are constants."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import HASH_COMMENTS
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang, own_name

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Rule
    from haversack.sources.code.view import View


def _modules(text: str) -> tuple[str, ...]:
    return tuple(text.split("#")[0].split()[1:])


def _rule(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    return (RULE, node) if view.child(node, "recipe") is not None else None


def _target(view: View, node: Syntax) -> str:
    held = view.child(node, "targets")
    return view.text(held).split()[0] if held is not None and view.text(held).split() else ""


RULE = Define("function", name=_target, body=("recipe",))
VARIABLE = Constants(own_name)
LANG = Lang(
    grammar="make",
    rules={
        "rule": _rule,
        "variable_assignment": VARIABLE,
        "define_directive": VARIABLE,
        "conditional": Inside(),
        "include_directive": Import(_modules),
        "comment": Comment(),
        "ERROR": Inside(),
    },
    refs=re.compile(rf"\$[({{](\w+)|{HASH_COMMENTS}"),
)
