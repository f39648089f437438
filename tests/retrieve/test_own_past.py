"""Which function of a file is meant is told by which of them past commits changed, when, and in which words."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.histories import git, make_history
from tests.retrieve.pasts import columns, functions

from haversack import Haversack

TASK = "the basket is as wobbly as a drawer"


FIRST = {"alpha": "basket = 1", "beta": "basket = 2", "gamma": "basket = 3", "delta": "basket = 4"}
HISTORY = [
    ("begin", {"shop.py": functions(**FIRST)}),
    ("no wobbly drawer any more", {"shop.py": functions(**FIRST | {"beta": "basket = 20"})}),
    ("colours", {"shop.py": functions(**FIRST | {"beta": "basket = 20", "gamma": "basket = 30"})}),
    ("beside each other", {"shop.py": functions(**FIRST | {"beta": "basket = 21", "gamma": "basket = 31"})}),
]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Haversack]:
    root = tmp_path / "shop"
    root.mkdir()
    make_history(root, HISTORY)
    with Haversack(root, data_dir=tmp_path / "data") as found:
        found.refresh()
        yield found


def test_each_piece_knows_its_own_changes(project: Haversack) -> None:
    told = columns(project, TASK)
    assert np.expm1(told["beta"]["own changes ever"]) == pytest.approx(3)
    assert np.expm1(told["alpha"]["own changes ever"]) == pytest.approx(1), "as all, it was there from the beginning"
    assert told["gamma"]["own changes in file"] == 1.0
    assert told["alpha"]["own changes in file"] == pytest.approx(1 / 3, abs=0.01)
    assert told["beta"]["own recent"] == told["gamma"]["own recent"] == told["gamma"]["own recent in file"] == 1.0
    assert told["alpha"]["own recent"] == told["delta"]["own recent"] < 1.0
    assert told["alpha"]["own recent in file"] == told["delta"]["own recent in file"] < 1.0


def test_what_was_said_of_a_change_speaks_for_what_it_changed(project: Haversack) -> None:
    told = columns(project, TASK)
    assert told["beta"]["own history best"] == 1.0
    assert told["gamma"]["own history best"] < 1.0
    assert told["beta"]["own history"] > told["alpha"]["own history"]
    assert told["beta"]["own history nearest"] >= told["gamma"]["own history nearest"]


def test_what_was_changed_with_the_best_piece_is_related_to_it(project: Haversack) -> None:
    told = columns(project, "beta forgets what was put into the basket")
    assert max(told, key=lambda name: told[name]["points"]) == "beta"
    assert told["gamma"]["piece changed with the best"] > told["delta"]["piece changed with the best"]


def test_changes_after_the_index_count_as_the_newest(project: Haversack) -> None:
    lines = {"shop.py": [(13, 14)]}  # delta
    told = columns(project, TASK, since=(lines,))
    assert told["delta"]["own recent"] == 1.0
    assert told["beta"]["own recent"] < 1.0
    assert np.expm1(told["delta"]["own changes ever"]) == pytest.approx(2)


def test_an_index_that_was_updated_says_what_a_new_one_says(project: Haversack, tmp_path: Path) -> None:
    root = tmp_path / "shop"
    (root / "shop.py").write_text(
        "# at the top\n\n" + functions(**FIRST | {"beta": "basket = 21", "alpha": "basket = 9"}), encoding="utf-8"
    )
    git(root, "commit", "-q", "-a", "-m", "once more")
    project.refresh()
    updated = columns(project, TASK)
    with Haversack(root, data_dir=tmp_path / "fresh") as fresh:
        fresh.refresh()
        assert columns(fresh, TASK) == updated
    assert updated["alpha"]["own recent"] == 1.0


def test_without_a_history_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(functions(**FIRST), encoding="utf-8")
    with Haversack(tmp_path, data_dir=tmp_path / ".data") as project:
        project.refresh()
        told = columns(project, TASK)
    assert all(not value for each in told.values() for name, value in each.items() if name.startswith("own "))


def test_lines_past_the_end_of_a_file_that_was_cut_are_nobodys(project: Haversack, tmp_path: Path) -> None:
    (tmp_path / "shop" / "shop.py").write_text(functions(alpha="basket = 1"), encoding="utf-8")
    project.refresh()
    assert columns(project, TASK)["alpha"]["own changes in file"] == 1.0


def test_what_is_not_committed_yet_was_written_last(project: Haversack, tmp_path: Path) -> None:
    (tmp_path / "shop" / "new.py").write_text(functions(omega="basket = 9"), encoding="utf-8")
    project.refresh()
    told = columns(project, TASK)
    assert told["omega"]["own recent"] == told["omega"]["own changes in file"] == 1.0
    assert 0 < told["beta"]["own recent"] < 1.0
    git(tmp_path / "shop", "add", "-A")
    git(tmp_path / "shop", "commit", "-q", "-m", "new")
    project.refresh()
    assert columns(project, TASK)["omega"]["own recent"] == 1.0, "now by its commit"


def test_what_is_kept_for_a_state_of_the_index_goes_with_it(project: Haversack, tmp_path: Path) -> None:
    columns(project, TASK)
    before = weakref.ref(project.store.snapshot())
    (tmp_path / "shop" / "new.py").write_text(functions(omega="basket = 9"), encoding="utf-8")
    project.refresh()
    columns(project, TASK)
    gc.collect()
    assert before() is None
