"""A function's words are those in it, in its name and path, and all that was ever said when it was changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.histories import make_history
from tests.retrieve.pasts import columns, functions

from haversack import Haversack
from haversack.index.units import UnitReader
from haversack.retrieve.company import Mentions, Past
from haversack.retrieve.own_past import OwnPast, touches_of
from haversack.retrieve.word_by_word import word_by_word

FIRST = {"alpha": "basket = 1", "beta": "basket = 2", "gamma": "basket = 3"}
HISTORY = [
    ("begin", {"shop/till.py": functions(**FIRST), "shop/other.py": functions(delta="basket = 4")}),
    ("no wobbly furniture", {"shop/till.py": functions(**FIRST | {"beta": "basket = 20"})}),
    ("a drawer for coins", {"shop/till.py": functions(**FIRST | {"beta": "basket = 21"})}),
    ("wobbly again", {"shop/till.py": functions(**FIRST | {"beta": "basket = 21", "gamma": "basket = 31"})}),
]
TASK = "the basket of the wobbly drawer"
SAID = "wobbly drawer"  # which no file says


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Haversack]:
    root = tmp_path / "project"
    root.mkdir()
    make_history(root, HISTORY)
    with Haversack(root, data_dir=tmp_path / "data") as found:
        found.refresh()
        yield found


def test_what_several_commits_said_of_a_function_counts_together(project: Haversack) -> None:
    told = columns(project, SAID)
    assert told["beta"]["words said"] == 1.0
    assert 0.0 < told["gamma"]["words said"] < 1.0, "of it only the one word was said"
    assert told["alpha"]["words said"] == 0.0
    assert told["beta"]["words only said"] == 1.0
    assert told["gamma"]["words said often"] > 0.0
    assert told["beta"]["words said much"] > told["gamma"]["words said much"]


def test_what_was_said_of_a_file_counts_for_all_its_pieces(project: Haversack) -> None:
    told = columns(project, f"{SAID} delta")
    for name in ("file words said", "file words said often", "file words said much"):
        assert told["alpha"][name] == told["beta"][name] == 1.0
        assert told["delta"][name] < 0.5, "of its file only the first commit speaks, which wrote its name"


def test_a_word_counts_once_wherever_it_stands(project: Haversack) -> None:
    told = columns(project, TASK)
    assert told["beta"]["words here"] == 1.0
    assert told["alpha"]["words here"] > 0.0, "the word in its body"
    assert told["gamma"]["words here"] > told["alpha"]["words here"]
    assert told["alpha"]["words anywhere"] == told["beta"]["words anywhere"] == 1.0, "all of it is in the file's past"
    assert told["delta"]["words anywhere"] < 1.0


def test_names_and_paths_are_words_too(project: Haversack) -> None:
    told = columns(project, "gamma of the till")
    assert told["gamma"]["words called"] == 1.0
    assert 0.0 < told["alpha"]["words called"] < 1.0, "by its path alone"
    assert told["delta"]["words called"] == 0.0


def test_without_history_only_what_stands_in_the_files_counts(tmp_path: Path) -> None:
    root = tmp_path / "plain"
    root.mkdir()
    (root / "till.py").write_text(functions(**FIRST), encoding="utf-8")
    with Haversack(root, data_dir=tmp_path / "data") as project:
        project.refresh()
        told = columns(project, TASK)
    assert told["alpha"]["words here"] == 1.0
    assert {told["alpha"][name] for name in told["alpha"] if name.endswith(("said", "often", "much"))} == {0.0}


def test_a_task_without_words_says_nothing(project: Haversack) -> None:
    snapshot = project.store.snapshot()
    here = np.flatnonzero(snapshot.sources["code"])
    own_past = OwnPast(snapshot, touches_of(snapshot, UnitReader(project.store, snapshot)), here)
    told = word_by_word(snapshot, {}, here, Past(snapshot, np.unique(snapshot.item_of[here])), own_past)
    assert not any(column.any() for column in told.values())


def test_commits_are_counted_for_what_they_changed() -> None:
    """Two words; the first is said by the commits at 5 and 7, the second by that at 7; at 9 neither."""
    mentions = Mentions([np.asarray([5, 7]), np.asarray([7]), np.zeros(0, dtype=np.int64)])
    things, commits = np.asarray([0, 1, 0, 2]), np.asarray([7, 5, 5, 9])
    assert mentions.counts(things, commits, 3).tolist() == [[2, 1, 0], [1, 0, 0], [0, 0, 0]]
    assert Mentions([]).counts(things, commits, 3).shape == (0, 3)
