"""Groovy and Gradle."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import C_COMMENTS, DOUBLE, SINGLE, TRIPLE, pattern, words
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang, Mark, own_name

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.view import View

_IMPORT = re.compile(r"import\s+(?:static\s+)?([\w.]+)")


def _modules(text: str) -> tuple[str, ...]:
    return tuple(name.rstrip(".") for name in _IMPORT.findall(text))


def _configured(view: View, node: Syntax) -> tuple[str, ...]:
    """`dependencies { … }` is known by its word."""
    return (view.field_text(node, "function")[:80],) if "{" in view.text(node) else ()


LANG = Lang(
    grammar="groovy",
    rules={
        "class_definition": Define("class", members=True),
        "function_definition": Define("function", name="function"),
        "declaration": Constants(own_name),
        "juxt_function_call": Constants(_configured),
        "groovy_import": Import(_modules),
        "annotation": Mark(),
        "comment": Comment(),
        "groovy_doc": Comment(),
        "ERROR": Inside(),
    },
    refs=pattern(C_COMMENTS, TRIPLE, DOUBLE, SINGLE, calls=r"\s?[({]"),
    not_refs=words("if else for while switch catch try return def class new"),
    bases=re.compile(r"\b(?:extends|implements)\b(.*)$"),
    test_mark=re.compile(r"@(?:\w+\.)*Test\b"),
)
