"""PHP."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import C_COMMENTS, DOUBLE, SINGLE, pattern, words
from haversack.sources.code.rules import LISTED, Comment, Constants, Define, Import, Inside, Lang, Mark

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Rule
    from haversack.sources.code.view import View

_USE = re.compile(r"^use\s+(?:function\s+|const\s+)?")
_GROUP = re.compile(r"\{([^}]*)\}")
_ALIAS = re.compile(r"\s+as\s+\w+")
_FILE = re.compile(r"""^(?:require|include)(?:_once)?\b[^;'"]*['"]/?([^'"\n]+)['"]""")
_DEFINE = re.compile(r"""^define\s*\(\s*['"]([^'"]+)""")


def _modules(text: str) -> tuple[str, ...]:
    text = _ALIAS.sub("", _USE.sub("", text).rstrip("; \n"))
    group = _GROUP.search(text)
    if group is None:
        return tuple(name.strip().lstrip("\\") for name in text.split(",") if name.strip())
    prefix = text[: group.start()].strip().lstrip("\\")
    return tuple(prefix + name.strip() for name in group[1].split(",") if name.strip())


def _files(text: str) -> tuple[str, ...]:
    return tuple(_FILE.findall(text))


def _statement(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    start = view.cut(node.start_byte, node.start_byte + 12)
    if start.startswith(("require", "include")):
        return FILES, node
    return (DEFINED, node) if start.startswith("define") else None


def _constants(view: View, node: Syntax) -> tuple[str, ...]:
    names = (view.child(element, "name") for element in view.children(node, "const_element"))
    return tuple(view.text(name) for name in names if name is not None)


def _defined(view: View, node: Syntax) -> tuple[str, ...]:
    return tuple(_DEFINE.findall(view.text(node)[:200]))


FILES = Import(_files)
DEFINED = Constants(_defined)
CLASS = Define("class", members=True)
LANG = Lang(
    grammar="php",
    rules={
        "class_declaration": CLASS,
        "trait_declaration": CLASS,
        "interface_declaration": Define("type", members=True),
        "enum_declaration": Define("type", members=True, lists=True),
        "enum_case": LISTED,
        "method_declaration": Define("function"),
        "function_definition": Define("function"),
        "const_declaration": Constants(_constants),
        "expression_statement": _statement,
        "namespace_use_declaration": Import(_modules),
        "namespace_definition": Inside(body="body"),
        "if_statement": Inside(),
        "compound_statement": Inside(),
        "attribute_list": Mark(),
        "comment": Comment(),
        "ERROR": Inside(),
    },
    refs=pattern(C_COMMENTS, DOUBLE, SINGLE, r"\$\w++", r"\#(?!\[).*+"),
    not_refs=words(
        "if elseif while for foreach switch match return array isset unset empty function fn catch list exit "
        "die echo use parent self static"
    ),
    bases=re.compile(r"\b(?:extends|implements)\b(.*)$"),
    test_name=re.compile(r"test[A-Z_]\w*$"),
    test_mark=re.compile(r"#\[\s*(?:\w+\\)*Test\b"),
)
