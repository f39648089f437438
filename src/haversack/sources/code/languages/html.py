"""HTML: scripts are parsed as what they are; the page itself is cut into its larger elements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.rules import NOTHING, Comment, Define, Import, Inside, Lang, Script

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Look, Rule
    from haversack.sources.code.view import View

LEAST_LINES = 3  # of an element that is worth showing alone
_TAG = re.compile(r"<([\w:-]+)([^>]*)")
_ATTRIBUTE = re.compile(r"""\b(id|class)\s*=\s*["']([^"']*)["']""")
_LINKED = re.compile(r"""\b(?:src|href)\s*=\s*["']([^"'#?]+)["']""")
OPEN = frozenset(("html", "head", "body"))


def _element(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    start = view.text(node)[:200]
    match = _TAG.match(start)
    tag = match[1].lower() if match else ""
    if tag in OPEN:
        return Inside(), node
    if tag == "link":
        return LINK, node
    first, last = node.start_point[0], node.end_point[0]
    return (ELEMENT, node) if last - first + 1 >= LEAST_LINES else None


def _named(view: View, node: Syntax) -> str:
    """`main#cart`, `div.bar`, or the tag alone."""
    match = _TAG.match(view.text(node)[:400])
    if match is None:
        return ""
    found = dict(_ATTRIBUTE.findall(match[2]))
    if found.get("id"):
        return f"{match[1]}#{found['id']}"
    return ".".join((match[1], *found.get("class", "").split()[:1]))


def _links(text: str) -> tuple[str, ...]:
    return tuple(
        name for name in _LINKED.findall(text.partition(">")[0]) if "://" not in name and not name.startswith("//")
    )


def script(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """A script from elsewhere is an import; what it holds itself is walked on its own."""
    return (LINK if " src" in view.text(node).partition(">")[0] else Script()), node


ELEMENT = Define("block", name=_named, body=())
LINK = Import(_links)
RULES: dict[str, Rule | Look] = {
    "element": _element,
    "script_element": script,
    "comment": Comment(),
    "ERROR": Inside(),
}
LANG = Lang(grammar="html", rules=RULES, refs=NOTHING)
