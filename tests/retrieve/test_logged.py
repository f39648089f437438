"""A debugging task takes the frames of the newest trace in the logs that matches it; no other task does."""

from __future__ import annotations

from pathlib import Path

import pytest

from haversack import Haversack
from haversack.index.units import UnitReader
from haversack.model import Unit
from haversack.retrieve.candidates import Gatherer
from haversack.retrieve.logged import frames_of
from haversack.retrieve.understand import understand

TRACE = (
    'Traceback (most recent call last):\n  File "{path}", line {line}, in {name}\n    x\nValueError: checkout {why}\n'
)
TASK = "fix the crash of checkout: ValueError"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    for name in ("amounts", "totals", "colours"):
        (root / "src" / f"{name}.py").write_text(f"def read_{name}(given):\n    return given\n")
    old = TRACE.format(path="/srv/src/totals.py", line=2, name="read_totals", why="of old")
    new = TRACE.format(path="/srv/src/amounts.py", line=2, name="read_amounts", why="of new")
    lines = ["2026-11-15 09:00:00 ERROR a", old, "2026-11-15 10:00:00 ERROR b", new, "2026-11-15 10:00:01 INFO c"]
    (root / "app.log").write_text("\n".join(line.rstrip("\n") for line in lines) + "\n")
    return root


def explicit(root: Path, data: Path, task: str, kind: str, sources: tuple[str, ...] | None = None) -> set[str]:
    with Haversack(root, data_dir=data) as haversack:
        haversack.index()
        found = Gatherer(haversack.store, None).gather(understand(task, type=kind), sources=sources)
        return {each.unit.name or each.unit.kind for each in found if each.features.explicit}


def test_the_newest_trace_that_matches_names_its_functions(shop: Path, tmp_path: Path) -> None:
    assert explicit(shop, tmp_path / "d", TASK, "bug") == {"read_amounts", "trace"}


def test_other_tasks_and_tasks_without_logs_name_none(shop: Path, tmp_path: Path) -> None:
    assert explicit(shop, tmp_path / "d", "add a discount to the checkout", "feature") == set()
    assert explicit(shop, tmp_path / "d", TASK, "bug", ("code",)) == set()
    (shop / "app.log").write_text("2026-11-15 09:00:00 ERROR checkout ValueError without a trace\n")
    assert explicit(shop, tmp_path / "d", TASK, "bug") == set()
    (shop / "app.log").unlink()
    assert explicit(shop, tmp_path / "d", TASK, "bug") == set()


def test_frames_in_the_task_itself_come_first(shop: Path, tmp_path: Path) -> None:
    own = TRACE.format(path="src/colours.py", line=2, name="read_colours", why="here")
    assert explicit(shop, tmp_path / "d", f"{TASK}\n\n{own}", "bug") == {"read_colours"}


def test_a_unit_without_frames_has_none(shop: Path, tmp_path: Path) -> None:
    assert frames_of(Unit("l1", "logs", "trace", "t", "")) == ()
    with Haversack(shop, data_dir=tmp_path / "d") as haversack:
        haversack.index()
        snapshot = haversack.store.snapshot()
        item = snapshot.positions_by_key["app.log"]
        traces = [u for u in UnitReader(haversack.store, snapshot).of_item(item) if u.kind == "trace"]
    assert [frames_of(unit)[0] for unit in traces] == [
        ("srv/src/amounts.py", 2, "read_amounts"),
        ("srv/src/totals.py", 2, "read_totals"),
    ]
