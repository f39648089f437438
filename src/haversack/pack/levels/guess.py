"""The outline of a lone function, read off its lines: parsing the file again would cost more than it tells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from haversack.model import Unit
from haversack.sources.code.outline import Node, Outline

LONGEST_HEAD: Final = 60  # lines a signature may take
LONGEST_CLAUSE: Final = 6  # lines between a signature and its opening brace

_ASIDE: Final = re.compile(r"\s*(?:@|#|//|/\*|\*|--|;|%|\[|<!--|$)")  # decorators, attributes, comments
_CLOSER: Final = re.compile(r"\s*(?:[})\]]+[;,)]*|end|fi|done|esac)\s*$")
_DOCSTRING: Final = re.compile(r"\s*[rRuUbB]{0,2}(\"\"\"|''')")


def function_outline(unit: Unit, lines: Sequence[str], first: int) -> Outline | None:
    """An outline with the one function these lines are, or None when they do not look like it."""
    head = _head(unit.name, lines)
    if head is None:
        return None
    body = _signature_end(lines, head) + 1
    end = len(lines) - 1
    while end > body and not lines[end].strip():
        end -= 1
    last = end - 1 if end > body and _CLOSER.match(lines[end]) else end
    doc_start, doc_end = _docstring(lines, body) if unit.lang == "python" else (-1, -1)
    if body > last:
        return None
    node = Node(
        kind="function",
        name=unit.name,
        qualname=unit.qualname,
        start=first,
        end=first + end,
        head=first + head,
        body_start=first + body,
        body_end=first + last,
        signature=unit.signature,
        doc=unit.doc,
        doc_start=first + doc_start if doc_start >= 0 else 0,
        doc_end=first + doc_end if doc_start >= 0 else 0,
        decorators=unit.decorators,
        bases=(),
        refs=unit.refs,
        parent=-1,
    )
    return Outline(unit.lang, (node,), (), (), "", 0, (), (), first + len(lines) - 1, broken=False)


def _head(name: str, lines: Sequence[str]) -> int | None:
    """The line of the declaration: the first that is no comment and has the name."""
    if not name:
        return None
    return next((at for at, line in enumerate(lines) if name in line and not _ASIDE.match(line)), None)


def _signature_end(lines: Sequence[str], head: int) -> int:
    """The line where the declaration's brackets are closed, and its brace, if it has one, open."""
    depth = 0
    for at in range(head, min(head + LONGEST_HEAD, len(lines))):
        line = lines[at]
        depth += line.count("(") + line.count("[") - line.count(")") - line.count("]")
        if depth <= 0:
            return _clause_end(lines, at)
    return head


def _clause_end(lines: Sequence[str], at: int) -> int:
    if lines[at].rstrip().endswith(("{", ":", ";")):
        return at
    indent = len(lines[at]) - len(lines[at].lstrip())
    for below in range(at + 1, min(at + 1 + LONGEST_CLAUSE, len(lines))):
        bare = lines[below].strip()
        if bare.endswith("{") and (bare == "{" or len(lines[below]) - len(lines[below].lstrip()) <= indent):
            return below
    return at


def _docstring(lines: Sequence[str], at: int) -> tuple[int, int]:
    opening = _DOCSTRING.match(lines[at]) if at < len(lines) else None
    if opening is None:
        return -1, -1
    if opening[1] in lines[at][opening.end() :]:
        return at, at
    for below in range(at + 1, len(lines)):
        if opening[1] in lines[below]:
            return at, below
    return -1, -1
