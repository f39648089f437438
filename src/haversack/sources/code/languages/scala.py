"""Scala."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import C_COMMENTS, CHARACTER, DOUBLE, TRIPLE, pattern, words
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang, Mark

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Rule
    from haversack.sources.code.view import View

_CASE = re.compile(r"""(?:test|it|property|checkAll|describe|should)\s*\(\s*s?"{1,3}([^"\n]+)""")


def _modules(text: str) -> tuple[str, ...]:
    """`a.b.{c, d => e}` names a.b.c and a.b.d."""
    text = text.removeprefix("import").strip()
    path, brace, names = text.partition("{")
    path = re.sub(r"\.(?:_|\*|given)$", "", path.strip()).strip(".")
    if not brace:
        return tuple(re.sub(r"\.(?:_|\*|given)$", "", part.strip()) for part in path.split(",") if part.strip())
    found = (re.split(r"=>|\sas\s", name)[0].strip() for name in names.rstrip("} \n").split(","))
    return tuple(f"{path}.{name}" if name not in ("_", "*", "given") else path for name in found if name)


def _call(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """`test("adds up") { … }`."""
    return (CASE, node) if _CASE.match(view.text(node)[:200]) and _block(view, node) is not None else None


def _case_name(view: View, node: Syntax) -> str:
    match = _CASE.match(view.text(node)[:200])
    return f"test {match[1]}" if match else ""


def _block(view: View, node: Syntax) -> Syntax | None:
    found = view.field(node, "arguments")
    return found if found is not None and found.type in ("block", "case_block", "indented_block") else None


def _names(view: View, node: Syntax) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", view.field_text(node, "pattern"))[:4])


def _given(view: View, node: Syntax) -> str:
    return view.field_text(node, "name") or re.sub(r"\W+", "_", view.field_text(node, "return_type"))


CASE = Define("function", name=_case_name, body=_block, is_test=True)
CLASS = Define("class", members=True)
LANG = Lang(
    grammar="scala",
    rules={
        "class_definition": CLASS,
        "object_definition": CLASS,
        "package_object": CLASS,
        "trait_definition": Define("type", members=True),
        "enum_definition": Define("type", members=True),
        "given_definition": Define("class", name=_given, members=True),
        "extension_definition": Inside(),
        "type_definition": Define("type", body=()),
        "function_definition": Define("function"),
        "function_declaration": Define("function", body=()),
        "val_definition": Constants(_names),
        "var_definition": Constants(_names),
        "call_expression": _call,
        "package_clause": Inside(body="body"),
        "import_declaration": Import(_modules),
        "annotation": Mark(),
        "comment": Comment(),
        "block_comment": Comment(),
        "ERROR": Inside(),
    },
    modifiers=frozenset({"modifiers"}),
    refs=pattern(C_COMMENTS, TRIPLE, DOUBLE, CHARACTER, calls=r"\s?[({\[]"),
    not_refs=words(
        "if else for while match case try catch finally return do yield new this super extends with def val "
        "var class object trait type import String Int Boolean Unit Any"
    ),
    bases=re.compile(r"\b(?:extends|with)\b(.*)$"),
    test_name=re.compile(r"\w+(?:Suite|Spec|Specification)$"),
)
