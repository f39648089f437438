"""How a language's syntax is described: which nodes are definitions, and where their parts are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.view import View

    Name: TypeAlias = str | tuple[str, ...]  # several parts when the name carries its owner: Cart.add
    Naming: TypeAlias = str | Callable[[View, Syntax], Name]  # a field, or how to find it
    Bodying: TypeAlias = str | tuple[str, ...] | Callable[[View, Syntax], Syntax | None]  # a field, types of child, how


# Lines: what a longer function defines inside, what a longer type or table lists and what a longer class holds between
# its methods is found on its own.
LONG = 100


class Define(Struct, frozen=True):
    """A node that defines something. `members`: what its body defines belongs to it; `lists`: its body lists values."""

    kind: Literal["class", "type", "function", "block"]
    name: Naming = "name"
    body: Bodying = "body"
    members: bool = False
    lists: bool = False
    owner: Naming | None = None  # what members are qualified with when it is not the name: impl X for Y
    is_test: bool = False


class Constants(Struct, frozen=True):
    """A node that gives names to values; neighbours become one group, unless it stands `alone`.

    `listed` is one of the values of a type that lists them; in a short list they are found with their type.
    """

    names: Callable[[View, Syntax], tuple[str, ...]]
    alone: bool = False
    listed: bool = False


def own_name(view: View, node: Syntax) -> tuple[str, ...]:
    """What the node's field `name` says."""
    return tuple(filter(None, (view.field_text(node, "name"),)))


LISTED = Constants(own_name, listed=True)


class Inside(Struct, frozen=True):
    """A node that only holds others: a namespace, an `#ifdef`, the arms of an `if`."""

    body: Bodying = ()
    name: Naming | None = None
    is_test: Callable[[tuple[str, ...]], bool] | None = None  # told from the marks above it


class Import(Struct, frozen=True):
    """A node that names other modules. `offers`: it passes on what they define, and is more than a need of its file."""

    modules: Callable[[str], tuple[str, ...]]
    offers: bool = False


class Comment(Struct, frozen=True):
    """A node without meaning to the machine."""


class Mark(Struct, frozen=True):
    """A decorator, annotation or attribute: beside what it marks, before it, or among its modifiers."""


class Script(Struct, frozen=True):
    """A node that holds code the grammar does not look into, walked on its own; its tag may say the language."""

    held: str = "raw_text"
    language: str = ""


if TYPE_CHECKING:
    Rule: TypeAlias = Define | Constants | Inside | Import | Comment | Mark | Script
    # A node whose meaning depends on what it holds: the rule to apply and the node to apply it to.
    Look: TypeAlias = Callable[[View, Syntax], tuple[Rule, Syntax] | None]

NOTHING = re.compile(r"(?!)")


class Lang(Struct, frozen=True):
    """All that is particular about one language."""

    grammar: str
    rules: Mapping[str, Rule | Look]
    refs: re.Pattern[str]  # group 1 is a name that is used; strings and comments match without it
    not_refs: frozenset[str] = frozenset()
    modifiers: frozenset[str] = frozenset()  # node types that hold marks among other words
    bases: re.Pattern[str] = NOTHING  # in a class's signature; group 1 holds what it extends
    docstrings: bool = False
    test_name: re.Pattern[str] = NOTHING
    test_mark: re.Pattern[str] = NOTHING
    imported: re.Pattern[str] = NOTHING  # names an import statement brings in
    bodies: re.Pattern[bytes] | None = None  # function bodies that need not be parsed
    macros: bool = False  # whether words in capitals may stand for anything
    otherwise: str = ""  # another language to try: when the text does not parse, or where it holds what that is told by
    told_by: re.Pattern[str] | None = None
