"""What a task refers to by a number or a hash is found in the project's past."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from tests.index.made import commit, store_with, unit

from haversack.index.units import UnitReader
from haversack.model import Unit
from haversack.retrieve.referred import referred
from haversack.retrieve.understand import understand

FIRST, SECOND, THIRD = "ab12cd3" * 5 + "00000", "cd34ef5" * 5 + "00000", "ef56ab7" * 5 + "00000"


def made(sha: str, message: str, files: list[str], when: float) -> Unit:
    """A commit whose item has its hash for a key, as those of the source have."""
    return replace(commit(sha, message, files, when), id=sha)


def told(tmp_path: Path, task: str) -> dict[str, float]:
    """What the past says of each file for this task."""
    store = store_with(
        tmp_path,
        [
            *(unit(path, path[0], "some words", start=1) for path in ("a.py", "b.py", "c.py", "d.py")),
            made(FIRST, "Begin with #622", ["a.py"], 1.0),
            made(SECOND, "Fix GH-4412, see 622 lines of text", ["b.py", "c.py", "d.py", "gone.py"], 2.0),
            made(THIRD, "PROJ-77: be quiet", ["d.py"], 3.0),
            made("0a" * 20, "Merge PROJ-77 and #622", [], 4.0),
        ],
    )
    snapshot = store.snapshot()
    found = referred(snapshot, UnitReader(store, snapshot), understand(task))
    return {snapshot.items[n].key: round(float(found[n]), 3) for n in np.flatnonzero(found).tolist()}


@pytest.mark.parametrize(
    ("task", "files"),
    [
        ("finish what #622 began", {"a.py": 1.0}),
        ("see https://example.org/shop/issues/4412", {"b.py": 0.5, "c.py": 0.5, "d.py": 0.5}),
        ("PROJ-77 is back", {"d.py": 1.0}),
        (f"broken since {FIRST[:9]}", {"a.py": 1.0}),
        (f"{FIRST[:9]} for #622", {"a.py": 1.0}),
        ("622 lines are read", {}),
        ("colours like #622622aa and &#622; are fine", {}),
        ("#9999 is new", {}),
        (" ".join(f"#{number}" for number in range(615, 630)), {}),
    ],
    ids=["number", "link", "tracker", "hash", "both", "a plain number", "colours", "unknown", "a changelog"],
)
def test_the_files_of_commits_that_are_referred_to(tmp_path: Path, task: str, files: dict[str, float]) -> None:
    assert told(tmp_path, task) == files


def test_a_hash_that_two_commits_begin_with_means_neither(tmp_path: Path) -> None:
    store = store_with(
        tmp_path,
        [
            unit("a.py", "a", "words", start=1),
            made("abc1234" + "0" * 33, "one", ["a.py"], 1.0),
            made("abc1234" + "1" * 33, "two", ["a.py"], 2.0),
        ],
    )
    snapshot = store.snapshot()
    assert not referred(snapshot, UnitReader(store, snapshot), understand("since abc1234")).any()
