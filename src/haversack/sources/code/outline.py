"""The skeleton of a source file: what the index cuts by and what the levels of detail elide by."""

from __future__ import annotations

from msgspec import Struct


class Node(Struct, frozen=True):
    """A definition. Lines are 1-based and inclusive; `start` includes decorators and the comment glued above it.

    `signature` is the declaration's text on one line. `body_start`..`body_end` are the lines that may be elided
    (0, 0 when there is no body of its own, as in a one-liner). `doc` is the docstring or doc comment, cleaned.
    """

    kind: str  # class function method type constant
    name: str
    qualname: str
    start: int
    end: int
    head: int  # line of the declaration itself
    body_start: int
    body_end: int
    signature: str
    doc: str
    doc_start: int
    doc_end: int
    decorators: tuple[str, ...]
    bases: tuple[str, ...]
    refs: tuple[str, ...]
    parent: int  # index in Outline.nodes, -1 at the top
    is_test: bool = False
    names: tuple[str, ...] = ()  # all that a group of constants defines


class Outline(Struct, frozen=True):
    """All definitions of one file in order of appearance, and what stands outside them."""

    lang: str
    nodes: tuple[Node, ...]
    imports: tuple[str, ...]
    import_lines: tuple[tuple[int, int], ...]
    doc: str
    doc_end: int
    refs: tuple[str, ...]  # names used at the top level
    comment_lines: tuple[tuple[int, int], ...]  # whole-line comments outside function bodies
    lines: int
    broken: bool  # the text did not parse cleanly; the outline is still usable
