"""The packet, its JSON shape, and the receipt as bytes and as a table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from receipt_cases import CHOSEN, COUNT, OMITTED, SECTIONS, SETTINGS, TASK, choose, make, receipt_of, unit

from haversack.errors import StoreError
from haversack.model import Citation, Level, Omitted, Span
from haversack.pack.budget import Budget
from haversack.receipt.budget import allocation_of, budget_table
from haversack.receipt.codec import decode, encode, receipt_json
from haversack.receipt.packet import Packet, packet_id, packet_json
from haversack.receipt.record import Metrics, Setting
from haversack.receipt.why import why


def test_json_has_exactly_the_promised_keys_in_order() -> None:
    shape = packet_json(make())
    assert list(shape) == [
        "packet_id",
        "task",
        "budget",
        "tokens",
        "counter",
        "budget_exceeded",
        "text",
        "items",
        "omitted",
        "certificate",
        "not_found",
        "timings",
    ]
    items = shape["items"]
    assert isinstance(items, list)
    assert list(items[0]) == [
        "id",
        "source",
        "kind",
        "section",
        "title",
        "path",
        "start",
        "end",
        "level",
        "truncated",
        "tokens",
        "score",
        "factors",
        "citations",
    ]
    omitted = shape["omitted"]
    assert isinstance(omitted, list)
    assert omitted[0] == {"id": "reset", "title": "reset_password", "reason": "budget", "enters_at_budget": 1300}
    assert json.loads(json.dumps(shape)) == shape


def test_items_are_in_packet_order_and_cost_what_they_cost_in_the_text() -> None:
    packet = make()
    assert [item.id for item in packet.items] == ["run", "check", "doc"]
    assert [item.section for item in packet.items] == ["primary", "primary", "supporting"]
    places = [packet.text.index(f"`{item.path}:{item.start}-{item.end}`") for item in packet.items]
    assert places == sorted(places)
    assert 0 < packet.tokens - sum(item.tokens for item in packet.items) < 180  # header, headings, footer
    assert str(packet) == packet.text
    assert packet.tokens == COUNT(packet.text)


def test_an_item_cites_the_lines_it_shows_and_everything_it_stands_for() -> None:
    whole = unit("w", lines=Span(1, 90), citations=(Citation.of_file("src/auth/login.py", Span(1, 90)),))
    plain = unit("p", "notes.txt")
    stray = unit("s", None)
    commit = unit("c", None, citations=(Citation.of_commit("abc"),))
    chosen = (
        choose(whole, "x", span=Span(5, 7)),
        choose(plain, "y"),
        choose(stray, "z"),
        choose(commit, "c"),
        CHOSEN[0],
    )
    cited = {item.id: item.citations for item in make(chosen).items}
    assert cited["w"] == (Citation.of_file("src/auth/login.py", Span(5, 7)),)
    assert cited["p"] == (Citation.of_file("notes.txt"),)
    assert cited["s"] == ()
    assert cited["c"] == (Citation.of_commit("abc"),)
    assert cited["run"] == (
        Citation.of_file("src/auth/login.py", Span(10, 14)),
        Citation.of_file("src/copy.py", Span(1, 5)),
    )


def test_the_same_packet_has_the_same_name_and_another_has_another() -> None:
    name = packet_id("task", SETTINGS, "text")
    assert name == packet_id("task", dict(reversed(SETTINGS.items())), "text")
    assert len(name) == 12
    others = {
        packet_id("task \ud800", SETTINGS, "text"),
        packet_id("task", SETTINGS | {"profile": Setting("ctx")}, "text"),
        packet_id("task", SETTINGS, "text "),
    }
    assert len(others | {name}) == 4


def test_packets_and_receipts_are_the_same_bytes_in_every_process() -> None:
    code = "from receipt_cases import make; from haversack.receipt.codec import encode; "
    code += "packet = make(); import sys; sys.stdout.buffer.write(packet.text.encode() + encode(packet.receipt))"
    packet = make()
    for seed in ("0", "1", "4242"):
        paths = os.pathsep.join([str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": paths}
        out = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True).stdout
        assert out == packet.text.encode() + encode(packet.receipt)


def test_names_that_are_not_utf8_do_not_stop_anything() -> None:
    odd = choose(unit("odd", "src/\udc80.py", Span(1, 2), title="\udc80"), "x")
    packet = make((odd,), (Omitted("o", "\ud800", "budget", 2, "primary", 0.1, "\udcff"),))
    json.dumps(packet_json(packet), ensure_ascii=False).encode()
    again = decode(encode(packet.receipt))
    assert again.sections[0].items[0].path == "src/\ufffd.py"
    assert json.dumps(receipt_json(packet.receipt), ensure_ascii=False).encode()


def test_a_receipt_survives_being_stored() -> None:
    receipt = receipt_of()
    data = encode(receipt)
    assert decode(data) == receipt
    assert encode(decode(data)) == data
    assert receipt.timestamp == "2025-11-15T12:00:00.500Z"


def test_fields_of_a_later_version_are_ignored_and_missing_ones_have_defaults() -> None:
    values = json.loads(encode(receipt_of()))
    values["invented_later"] = {"a": [1]}
    values["sections"][0]["items"][0]["mood"] = "fine"
    assert decode(json.dumps(values).encode()) == receipt_of()
    few = {key: values[key] for key in ("packet_id", "timestamp", "task", "counter", "tokens", "budget")}
    assert decode(json.dumps(few).encode()).metrics == Metrics()


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'{"packet_id": 5}'])
def test_a_damaged_receipt_is_refused_with_a_way_out(data: bytes) -> None:
    with pytest.raises(StoreError, match="a stored receipt cannot be read") as refusal:
        decode(data)
    assert "haversack pack" in str(refusal.value)


@given(st.text(), st.lists(st.text(), max_size=3))
@settings(max_examples=50, deadline=None)
def test_any_text_survives_storage(text: str, words: list[str]) -> None:
    receipt = replace(receipt_of(), task=text, task_type_words=tuple(words))
    assert decode(encode(receipt)) == receipt


def test_a_receipt_accounts_for_every_section() -> None:
    receipt = receipt_of()
    assert [(each.name, each.allocated, len(each.items)) for each in receipt.sections] == [
        ("primary", 600, 2),
        ("supporting", 360, 1),
        ("history", 60, 0),
    ]
    primary = receipt.sections[0]
    assert primary.spent == COUNT("## Primary context\n") + sum(item.tokens for item in primary.items)
    assert receipt.items_included == 3
    assert receipt.compression_applied == ("src/auth/login.py: detailed",)
    assert receipt.settings["budget"] == Setting(1200, "flag")
    assert receipt.metrics.utilisation == round(receipt.tokens / 1200, 4)
    # `check` scored below the threshold of its section; the frame is not content either.
    relevant = primary.items[0].tokens + receipt.sections[1].items[0].tokens
    assert receipt.metrics.efficiency == round(relevant / receipt.tokens, 4)
    values = receipt_json(receipt)
    assert values["budget"] == {"total": 2000, "reserve_for_output": 500, "reserve_for_system": 300, "available": 1200}
    assert values["items_included"] == 3


def test_ratios_that_mean_nothing_are_none() -> None:
    assert receipt_of(budget=Budget(0)).metrics.utilisation is None


def test_items_of_a_section_nobody_declared_are_counted_too() -> None:
    receipt = receipt_of((choose(unit("x"), "text", section="surprise"),))
    assert receipt.sections[0].name == receipt.sections[0].title == "surprise"
    assert [section.name for section in receipt.sections[1:]] == [section.name for section in SECTIONS]


def test_the_budget_table_of_a_packet() -> None:
    table = budget_table(receipt_of())
    for line in (
        f'Task: "{TASK.text}"',
        "Model: gpt-5",
        "Total Budget: 2,000 tokens (counter o200k)",
        "  - Output generation: 500 tokens",
        "  - Available: 1,200 tokens",
        "PRIMARY CONTEXT (50% = 600 tokens):",
        "HISTORY (5% = 60 tokens):",
        "  (nothing)",
        "Status: ✓ Within budget; prioritize left 4 out; 1,300 tokens would admit the next",
    ):
        assert line in table.splitlines(), line
    assert "│ src/auth/login.py:10-14" in table
    assert "1 of 3 items below their threshold" in table


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"omitted": ()}, "✓ Within budget, no overflow handling needed"),
        ({"omitted": OMITTED[2:]}, "✓ Within budget; prioritize left 2 out"),
        ({"budget": Budget(10)}, "tokens: what must be in the packet needs that much"),
        ({"budget": Budget(10), "settings": {"pack.soft": Setting(True, "flag")}}, "a soft budget was asked for"),
        ({"budget": Budget(0)}, "Utilization: none available"),
        ({"chosen": ()}, "Efficiency: none (nothing packed)"),
        ({"chosen": CHOSEN[:1] * 24}, "Efficiency: High (8"),
        ({"chosen": (choose(unit("low"), "word " * 200, Level.SUMMARY, score=0.1),)}, "Efficiency: Low (0%"),
        ({"chosen": (choose(unit("named", None, title="A decision"), "x " * 150),)}, "│ A decision "),
    ],
)
def test_the_table_says_how_it_went(fields: dict[str, object], said: str) -> None:
    assert said in budget_table(receipt_of(**fields))


def test_middling_efficiency_is_called_that() -> None:
    mixed = (choose(unit("good"), "word " * 200), choose(unit("filler"), "word " * 120, score=0.1))
    assert "Efficiency: Medium (" in budget_table(receipt_of(mixed, ()))


def read_back(packet: Packet) -> dict[str, Any]:
    """What whoever reads `--json` gets."""
    told: dict[str, Any] = json.loads(json.dumps(packet_json(packet)))
    return told


def test_what_was_cut_to_fit_is_never_called_full() -> None:
    whole = choose(unit("run", lines=Span(10, 14), qualname="run"), "def run(self):\n")
    rung = replace(whole.rung, truncated=True)
    made = make((replace(whole, candidate=replace(whole.candidate, ladder=(rung,)), rung=rung),))
    assert read_back(made)["items"][0]["truncated"] is True
    assert decode(encode(made.receipt)).compression_applied == ("src/auth/login.py: truncated",)
    assert "in part, truncated to fit" in why(made.receipt, "run")
    assert "in full" not in why(made.receipt, "run")
    assert allocation_of(made.receipt).sections[0].rows[0].level == "truncated"
    assert read_back(make((whole,)))["items"][0]["truncated"] is False
    assert "in full" in why(make((whole,)).receipt, "run")
