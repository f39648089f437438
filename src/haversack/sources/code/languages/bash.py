"""Bash and other shells."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import DOUBLE, HASH_COMMENTS, SINGLE, words
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Rule
    from haversack.sources.code.view import View

_SOURCED = re.compile(r"""^(?:source|\.)\s+["']?([^"'\s;]+)""")
_VARIABLE_FOLDER = re.compile(r"^\$(?:\{[^}]*\}|\([^)]*\)|\w+)/")


def _modules(text: str) -> tuple[str, ...]:
    return tuple("./" + _VARIABLE_FOLDER.sub("", name).removeprefix("./") for name in _SOURCED.findall(text))


def _command(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    return (IMPORT, node) if view.field_text(node, "name") in ("source", ".") else None


def _names(view: View, node: Syntax) -> tuple[str, ...]:
    found = [node] if node.type == "variable_assignment" else list(view.children(node, "variable_assignment"))
    return tuple(view.field_text(child, "name") for child in found)


IMPORT = Import(_modules)
LANG = Lang(
    grammar="bash",
    rules={
        "function_definition": Define("function"),
        "variable_assignment": Constants(_names),
        "declaration_command": Constants(_names),
        "command": _command,
        "if_statement": Inside(),
        "else_clause": Inside(),
        "comment": Comment(),
        "ERROR": Inside(),
    },
    # A command is a word at the start of a line or behind what joins commands.
    refs=re.compile(
        rf"(?:^[ \t]*|[|&;({{`][ \t]*|\b(?:then|do|else|if|while|until)[ \t]+|![ \t]+)([A-Za-z_][\w-]*+)(?![\w=(+\[])"
        rf"|{HASH_COMMENTS}|{SINGLE}|{DOUBLE}",
        re.M,
    ),
    not_refs=words(
        "if then else elif fi for while until do done case esac in function local return exit echo printf set "
        "shift cd "
        "export readonly declare eval exec source test read true false break continue trap unset select time"
    ),
    test_name=re.compile(r"test_"),
)
