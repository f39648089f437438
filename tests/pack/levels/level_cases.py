"""Material for the tests of levels: real Python outlined with Python's own parser, and a counter that is watched."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from hypothesis import strategies as st

from haversack.model import Level, Span, Unit
from haversack.pack.levels import Leveled, Limits, StubInfo
from haversack.pack.levels.ladder import ladder
from haversack.sources.code.outline import Node, Outline
from haversack.tokens import counter

count = counter("o200k").count

SOURCE = '''# Copyright 2026 The Orchard Company. Licensed under the Apache License, version 2.0.

"""Keeps apples. Counts them, weighs them, hands them out.

The long story follows here.
"""

import json
from pathlib import Path

LIMIT = 40


class Basket(dict):
    """A basket of apples. It never leaks."""

    size: int = 3
    colour: str = "red"

    def __init__(self, path: Path, *, size: int = 3) -> None:
        """Open the basket at a path."""
        self.path = path
        self.size = size
        for entry in json.loads(path.read_text()):
            if entry["kind"] == "apple":
                weight = entry["grams"] / 1000
                self[entry["name"]] = weight
                self.touched = True
        self.colour = "green"
        self.closed = False
        self.label = str(path)

    # Glued to the method below.
    @property
    def total(self) -> float:
        """Kilograms in the basket."""
        total = 0.0
        for name, weight in self.items():
            if name.startswith("_"):
                continue
            total += weight
            self.label = name
            self.closed = False
        if total > LIMIT:
            raise ValueError("the basket breaks")
        return total


def hand_out(basket: Basket, people: list[str]) -> dict[str, float]:
    """Share the apples among people."""
    shares: dict[str, float] = {}
    each = basket.total / max(1, len(people))
    for person in people:
        shares[person] = each
        print("handing out to", person, "a share of", each, "kilograms of the total")
    print("nobody was forgotten, and everybody is happy with what was given to them")
    return shares


def _private(value: int) -> int:
    return value + 1
'''


def outlined(text: str) -> Outline:
    """The outline of Python source, by Python's own parser."""
    tree = ast.parse(text)
    lines = text.split("\n")
    nodes: list[Node] = []

    def visit(body: list[ast.stmt], parent: int, prefix: str, kind: str) -> None:
        for item in body:
            if not isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            start = min([item.lineno, *(decorator.lineno for decorator in item.decorator_list)])
            while start > 1 and lines[start - 2].strip().startswith("#"):
                start -= 1
            first, end = item.body[0], item.end_lineno or item.lineno
            own_lines = first.lineno > item.lineno
            doc = ast.get_docstring(item) or ""
            nodes.append(
                Node(
                    kind="class" if isinstance(item, ast.ClassDef) else kind,
                    name=item.name,
                    qualname=prefix + item.name,
                    start=start,
                    end=end,
                    head=item.lineno,
                    body_start=first.lineno if own_lines else 0,
                    body_end=end if own_lines else 0,
                    signature=" ".join(
                        line.strip() for line in lines[item.lineno - 1 : max(item.lineno, first.lineno - 1)]
                    ),
                    doc=doc,
                    doc_start=first.lineno if doc else 0,
                    doc_end=(first.end_lineno or first.lineno) if doc else 0,
                    decorators=(),
                    bases=(),
                    refs=tuple(dict.fromkeys(name.id for name in ast.walk(item) if isinstance(name, ast.Name))),
                    parent=parent,
                )
            )
            inner = "method" if isinstance(item, ast.ClassDef) else "function"
            visit(item.body, len(nodes) - 1, f"{prefix}{item.name}.", inner)

    visit(tree.body, -1, "", "function")
    doc = ast.get_docstring(tree) or ""
    comments = tuple((at, at) for at, line in enumerate(lines, 1) if line.startswith("#"))
    return Outline(
        lang="python",
        nodes=tuple(nodes),
        imports=(),
        import_lines=(),
        doc=doc,
        doc_end=(tree.body[0].end_lineno or 0) if doc else 0,
        refs=(),
        comment_lines=comments,
        lines=len(lines),
        broken=False,
    )


def file_unit(text: str, path: str = "orchard.py", lang: str = "python", source: str = "code") -> Unit:
    """A unit for the whole text."""
    last = max(1, text.count("\n") + (not text.endswith("\n")))
    return Unit(id="u", source=source, kind="file", title=path, text=text, path=path, span=Span(1, last), lang=lang)


def node_unit(node: Node, path: str = "orchard.py") -> Unit:
    """A unit for one definition."""
    return Unit(
        id="n",
        source="code",
        kind=node.kind,
        title=node.qualname,
        text="",
        path=path,
        span=Span(node.start, node.end),
        name=node.name,
        qualname=node.qualname,
        signature=node.signature,
        doc=node.doc,
        refs=node.refs,
        lang="python",
    )


def climb(
    unit: Unit,
    text: str,
    *,
    outline: Outline | None = None,
    first_line: int | None = None,
    terms: Mapping[str, float] | Collection[str] = (),
    limits: Limits | None = None,
    numbered: bool = False,
) -> dict[Level, Leveled]:
    """The unit's ladder by level."""
    first = first_line if first_line is not None else unit.span.start if unit.span else 1
    rungs = ladder(
        unit,
        text,
        outline=outline,
        first_line=first,
        terms=terms,
        limits=limits or Limits(),
        count=count,
        info=StubInfo(unit.path or "somewhere", unit.kind, unit.lang, 1_790_000_000.0, text.count("\n") + 1),
        numbered=numbered,
    )
    return {rung.level: rung for rung in rungs}


@dataclass
class Watched:
    """A counter that remembers what it was given."""

    sizes: list[int] = field(default_factory=list)

    def __call__(self, text: str) -> int:
        self.sizes.append(len(text))
        return -(-len(text) // 4)


WORDS = ("apple", "basket", "weight", "parse", "token", "value", "retry", "cache", "item", "budget")
names = st.sampled_from(WORDS)


@st.composite
def python_sources(draw: st.DrawFn) -> str:
    """Valid Python with classes, functions, docstrings, nested blocks."""
    lines: list[str] = []
    if draw(st.booleans()):
        lines += [f'"""About the {draw(names)}. And the {draw(names)}."""', ""]
    for number in range(draw(st.integers(1, 5))):
        in_class = draw(st.booleans())
        indent = "    " if in_class else ""
        if in_class:
            lines += [f"class {draw(names).title()}{number}:", f"    {draw(names)}: int = {number}", ""]
        for inner in range(draw(st.integers(1, 4))):
            lines.append(f"{indent}def {draw(names)}_{number}_{inner}(first, second=None):")
            if draw(st.booleans()):
                lines.append(f'{indent}    """Does the {draw(names)}."""')
            for step in range(draw(st.integers(0, 14))):
                if step % 4 == 3:
                    lines.append(f"{indent}    if {draw(names)}:")
                    lines.append(f"{indent}        {draw(names)} = {draw(names)}({step})")
                else:
                    lines.append(f"{indent}    {draw(names)} = {draw(names)}.{draw(names)}({step}, 'some text here')")
                if draw(st.integers(0, 5)) == 0:
                    lines.append("")
            lines += [f"{indent}    return first", ""]
    return "\n".join(lines) + "\n"


strange_text = st.text(
    st.one_of(
        st.sampled_from("\n\n\n  \t.。！?`#=-*|<>[]() abcdefXYZ019_éß中文한국\u202e\u2066\x1b\x00\r\ud800\U000e0041…"),
        st.characters(),
    ),
    max_size=300,
)
PIECES = (
    "The apple basket is full. Nobody knows why. ",
    "\n\n",
    "\n",
    "# Heading about weight\n",
    "Title\n=====\n",
    "- an item. With two sentences.\n",
    "1. retry the token\n",
    "```python\ndef parse(token):\n    return token\n```\n",
    "| a | budget |\n|---|---|\n| 1 | 2 |\n",
    "    indented = code(cache)\n",
    "key:\n  inner: value\n",
    "diff --git a/x b/x\n@@ -1 +1 @@\n-old item\n+new item\n",
    "M\tsrc/basket.py\n",
    "これは林檎です。とても赤い！",
    "사과는 빨갛다. 바구니는 크다. ",
    "x" * 700,
    "<!-- a comment\n",
    "-->\n",
    "\u202e\x1b[0m\r\n",
)
built_text = st.lists(st.one_of(st.sampled_from(PIECES), strange_text), max_size=80).map("".join)
any_text = st.one_of(strange_text, built_text)
