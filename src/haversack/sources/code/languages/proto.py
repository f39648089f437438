"""Protocol buffers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import C_COMMENTS, DOUBLE, pattern
from haversack.sources.code.rules import Comment, Define, Import, Inside, Lang

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.view import View

_IMPORT = re.compile(r'"([^"\n]+)"')


def _modules(text: str) -> tuple[str, ...]:
    return tuple(_IMPORT.findall(text))


def _named(view: View, node: Syntax) -> str:
    held = view.child(node, "message_name", "enum_name", "service_name", "rpc_name")
    return view.text(held) if held is not None else ""


LANG = Lang(
    grammar="proto",
    rules={
        "message": Define("class", name=_named, body=("message_body",), members=True),
        "enum": Define("type", name=_named, body=("enum_body",)),
        "service": Define("class", name=_named, body=("{",), members=True),
        "rpc": Define("function", name=_named, body=()),
        "import": Import(_modules),
        "comment": Comment(),
        "ERROR": Inside(),
    },
    refs=pattern(C_COMMENTS, DOUBLE),
)
