"""A title speaks for itself, and for the part of the project that it begins with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.index.made import store_with, unit

from haversack.model import Span, Unit
from haversack.retrieve.fusion import fuse
from haversack.retrieve.title import scope_of, title_of, titled
from haversack.retrieve.understand import understand


def file_unit(path: str) -> Unit:
    return unit(path, "", "", kind="file", id=f"c:{path}", span=Span(1, 9), citations=())


@pytest.mark.parametrize(
    ("title", "scope"),
    [
        ("fix(runtime-core): keep the slot", "runtime-core"),
        ("feat(parser)!: drop the old form", "parser"),
        ("[docs] say what it does", "docs"),
        ("net/http: close idle connections", "net/http"),
        ("Close idle connections", ""),
        ("What happens when: this", ""),
    ],
)
def test_the_scope_is_what_stands_before_the_colon(title: str, scope: str) -> None:
    assert scope_of(title) == scope


def test_files_inside_the_scope_are_told_apart(tmp_path: Path) -> None:
    store = store_with(tmp_path, [file_unit("packages/runtime-core/slot.ts"), file_unit("packages/compiler/slot.ts")])
    snapshot = store.snapshot()
    here, nothing = np.flatnonzero(snapshot.alive), np.zeros(len(snapshot.alive), dtype=np.float32)
    told = titled(snapshot, understand("fix(runtime-core): keep the slot"), nothing, here)["scope"]
    inside = [snapshot.place(int(p))[0].startswith("packages/runtime-core") for p in here]
    assert told[inside].tolist() == [1.0]
    assert told[np.logical_not(inside)].tolist() == [0.0]


def test_words_of_the_title_count_beside_those_of_the_body(tmp_path: Path) -> None:
    store = store_with(tmp_path, [unit("a.py", "a", "token expires"), unit("b.py", "b", "mailbox retry queue")])
    snapshot = store.snapshot()
    here, nothing = np.flatnonzero(snapshot.alive), np.zeros(len(snapshot.alive), dtype=np.float32)
    task = understand("The token expires\n\nSeen in the mailbox after a retry of the queue.")
    told = dict(
        zip((snapshot.place(int(p))[0] for p in here), titled(snapshot, task, nothing, here)["title coverage"],
            strict=True)
    )  # fmt: skip
    assert told["a.py"] == 1.0
    assert told["b.py"] == 0.0


def test_a_keyword_may_be_the_scope(tmp_path: Path) -> None:
    snapshot = store_with(tmp_path, [file_unit("plugins/inline.py"), file_unit("plugins/the.py")]).snapshot()
    here, nothing = np.flatnonzero(snapshot.alive), np.zeros(len(snapshot.alive), dtype=np.float32)
    told = titled(snapshot, understand("fix(inline): keep the order"), nothing, here)["scope"]
    assert {snapshot.place(int(p))[0]: float(each) for p, each in zip(here, told, strict=True)} == {
        "plugins/inline.py": 1.0,
        "plugins/the.py": 0.0,
    }


def test_a_keyword_finds_names_and_paths_and_no_bodies(tmp_path: Path) -> None:
    units = [file_unit("plugins/inline.py"), unit("a.py", "Cart.static", "x"), unit("b.py", "b", "static inline int x")]
    snapshot = store_with(tmp_path, units).snapshot()
    found = np.flatnonzero(fuse(snapshot, {}, None, called={"inline": 1.0, "static": 1.0}).fused)
    assert {snapshot.place(int(p))[0] for p in found} == {"plugins/inline.py", "a.py"}


def test_a_task_of_one_endless_line_has_a_short_title() -> None:
    assert len(title_of(understand("word " * 50_000))) <= 300
