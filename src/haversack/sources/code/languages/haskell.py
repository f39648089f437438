"""Haskell: a type signature belongs to the equation below it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import DASH_COMMENTS, DOUBLE, words
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang, Mark, own_name

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.view import View

_IMPORT = re.compile(r"^import\s+(?:safe\s+)?(?:qualified\s+)?([\w.]+)")


def _modules(text: str) -> tuple[str, ...]:
    return tuple(_IMPORT.findall(text))


def _instance(view: View, node: Syntax) -> str:
    return " ".join(view.text(node).partition("where")[0].split())[:80]


TYPE = Define("type", body=())
LANG = Lang(
    grammar="haskell",
    rules={
        "imports": Inside(),
        "declarations": Inside(),
        "data_type": TYPE,
        "newtype": TYPE,
        "type_synomym": TYPE,
        "type_family": TYPE,
        "class": Define("type", body="declarations", members=True),
        "instance": Define("class", name=_instance, body="declarations", members=True),
        "function": Define("function", body="match"),
        "bind": Constants(own_name),
        "signature": Mark(),
        "import": Import(_modules),
        "comment": Comment(),
        "haddock": Comment(),
        "ERROR": Inside(),
    },
    refs=re.compile(rf"([A-Za-z_][\w']*)|\{{-[\s\S]*?(?:-\}}|\Z)|{DASH_COMMENTS}|{DOUBLE}"),
    not_refs=words(
        "if then else case of let in where do module import qualified data type newtype class instance deriving return"
    ),
)
