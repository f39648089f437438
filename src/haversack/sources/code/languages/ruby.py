"""Ruby."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import DOUBLE, HASH_COMMENTS, SINGLE, pattern, words
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Name, Rule
    from haversack.sources.code.view import View

_REQUIRE = re.compile(r"""^(require|require_relative|load|autoload)\b[\s(]*(?::\w+,\s*)?['"]([^'"\n]+)['"]""")
_DEFINES = re.compile(r"^[ \t]+def\s", re.M)
SUITES = words("describe context feature shared_examples shared_context")
CASES = words("it specify scenario test should")


def _modules(text: str) -> tuple[str, ...]:
    match = _REQUIRE.match(text)
    if match is None:
        return ()
    return (f"./{match[2]}" if match[1] == "require_relative" and not match[2].startswith(".") else match[2],)


def _named(view: View, node: Syntax) -> Name:
    return tuple(part for part in view.field_text(node, "name").split("::") if part)


def _call(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """`require`, a test block, or a definition marked by what it is handed to: `private def x`."""
    word = view.field_text(node, "method")
    if word in ("require", "require_relative", "load", "autoload"):
        return IMPORT, node
    arguments, block = view.field(node, "arguments"), view.field(node, "block")
    if block is not None and (arguments is not None or word in SUITES):
        if word in SUITES:
            return SUITE, node
        if word in CASES:
            return CASE, node
    if arguments is not None:
        inner = view.child(arguments, "method", "singleton_method")
        if inner is not None:
            return METHOD, inner
    return (BLOCK, node) if block is not None and _DEFINES.search(view.text(block)) else None


def _case_name(view: View, node: Syntax) -> str:
    arguments = view.field(node, "arguments")
    said = " ".join(view.text(arguments).split())[:120] if arguments is not None else ""
    return f"{view.field_text(node, 'method')} {said}".replace('"', "").replace("'", "").strip("( )")


def _block_body(view: View, node: Syntax) -> Syntax | None:
    block = view.field(node, "block")
    return view.field(block, "body") or block if block is not None else None


def _constant(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    left, right = view.field(node, "left"), view.field(node, "right")
    if right is not None and right.type == "call" and _DEFINES.search(view.text(right)):
        return MADE_CLASS, node
    return (CONSTANT, node) if left is not None and left.type in ("constant", "identifier", "global_variable") else None


def _made_body(view: View, node: Syntax) -> Syntax | None:
    right = view.field(node, "right")
    return _block_body(view, right) if right is not None else None


def _assigned(view: View, node: Syntax) -> tuple[str, ...]:
    return (view.field_text(node, "left"),)


IMPORT = Import(_modules)
METHOD = Define("function")
SUITE = Define("class", name=_case_name, body=_block_body, members=True, is_test=True)
CASE = Define("function", name=_case_name, body=_block_body, is_test=True)
BLOCK = Inside(body=_block_body)
MADE_CLASS = Define("class", name="left", body=_made_body, members=True)
CONSTANT = Constants(_assigned)
LANG = Lang(
    grammar="ruby",
    rules={
        "class": Define("class", name=_named, members=True),
        "module": Define("class", name=_named, members=True),
        "method": METHOD,
        "singleton_method": METHOD,
        "singleton_class": Inside(),
        "body_statement": Inside(),
        "call": _call,
        "assignment": _constant,
        "if": Inside(),
        "unless": Inside(),
        "then": Inside(),
        "else": Inside(),
        "elsif": Inside(),
        "begin": Inside(),
        "comment": Comment(),
        "ERROR": Inside(),
    },
    refs=pattern(
        HASH_COMMENTS, DOUBLE, SINGLE, calls=r"[?!]?\(", more=r"|(?<=[.\s])[a-z_]\w*+[?!](?![=~])|(?<=\.)[a-z_]\w*+"
    ),
    not_refs=words(
        "if unless while until return puts raise yield super and or not defined? require nil self do end then "
        "else elsif new each"
    ),
    bases=re.compile(r"^class\s+[\w:]+\s*<\s*([\w:]+)"),
    test_name=re.compile(r"test_|Test[A-Z]|\w+Test$"),
)
