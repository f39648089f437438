"""Two clones of one project give the same packet: when their files were written says nothing."""

from __future__ import annotations

import os
from pathlib import Path

from tests import sample

from haversack import Haversack
from haversack.model import Level

DAY = 86_400
TASK = "where are orders and their lines kept?"


def test_the_day_in_a_stub_is_that_of_the_last_commit(tmp_path: Path) -> None:
    texts = []
    for number in (1, 2):
        root = sample.make(tmp_path / str(number) / "shop")
        for path in root.rglob("*.*"):
            if path.is_file() and ".git" not in path.parts:
                os.utime(path, (1_750_000_000 + number * DAY, 1_750_000_000 + number * DAY))
        with Haversack(root, data_dir=tmp_path / str(number) / "data") as opened:
            packet = opened.pack(TASK, overflow="summarize", budget=700, fill=True)
            stubs = [item.text for item in packet.items if item.level is Level.STUB and item.source != "commits"]
            texts.append(packet.text)
    assert any("modified 2023-11-1" in text for text in stubs)
    assert "modified 2025" not in texts[0]
    assert texts[0] == texts[1]
