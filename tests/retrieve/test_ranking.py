"""Code is ranked by named evidence and fitted weights."""

from __future__ import annotations

from math import log1p, log2
from pathlib import Path

import numpy as np
import pytest
from tests.index.made import MODEL, commit, store_with, unit

from haversack.index.sqlite import SqliteStore
from haversack.index.units import UnitReader
from haversack.model import Role, Span, Unit
from haversack.retrieve.candidates import Gatherer
from haversack.retrieve.kin import RELATIONS
from haversack.retrieve.learned import FIRST, LAST, Numbers, mean
from haversack.retrieve.ranking import HALVED_AFTER, alignments, bent, weigh
from haversack.retrieve.understand import understand


def file_unit(path: str, role: Role = Role.SOURCE) -> Unit:
    return unit(path, "", "", kind="file", id=f"c:{path}", span=Span(1, 90), citations=(), role=role)


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return store_with(
        tmp_path,
        [
            file_unit("shop/session.py"),
            unit("shop/session.py", "renew", "a new token for the user before it expires", start=10, refs=("sign",)),
            unit("shop/session.py", "close", "forget the user", start=40),
            file_unit("shop/sign.py"),
            unit("shop/sign.py", "sign", "cryptographic digest of a token", start=5),
            file_unit("tests/test_sign.py", Role.TEST),
            unit("tests/test_sign.py", "test_token", "the token of a user expires", start=3, role=Role.TEST),
            file_unit("web/http-server.py"),
            unit("web/http-server.py", "serve", "answers requests", start=3),
            commit("aa" * 20, "token of a user expires too early", ["web/http-server.py"], 5.0),
        ],
    )  # fmt: skip


def columns_of(store: SqliteStore, task: str) -> dict[str, dict[str, float]]:
    """Evidence by unit name and column."""
    reader = UnitReader(store, store.snapshot())
    positions, columns = Gatherer(store, MODEL).evidence(understand(task), reader)
    return {
        each.name or each.path or "": {name: float(column[row]) for name, column in columns.items()}
        for row, each in enumerate(reader.at(positions))
    }


def test_each_piece_of_evidence_is_found_where_it_stands(store: SqliteStore) -> None:
    told = columns_of(store, "The user's token expires too early in the HttpServer")
    assert max(told, key=lambda name: told[name]["coverage"]) == "renew"
    assert told["renew"]["file rank"] == 1.0
    assert told["sign"]["used"] > 0, "what the best piece uses"
    assert told["sign"]["tests"] > 0, "a test file named after it speaks the task's words"
    assert told["serve"]["history"] == 1.0, "a past change was described in these words"
    assert told["serve"]["file name"] > 0, "named as a word names it, whatever its separators"
    assert told["test_token"]["in test"] == 1.0
    assert told["renew"]["in test"] == 0.0


def test_what_tests_use_and_what_past_changes_mean_is_told(tmp_path: Path) -> None:
    store = store_with(
        tmp_path,
        [
            unit("shop/sign.py", "sign", "cryptographic digest", start=5),
            unit("shop/close.py", "close", "forget somebody", start=5),
            unit("tests/test_it.py", "test_it", "the token of a user expires", start=3, role=Role.TEST, refs=("sign",)),
            commit("aa" * 20, "token of a user expires too early", ["shop/close.py"], 5.0),
        ],
    )  # fmt: skip
    told = columns_of(store, "The user's token expires too early")
    assert told["sign"]["tested"] == told["sign"]["file tested"] == 1.0
    assert told["close"]["tested"] == 0.0
    assert told["close"]["history meaning"] == 1.0
    assert told["sign"]["folder history"] == 1.0, "a file beside it was changed"


def test_pieces_are_ranked_among_those_of_their_file(store: SqliteStore) -> None:
    told = columns_of(store, "The user's token expires too early in the HttpServer")
    assert told["renew"]["rank in file"] > told["close"]["rank in file"]
    assert told["renew"]["words in file"] == 1.0
    assert told["close"]["words in file"] < 1.0


def test_neighbours_of_what_is_named_are_not_named(store: SqliteStore) -> None:
    task = understand("`renew` hands out a token that expires")
    only_named = dict.fromkeys(LAST.weights, 0.0) | {"named": 1000.0}
    ranked = {each.unit.name: each.features.ranked for each in Gatherer(store, MODEL, learned=only_named).gather(task)}
    assert ranked["renew"] == 1.0
    assert ranked["sign"] == pytest.approx(0.0, abs=1e-6), "renew uses it, and nobody names it"


def test_the_ranking_is_fitted_on_the_pieces_that_it_ranks(store: SqliteStore) -> None:
    task = understand("`close` forgets the user's token")
    reader = UnitReader(store, store.snapshot())
    positions, _ = Gatherer(store, MODEL).evidence(task, reader)
    ranked = {each.unit.id for each in Gatherer(store, MODEL).gather(task) if each.features.ranked is not None}
    assert ranked == {each.id for each in reader.at(positions)}


def test_what_is_nearest_in_a_project_about_something_else_is_not_near(store: SqliteStore) -> None:
    near, far = (
        max(each["meaning"] for each in columns_of(store, task).values())
        for task in ("renew the token of a user before it expires", "the quagga sings out of tune")
    )
    assert near == 1.0
    assert far < 0.7


def test_where_work_went_on_lately_is_told(tmp_path: Path) -> None:
    store = store_with(
        tmp_path,
        [
            *(unit(path, path[2], "a token", start=3) for path in ("a/x.py", "a/y.py", "b/z.py", "b/w.py")),
            commit("aa" * 20, "older", ["a/x.py", "b/z.py"], 5.0),
            commit("bb" * 20, "a merge names no files", [], 6.0),
            commit("cc" * 20, "newer", ["b/z.py"], 7.0),
            commit("dd" * 20, "everything", [f"c/{n}.py" for n in range(99)] + ["b/w.py"], 8.0),
        ],
    )
    told = columns_of(store, "the token expires")
    assert told["z"]["recent"] == pytest.approx(1 / log2(3)), "after a commit that changed too much to mean it"
    assert told["x"]["recent"] == pytest.approx(0.5)
    assert told["y"]["recent"] == told["w"]["recent"] == 0.0
    assert told["w"]["folder recent"] == pytest.approx(log1p(2))
    assert told["y"]["folder recent"] == pytest.approx(log1p(1))


def test_a_role_that_the_task_asks_for_counts_as_source(store: SqliteStore) -> None:
    reader = UnitReader(store, store.snapshot())
    _, columns = Gatherer(store, MODEL).evidence(understand("the token expires", type="test"), reader)
    assert not columns["in test"].any()


def test_every_weight_belongs_to_a_piece_of_evidence_and_each_has_one(store: SqliteStore) -> None:
    reader = UnitReader(store, store.snapshot())
    _, columns = Gatherer(store, MODEL).evidence(understand("the token expires"), reader)
    assert set(columns) == set(LAST.weights)
    assert set(FIRST.weights) < set(columns) - RELATIONS, "the first cannot know how a piece is related to the best"


def test_the_best_is_1_and_others_fall_towards_0() -> None:
    columns = {name: np.zeros(3, dtype=np.float32) for name in LAST.weights}
    columns["in test"] = np.asarray([0.0, -0.5, -1.0], dtype=np.float32)  # a role bends nothing
    assert weigh(columns, {"in test": 2 * HALVED_AFTER}).tolist() == [0.0, -HALVED_AFTER, -2 * HALVED_AFTER]
    assert alignments(columns, {"in test": 2 * HALVED_AFTER}).tolist() == pytest.approx([1.0, 0.5, 0.25])


@pytest.mark.parametrize("numbers", [FIRST, LAST])
def test_the_bent_part_is_one_layer_of_what_is_above_a_threshold(numbers: Numbers) -> None:
    columns = {name: np.asarray([0.3, 0.9], dtype=np.float32) for name in numbers.weights}
    layer = [
        [max(0.0, shift + sum(row[n] * float(columns[name][piece]) for name, row in numbers.bends.items()))
         for n, shift in enumerate(numbers.shifts)]
        for piece in range(2)
    ]  # fmt: skip
    expected = [sum(height * value for height, value in zip(numbers.heights, each, strict=True)) for each in layer]
    assert bent(columns, numbers).tolist() == pytest.approx(expected, rel=1e-5)
    assert numbers.bends.keys() <= numbers.weights.keys()
    assert all(len(row) == len(numbers.shifts) == len(numbers.heights) for row in numbers.bends.values())


def test_the_last_ranking_gives_the_mean_of_two() -> None:
    one = Numbers({"a": 2.0}, {"a": (1.0,)}, (0.5,), (4.0,))
    other = Numbers({"a": 1.0, "b": 6.0}, {"b": (1.0, -1.0)}, (0.0, 2.0), (2.0, 8.0))
    columns = {"a": np.asarray([0.5, 1.0]), "b": np.asarray([1.0, 3.0])}
    alone = [weigh(columns, each.weights) + bent(columns, each) for each in (one, other)]
    both = mean(one, other)
    assert (weigh(columns, both.weights) + bent(columns, both)).tolist() == pytest.approx((sum(alone) / 2).tolist())


def test_weights_of_ones_own_change_the_order(store: SqliteStore) -> None:
    task = understand("the user needs a new token before it expires")
    by_history = dict.fromkeys(LAST.weights, 0.0) | {"history": 100.0}
    found = {each.unit.name: each for each in Gatherer(store, MODEL, learned=by_history).gather(task)}
    assert found["serve"].features.ranked == 1.0
    usual = {each.unit.name: each for each in Gatherer(store, MODEL).gather(task)}
    assert (usual["renew"].features.ranked or 0) > (usual["serve"].features.ranked or 0)
