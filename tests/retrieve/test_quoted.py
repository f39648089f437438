"""Code that holds the message a task quotes competes, however little else it shares with the task."""

from __future__ import annotations

from pathlib import Path

import pytest

from haversack import Haversack
from haversack.retrieve.quoted import holders
from haversack.retrieve.understand import understand

LEDGER = """def book(order, amount):
    if amount > order.total:
        raise ValueError("refund exceeds the remaining balance")
    return order


def close(day):
    return [each for each in day if each]
"""
TASK = "Booking fails on Mondays: `ValueError: refund exceeds the remaining balance`, although nothing was refunded."


@pytest.fixture
def opened(tmp_path: Path) -> Haversack:
    (tmp_path / "ledger.py").write_text(LEDGER)
    for number in range(12):
        (tmp_path / f"mondays{number}.py").write_text(
            f"def booking_fails_{number}(mondays):\n    return mondays.booking.fails({number})\n"
        )
    project = Haversack(tmp_path, data_dir=tmp_path / "data")
    project.index()
    return project


def test_what_raises_the_message_is_named_by_it(opened: Haversack) -> None:
    (found,) = holders(opened.store.snapshot(), understand(TASK))
    assert opened.store.snapshot().place(found)[0] == "ledger.py"
    assert "refund exceeds the remaining balance" in opened.pack(TASK, budget=400).text


def test_a_message_that_many_pieces_hold_points_at_none(opened: Haversack) -> None:
    for number in range(5):
        (opened.project.roots[0] / f"copy{number}.py").write_text(LEDGER.replace("def book", f"def book{number}"))
    opened.index()
    assert holders(opened.store.snapshot(), understand(TASK)) == []


def test_two_words_are_no_message(opened: Haversack) -> None:
    assert holders(opened.store.snapshot(), understand('it says "remaining balance"')) == []
