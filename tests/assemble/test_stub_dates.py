"""Two clones of one project give the same packet: when their files were written says nothing."""

from __future__ import annotations

import os
from pathlib import Path

from tests import sample

from haversack import Haversack
from haversack.model import Level

DAY = 86_400
TASK = "where are orders and their lines kept?"


BUDGETS = (300, 400, 450, 500, 700)


def test_the_day_in_a_stub_is_that_of_the_last_commit(tmp_path: Path) -> None:
    texts, stubs = [], []
    for number in (1, 2):
        root = sample.make(tmp_path / str(number) / "shop")
        for path in root.rglob("*.*"):
            if path.is_file() and ".git" not in path.parts:
                os.utime(path, (1_750_000_000 + number * DAY, 1_750_000_000 + number * DAY))
        with Haversack(root, data_dir=tmp_path / str(number) / "data") as opened:
            packets = [opened.pack(TASK, overflow="summarize", budget=budget, fill=True) for budget in BUDGETS]
        texts.append([packet.text for packet in packets])
        items = [item for packet in packets for item in packet.items if item.source != "commits"]
        stubs += [item.text for item in items if item.level is Level.STUB]
    assert any("modified 2023-11-1" in text for text in stubs)
    assert not any("modified 2025" in text for text in texts[0])
    assert texts[0] == texts[1]
