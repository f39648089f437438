"""A definition outlined from its own lines says what the outline of its file says."""

from __future__ import annotations

import pytest

from haversack.sources.code.outline import Node
from haversack.sources.code.part import outline_part
from haversack.sources.code.syntax import outline

PYTHON = '''import os


class Outer:
    """What it is."""

    limit = 3

    class Inner:
        def deep(self) -> int:
            """Says how deep."""
            text = """
left of everything
"""
            return len(text)

    def shallow(self):
        return 1
'''
JAVA = """package a.b;

class Shop {
    // sells
    class Till {
        int sum(int a) {
            return a;
        }
    }
}
"""


def named(nodes: tuple[Node, ...], name: str) -> Node:
    return next(node for node in nodes if node.name == name)


@pytest.mark.parametrize(
    ("text", "lang", "name", "inside"),
    [
        (PYTHON, "python", "Outer", ["Inner", "deep", "shallow"]),
        (PYTHON, "python", "Inner", ["deep"]),
        (JAVA, "java", "Till", ["sum"]),
    ],
)
def test_lines_and_signatures_are_those_of_the_file(text: str, lang: str, name: str, inside: list[str]) -> None:
    whole = outline(text, lang).nodes
    wanted = named(whole, name)
    lines = text.split("\n")[wanted.start - 1 : wanted.end]
    part = outline_part("\n".join(lines), lang, wanted.start, wanted.qualname.removesuffix(name))
    assert not part.broken
    for each in (name, *inside):
        of_part, of_file = named(part.nodes, each), named(whole, each)
        for what in ("start", "end", "head", "body_start", "body_end", "signature", "qualname", "doc", "doc_start"):
            assert getattr(of_part, what) == getattr(of_file, what), (each, what)


@pytest.mark.parametrize(("text", "lang"), [("def broken(:\n  (", "python"), ("words only", "unheard-of"), ("", "c")])
def test_what_does_not_parse_alone_is_broken(text: str, lang: str) -> None:
    assert outline_part(text, lang, 1).broken
