"""The packet a caller gets: its text, its items, its receipt, and the `--json` shape of the whole."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING

from msgspec import Struct, field

from haversack.model import Citation, Level, Omitted, Span, Unit
from haversack.receipt.certificate import Certificate, certificate_json
from haversack.receipt.record import Receipt, Setting
from haversack.render.frame import Rendered
from haversack.render.safe import encodable

if TYPE_CHECKING:
    from haversack.index.ledger import Given

ID_BYTES = 6  # 12 hexadecimal digits: a million packets collide with a chance of 1 in 500


class PacketItem(Struct, frozen=True):
    """One item of a packet. `tokens` counts it as rendered, heading included; `start` and `end` are the lines shown.

    `truncated` says that what its level shows was cut to
    fit. `text` is what the packet quotes, without the frame around it; `--json` has it once, in the packet's own text.
    """

    id: str
    source: str
    kind: str
    section: str
    title: str
    path: str | None
    start: int | None
    end: int | None
    level: Level
    tokens: int
    score: float
    factors: Mapping[str, float]
    citations: tuple[Citation, ...]
    text: str = ""
    truncated: bool = False


class Packet(Struct, frozen=True):
    """What the model should read, and the account of it. `str(packet)` is the text.

    `deliveries` is what the ledger of its session notes.
    """

    packet_id: str
    task: str
    budget: int
    tokens: int
    counter: str
    budget_exceeded: bool
    text: str
    items: tuple[PacketItem, ...]
    omitted: tuple[Omitted, ...]
    certificate: Certificate | None
    receipt: Receipt
    timings: Mapping[str, float] = field(default_factory=dict)
    deliveries: tuple[Given, ...] = ()

    def __str__(self) -> str:
        return self.text


def packet_id(task: str, settings: Mapping[str, Setting], text: str) -> str:
    """A short name made of the task, the settings' values and the text: the same packet has the same name."""
    values = {key: settings[key].value for key in sorted(settings)}
    whole = json.dumps([task, values, text])
    return blake2b(whole.encode(), digest_size=ID_BYTES).hexdigest()


def packet_items(rendered: Rendered, count: Callable[[str], int]) -> tuple[PacketItem, ...]:
    """The items of a rendered packet, in packet order, each with the tokens of its block."""
    found = []
    for block in rendered.blocks:
        if block.chosen is None:
            continue
        candidate, rung = block.chosen.candidate, block.chosen.rung
        unit = candidate.scored.unit
        span = rung.span or unit.span
        found.append(
            PacketItem(
                id=unit.id,
                source=unit.source,
                kind=unit.kind,
                section=block.section,
                title=unit.title,
                path=unit.path,
                start=span.start if span else None,
                end=span.end if span else None,
                level=rung.level,
                tokens=count(block.text),
                score=candidate.scored.score,
                factors=candidate.scored.factors,
                citations=_citations(unit, span, candidate.also),
                text=rung.text,
                truncated=rung.truncated,
            )
        )
    return tuple(found)


def packet_json(packet: Packet) -> dict[str, object]:
    """The shape of `--json`: these keys in this order, items in packet order."""
    return {
        "packet_id": packet.packet_id,
        "task": encodable(packet.task),
        "budget": packet.budget,
        "tokens": packet.tokens,
        "counter": packet.counter,
        "budget_exceeded": packet.budget_exceeded,
        "text": encodable(packet.text),
        "items": [_item_json(item) for item in packet.items],
        "omitted": [
            {
                "id": encodable(each.id),
                "title": encodable(each.title),
                "reason": each.reason,
                "enters_at_budget": each.enters_at_budget,
            }
            for each in packet.omitted
        ],
        "certificate": certificate_json(packet.certificate),
        "not_found": [encodable(each) for each in packet.receipt.not_found],
        "timings": dict(packet.timings),
    }


def _item_json(item: PacketItem) -> dict[str, object]:
    return {
        "id": encodable(item.id),
        "source": item.source,
        "kind": item.kind,
        "section": item.section,
        "title": encodable(item.title),
        "path": None if item.path is None else encodable(item.path),
        "start": item.start,
        "end": item.end,
        "level": str(item.level),
        "truncated": item.truncated,
        "tokens": item.tokens,
        "score": item.score,
        "factors": dict(item.factors),
        "citations": [
            {key: encodable(value) if isinstance(value, str) else value for key, value in each.as_json().items()}
            for each in item.citations
        ],
    }


def _citations(unit: Unit, shown: Span | None, also: tuple[Citation, ...]) -> tuple[Citation, ...]:
    """Where the item can be opened: the lines it shows rather than the whole unit, then all else it stands for."""
    own = unit.citations
    if unit.path and shown:
        place = Citation.of_file(unit.path, shown)
        whole = Citation.of_file(unit.path, unit.span)
        own = tuple(place if each == whole else each for each in own) or (place,)
    elif unit.path and not own:
        own = (Citation.of_file(unit.path),)
    return tuple(dict.fromkeys((*own, *also)))
