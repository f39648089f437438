"""Pieces that follow each other in a file are shown as one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests import sample

from haversack import Haversack
from haversack.assemble.joining import MOST_TOKENS, joined, shown_beside
from haversack.model import Candidate, Chosen, Citation, Level, Rung, Scored, Span, Unit
from haversack.tokens import counter

REFUNDS = '''def refund_of_order(order):
    """What is paid back for an order."""
    return order.paid - order.kept


def refund_of_line(line):
    """What is paid back for a line of an order."""
    return line.paid - line.kept


def refund_of_day(day):
    """What is paid back on a day."""
    return sum(map(refund_of_order, day.orders))
'''
TASK = "the refund of an order, of a line and of a day is paid twice"


def piece(
    name: str,
    start: int,
    lines: int = 2,
    *,
    tokens: int = 60,
    value: float = 1.0,
    path: str = "a.py",
    section: str = "primary",
    level: Level = Level.FULL,
    kind: str = "function",
    qualname: str = "",
    pinned: bool = False,
    also: Sequence[Citation] = (),
    text: str = "",
    lang: str = "",
) -> Chosen:
    span = Span(start, start + lines - 1)
    text = text or "\n".join(f"line {number}" for number in range(span.start, span.end + 1))
    unit = Unit(name, "code", kind, name, text, path=path, span=span, qualname=qualname or name, lang=lang)
    rung = Rung(level, text, tokens, value, span)
    return Chosen(Candidate(Scored(unit, value / 2, {}), section, (rung,), pinned, tuple(also)), rung)


def joins(*chosen: Chosen, **homes: str) -> dict[str, list[str]]:
    """Who is shown, and what beside it."""
    found = joined(chosen, homes, lambda _, rung: 20 + 10 * (rung.text.count("\n") + 1))
    return {each.candidate.id: [one.id for one in each.shows] for each in found}


def test_neighbours_are_one_piece_that_shows_all_their_lines() -> None:
    (one,) = joined([piece("b", 3, value=1.2), piece("a", 1), piece("c", 5)], {}, lambda _, rung: len(rung.text))
    assert (one.candidate.id, [each.id for each in one.shows]) == ("b", ["a", "c"])
    assert one.rung.text.split("\n") == [f"line {number}" for number in range(1, 7)]
    assert (one.rung.span, one.rung.value, one.rung.tokens) == (Span(1, 6), 3.2, len(one.rung.text))


def test_fields_of_a_class_stand_with_its_methods() -> None:
    fields = piece("fields", 1, kind="block", qualname="Screen")
    assert joins(fields, piece("run", 3, qualname="Screen.run")) == {"fields": ["run"]}
    assert joins(fields, piece("run", 3, qualname="run")) == {"fields": [], "run": []}


@pytest.mark.parametrize(
    "other",
    [
        piece("b", 4),
        piece("b", 3, path="b.py"),
        piece("b", 3, section="history"),
        piece("b", 3, level=Level.LIGHT),
        piece("b", 3, pinned=True),
        piece("b", 3, also=(Citation.of_file("elsewhere.py"),)),
        piece("b", 3, qualname="Order.b"),
        piece("b", 3, value=0.4),
        piece("b", 3, tokens=MOST_TOKENS, value=10.0),
    ],
    ids=["a line between", "file", "section", "shortened", "pinned", "elsewhere too", "class", "worth less", "long"],
)
def test_what_is_no_neighbour_of_its_kind_stands_alone(other: Chosen) -> None:
    assert joins(piece("a", 1), other) == {"a": [], "b": []}


def test_a_method_that_names_its_type_itself_is_joined_to_whatever_stands_beside_it() -> None:
    refund = piece("Refund", 1, qualname="Order.Refund", text="func (o *Order) Refund() {\n}", lang="go")
    assert joins(refund, piece("refundOf", 3, value=0.9)) == {"Refund": ["refundOf"]}
    method = piece("refund", 1, qualname="Order.refund")
    assert joins(method, piece("refundOf", 3, value=0.9)) == {"refund": [], "refundOf": []}


def test_sections_that_are_written_as_one_are_joined() -> None:
    better, worse = piece("a", 1, value=1.2), piece("b", 3, section="supporting")
    assert joins(better, worse, primary="primary", supporting="primary") == {"a": ["b"]}


def test_what_is_shown_beside_another_is_accounted_for() -> None:
    chosen = [piece("a", 1, value=1.2), piece("b", 3), piece("far", 40)]
    (left,) = shown_beside(joined(chosen, {}, lambda _, rung: 1), chosen)
    assert (left.id, left.reason, left.path) == ("b", "duplicate of a", "a.py")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "refunds.py").write_text(REFUNDS + sample.UNRELATED)
    return tmp_path


def test_a_packet_shows_neighbours_under_one_heading_and_says_where_each_is(project: Path, tmp_path: Path) -> None:
    with Haversack(project, data_dir=tmp_path / "data") as opened:
        packet = opened.pack(TASK, budget=700)
        whole = [item for item in packet.items if item.level is Level.FULL and item.path == "shop/refunds.py"]
        (one,) = [item for item in whole if "refund_of_line" in item.text]
        assert all(name in one.text for name in ("refund_of_order", "refund_of_day"))
        lines = (REFUNDS + sample.UNRELATED).split("\n")
        assert one.text.split("\n") == lines[(one.start or 1) - 1 : one.end]
        assert f"### `shop/refunds.py:{one.start}-{one.end}`\n" in packet.text
        assert counter("o200k").count(packet.text) == packet.tokens <= 700
        beside = [each for each in packet.omitted if each.reason == f"duplicate of {one.id}"]
        assert {each.title for each in beside} >= {"refund_of_line", "refund_of_day"} - {one.title}


def test_a_session_is_not_given_again_what_it_got_beside_something_else(project: Path, tmp_path: Path) -> None:
    with Haversack(project, data_dir=tmp_path / "data") as opened:
        first = opened.pack(TASK, budget=700, session="s")
        opened.keep(first)
        again = opened.pack(TASK, budget=700, session="s")
    assert "refund_of_line" in first.text
    assert not [item for item in again.items if "refund_of" in item.text]
