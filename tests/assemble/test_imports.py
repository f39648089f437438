"""The imports of a file come along with its best piece."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import sample

from haversack import Haversack
from haversack.assemble.imports import ITS_FILE

LEDGER = '''"""Bookings."""

import json
from decimal import Decimal
from shop.money import (
    Amount,
    rounded,
)

LIMIT = 3


def book_refund(order, amount):
    """A refund is booked against its order."""
    total = rounded(Decimal(amount))
    return json.dumps({"order": order, "refund": str(total), "limit": LIMIT, "amount": Amount(total)})


def close_day(day):
    return [each for each in day if each]
'''
TASK = "book_refund rounds the refund of an order twice"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "ledger.py").write_text(LEDGER + sample.UNRELATED)
    (tmp_path / "shop" / "money.py").write_text("def rounded(value):\n    return round(value, 2)\n")
    return tmp_path


def test_the_imports_of_the_best_file_are_in_the_packet_and_open(project: Path, tmp_path: Path) -> None:
    with Haversack(project, data_dir=tmp_path / "data") as opened:
        packet = opened.pack(TASK, budget=600)
        (found,) = [item for item in packet.items if item.kind == "imports"]
        assert (found.path, found.start, found.end) == ("shop/ledger.py", 3, 9)
        assert found.text == "\n".join(LEDGER.split("\n")[2:9])
        assert next(item for item in packet.items if "book_refund" in item.title).section == found.section
        assert "from decimal import Decimal" in opened.show("shop/ledger.py:3-8").text
        assert opened.show(found.id).text == found.text.rstrip()
        assert [opened.show(item.id).citation.target for item in packet.items] == [item.path for item in packet.items]


def test_a_packet_without_imports_has_none(project: Path, tmp_path: Path) -> None:
    with Haversack(project, data_dir=tmp_path / "data", flags={"sources.code.include_imports": False}) as opened:
        assert not [item for item in opened.pack(TASK, budget=600).items if item.kind == "imports"]


def test_a_file_that_is_shown_whole_does_not_repeat_its_imports(project: Path, tmp_path: Path) -> None:
    with Haversack(project, data_dir=tmp_path / "data") as opened:
        packet = opened.pack(TASK, budget=3_000, pin=["shop/ledger.py"])
        assert not [item for item in packet.items if item.kind == "imports"]
        assert packet.text.count("from decimal import Decimal") == 1


def test_imports_never_come_without_a_piece_of_their_file(project: Path, tmp_path: Path) -> None:
    """A long function that does not fit leaves its short imports behind: they would explain nothing."""
    long = "\n".join(f"    refund_{n} = order.refund(amount, step={n})  # the refund of an order" for n in range(120))
    (project / "shop" / "ledger.py").write_text(
        f"import json\nfrom decimal import Decimal\n\n\ndef book_refund(order, amount):\n{long}\n"
    )
    with Haversack(project, data_dir=tmp_path / "data") as opened:
        seen = 0
        for budget in range(60, 200, 20):
            packet = opened.pack(TASK, budget=budget)
            imports = {item.path for item in packet.items if item.kind == "imports"}
            others = {item.path for item in packet.items if item.kind != "imports"}
            assert imports <= others
            seen += any(each.reason == ITS_FILE for each in packet.omitted)
        assert seen
