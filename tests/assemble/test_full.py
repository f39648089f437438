"""A packet uses its budget while something is left out, also where neighbours under one heading cost less."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import sample

from haversack import Haversack, Packet
from haversack.assemble.fitting import FULL
from haversack.tokens import counter

TASK = "the refund of an order, of a line and of a day is paid twice"
THINGS = ("order", "line", "day", "customer", "voucher", "parcel", "invoice", "country")
WAYS = ("cash", "card", "transfer", "cheque", "credit", "points", "crypto", "account")


def refunds(way: str, number: int) -> str:
    """Functions of different lengths, one after the other, in a file that is too large to come whole."""
    made = [sample.UNRELATED.lstrip("\n")]
    for place, thing in enumerate(THINGS):
        lines = [f"    {way}_{WAYS[at]}_{thing}.append({thing}.{WAYS[at]}({at}))" for at in range((number + place) % 7)]
        made.append(f'def refund_{thing}_by_{way}({thing}):\n    """The refund of a {thing} that is paid by {way}."""')
        made[-1] = "\n".join((made[-1], *lines, f"    return {way}_{thing}.paid - {thing}.{way}_kept", ""))
    return "\n\n".join(made)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Haversack]:
    (tmp_path / "shop").mkdir()
    for number, way in enumerate(WAYS):
        (tmp_path / "shop" / f"{way}.py").write_text(refunds(way, number))
    with Haversack(tmp_path, data_dir=tmp_path / "data") as found:
        yield found


def left_out(packet: Packet) -> bool:
    return any(each.reason in ("budget", "section cap") for each in packet.omitted)


def shown(packet: Packet) -> set[str]:
    """The pieces in the packet, those too that stand under another one's heading."""
    items = {item.id for item in packet.items}
    return items | {each.id for each in packet.omitted if each.reason.removeprefix("duplicate of ") in items}


def test_what_joining_saves_is_spent_to_the_last_hundredths_and_never_more(opened: Haversack) -> None:
    wanting = 0
    for budget in range(500, 6000, 250):
        packet = opened.pack(TASK, budget=budget)
        assert counter("o200k").count(packet.text) == packet.tokens <= budget
        if left_out(packet):
            wanting += 1
            assert packet.tokens >= FULL * budget
    assert wanting > 10


def test_a_promise_holds_where_the_packet_is_filled_further(opened: Haversack) -> None:
    promised = {
        each.id: each.enters_at_budget
        for each in opened.pack(TASK, budget=3500).omitted
        if each.enters_at_budget is not None
    }
    assert len(promised) > 3
    for identity, budget in promised.items():
        packet = opened.pack(TASK, budget=budget)
        assert identity in shown(packet)
        assert packet.tokens <= budget
        assert packet.tokens >= FULL * budget or not left_out(packet)


def test_what_a_session_has_already_is_no_gap_to_fill(opened: Haversack) -> None:
    first = opened.pack(TASK, budget=2000, session="s")
    opened.keep(first)
    again = opened.pack(TASK, budget=2000, session="s")
    assert left_out(again)
    assert again.tokens < 1000
