"""Whoever opens a project can watch the index being brought up to date, whatever is asked for."""

from __future__ import annotations

from pathlib import Path

from tests import sample

from haversack import Haversack


def test_every_answer_tells_how_far_its_refresh_is(tmp_path: Path) -> None:
    project = sample.make(tmp_path / "shop")
    seen: list[tuple[str, int, int]] = []
    with Haversack(project, data_dir=tmp_path / "data", progress=lambda *step: seen.append(step)) as opened:
        opened.pack("refresh_session", budget=300)
        total = len(sample.FILES)
        assert ("reading", total, total) in seen
        assert seen[-1][0] == ""
        seen.clear()
        opened.search("session")
        assert {stage for stage, _, _ in seen} == {""}
        sample.write(project, "shop/more.py", "def more() -> int:\n    return 1\n")
        opened.show("shop/more.py")
        assert ("reading", 1, 1) in seen
