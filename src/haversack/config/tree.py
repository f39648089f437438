"""The shape of the settings: groups of named settings, drawn from the dataclasses that hold their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field

from haversack.config.kinds import Kind

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


class Setting(Struct, frozen=True):
    """One value: what it may hold, what it is when nobody says, what it does, and an example when it has no default."""

    kind: Kind
    default: object
    doc: str
    example: object = None


class Group(Struct, frozen=True):
    """Named settings and groups. `other` is what a name of the user's own choosing holds."""

    doc: str
    children: Mapping[str, Node] = field(default_factory=dict)
    other: Node | None = None

    def child(self, name: str) -> Node | None:
        return self.children.get(name, self.other)


Node: TypeAlias = Setting | Group


def about(kind: Kind, doc: str, example: object = None) -> dict[str, object]:
    """Metadata of a field that holds one value."""
    return {"kind": kind, "doc": doc, "example": example}


def grouped(group: Group) -> dict[str, object]:
    """Metadata of a field that holds a table of its own making."""
    return {"group": group}


def group_of(
    settings: DataclassInstance, doc: str = "", *, without: Sequence[str] = (), extra: Mapping[str, Node] | None = None
) -> Group:
    """The group a settings dataclass declares, with this instance's values as defaults."""
    children: dict[str, Node] = {}
    for each in fields(settings):
        if each.name in without:
            continue
        if "kind" in each.metadata:
            children[each.name] = Setting(default=getattr(settings, each.name), **each.metadata)
        elif "group" in each.metadata:
            children[each.name] = each.metadata["group"]
    return Group(doc or (type(settings).__doc__ or "").strip(), children | dict(extra or {}))


def walk(group: Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Setting]]:
    """Every setting with its path, in the order declared; a name of the user's own choosing is `*`."""
    for name, child in group.children.items():
        yield from _walk_node(child, (*path, name))
    if group.other is not None:
        yield from _walk_node(group.other, (*path, "*"))


def _walk_node(node: Node, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Setting]]:
    if isinstance(node, Group):
        yield from walk(node, path)
    else:
        yield path, node


def find(group: Group, path: tuple[str, ...]) -> Node | None:
    """What stands at that path, if anything may."""
    node: Node | None = group
    for name in path:
        node = node.child(name) if isinstance(node, Group) else None
    return node
