"""Which decision took the place of which: by topic and time, and never a model's over a person's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from haversack.sources.conversation.message import USER


class Settled(msgspec.Struct, frozen=True, array_like=True):
    """A decision, preference or correction as the index knows it; enough to make its unit again."""

    id: str
    kind: str
    text: str
    role: str
    time: float | None
    path: str
    first: int
    last: int
    pointer: str
    session: str
    about: tuple[str, ...]
    value: tuple[str, ...]
    purpose: tuple[str, ...]
    refused: tuple[str, ...]
    change: bool
    by: str = ""
    """The id of what took its place."""

    replaces: tuple[str, ...] = ()


def settle(known: Iterable[Settled]) -> dict[str, Settled]:
    """The same by id, each linked to its successor and to what it succeeds; depends on nothing but what is given."""
    order = sorted(known, key=lambda each: (each.time or 0.0, each.path, each.first, each.pointer, each.id))
    by: dict[str, str] = {}
    live: dict[tuple[str, tuple[str, ...]], list[Settled]] = {}
    for each in order:
        for place in _looks_at(each):
            for other in live.get(place, ()):
                if other.id != each.id and other.id not in by and not (other.role == USER and each.role != USER):
                    by[other.id] = each.id
        for place in _stands_at(each):
            live.setdefault(place, []).append(each)
            if len(live[place]) > 1:
                live[place] = [other for other in live[place] if other.id not in by]
    replaces: dict[str, list[str]] = {}
    for old, new in by.items():
        replaces.setdefault(new, []).append(old)
    return {
        each.id: msgspec.structs.replace(
            each, by=by.get(each.id, ""), replaces=tuple(sorted(replaces.get(each.id, ())))
        )
        for each in order
    }


def successor(settled: Mapping[str, Settled], identity: str) -> str:
    """The decision that holds in place of this one, at the end of the chain."""
    while (found := settled.get(identity)) is not None and found.by:
        identity = found.by
    return identity


def _stands_at(each: Settled) -> Iterable[tuple[str, tuple[str, ...]]]:
    if each.about:
        yield "about", each.about
    if each.value:
        yield "value", each.value
    if each.purpose:
        yield "purpose", each.purpose


def _looks_at(each: Settled) -> Iterable[tuple[str, tuple[str, ...]]]:
    if each.about:
        yield "about", each.about
    if each.refused:
        yield "value", each.refused
        yield "about", each.refused
    if each.change and each.purpose:
        yield "purpose", each.purpose
