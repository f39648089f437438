"""CSS: rules are grouped like constants, named by their selectors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import C_COMMENTS, DOUBLE, SINGLE
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Look, Rule
    from haversack.sources.code.view import View

_IMPORTED = re.compile(r"""['"(]([^'"()\s]+)['")]""")
LONGEST_SELECTOR = 80


def _modules(text: str) -> tuple[str, ...]:
    return tuple(_IMPORTED.findall(text)[:1])


def _selectors(view: View, node: Syntax) -> tuple[str, ...]:
    held = view.child(node, "selectors")
    text = view.text(held) if held is not None else view.text(node).partition("{")[0]
    return tuple(" ".join(part.split())[:LONGEST_SELECTOR] for part in text.split(",") if part.strip())


def _at_rule(view: View, node: Syntax) -> tuple[str, ...]:
    return (" ".join(view.text(node)[:400].partition("{")[0].split())[:LONGEST_SELECTOR],)


def variable(view: View, node: Syntax) -> tuple[str, ...]:
    return (view.text(node).partition(":")[0].strip()[:LONGEST_SELECTOR],)


def child_name(view: View, node: Syntax) -> str:
    held = view.child(node, "name", "identifier", "keyframes_name")
    return view.text(held) if held is not None else ""


RULE = Constants(_selectors)
AT_RULE = Constants(_at_rule)
CALLABLE = Define("function", name=child_name, body=("block",))
RULES: dict[str, Rule | Look] = {
    "rule_set": RULE,
    **dict.fromkeys(("media_statement", "supports_statement", "keyframes_statement", "at_rule"), AT_RULE),
    "import_statement": Import(_modules),
    "use_statement": Import(_modules),
    "forward_statement": Import(_modules),
    "mixin_statement": CALLABLE,
    "function_statement": CALLABLE,
    "declaration": Constants(variable),
    "comment": Comment(),
    "ERROR": Inside(),
}
REFS = re.compile(rf"(?:@include\s+|@extend\s+[.%]?|var\()([\w-]+)|{C_COMMENTS}|{DOUBLE}|{SINGLE}")

LANG = Lang(grammar="css", rules=RULES, refs=REFS)
