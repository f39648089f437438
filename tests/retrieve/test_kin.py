"""What is related to the best pieces is found by what they use, with whom they change and what they are called."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.index.made import commit, store_with, unit
from tests.retrieve.test_ranking import columns_of

from haversack.retrieve.company import Past

TASK = "the token of a user expires too early"


def test_relations_to_the_best_are_told(tmp_path: Path) -> None:
    store = store_with(
        tmp_path,
        [
            unit("shop/session.py", "renew", "a token of a user expires too early", start=10, refs=("sign",)),
            unit("base/sign.py", "sign", "cryptographic digest of a token", start=5),
            unit("web/serve.py", "serve", "answers users", start=5, refs=("renew",)),
            unit("shop/basket.py", "basket", "what a user wants", start=5),
            unit("types/session.pyi", "stubs", "of a user", start=5),
            unit("far/away.py", "away", "no user", start=5),
            unit("near/partner.py", "partner", "some user", start=5),
            commit("aa" * 20, "one thing", ["shop/session.py", "near/partner.py"], 5.0),
            commit("bb" * 20, "another", ["far/away.py"], 6.0),
        ],
    )  # fmt: skip
    told = columns_of(store, TASK)
    assert max(told, key=lambda name: told[name]["points"]) == "renew"
    assert told["renew"]["points"] == told["renew"]["file place"] == 1.0
    assert told["sign"]["used by the best"] == told["sign"]["file used by the best"] == 1.0
    assert told["serve"]["using the best"] == told["serve"]["file using the best"] == 1.0
    assert told["partner"]["changed with the best"] == 1.0
    assert told["away"]["changed with the best"] == 0.0
    assert told["stubs"]["called like the best"] == pytest.approx(told["renew"]["file share"])
    assert told["basket"]["called like the best"] == 0.0
    assert told["basket"]["beside the best"] > told["away"]["beside the best"]
    assert sum(each["file share"] for each in told.values()) == pytest.approx(1.0, abs=1e-4), "one piece to a file here"


def test_pieces_that_speak_of_the_same_rare_things_are_related(tmp_path: Path) -> None:
    store = store_with(
        tmp_path,
        [
            unit("shop/session.py", "renew", "a token of a user expires too early", start=10, refs=("grace", "log")),
            unit("shop/session.py", "close", "nothing of it", start=20),
            unit("base/limits.py", "limits", "of a user", start=5, refs=("grace",)),
            unit("far/away.py", "away", "no user", start=5, refs=("other",)),
            *(unit(f"many/{n}.py", f"user{n}", "a user", start=1, refs=("log",)) for n in range(60)),
        ],
    )  # fmt: skip
    told = columns_of(store, TASK)
    assert told["limits"]["sharing names"] == told["limits"]["file sharing names"] == 1.0
    assert told["away"]["sharing names"] == 0.0
    assert told["user7"]["sharing names"] == 0.0, "what everybody uses relates nobody"
    assert told["renew"]["sharing names"] == 0.0, "no piece is related to itself"


def test_pieces_beside_the_best_in_its_file_are_next_to_it(tmp_path: Path) -> None:
    store = store_with(
        tmp_path,
        [
            *(unit("a.py", f"f{n}", "some user", start=10 * n) for n in range(1, 4)),
            unit("a.py", "renew", "a token of a user expires too early", start=40),
            *(unit("a.py", f"g{n}", "some user", start=10 * n) for n in range(5, 9)),
            unit("b.py", "alone", "some user", start=1),
        ],
    )
    told = columns_of(store, TASK)
    assert [round(told[name]["next to the best"], 1) for name in ("f1", "f2", "f3", "g5", "g6", "g7")] == [
        0.5, 0.7, 1.0, 1.0, 0.7, 0.5,
    ]  # fmt: skip
    assert told["f1"]["file next"] == told["g8"]["file next"] == 1.0
    assert told["renew"]["file next"] < 1.0
    assert told["alone"]["file next"] == told["alone"]["next to the best"] == 0.0


def test_how_often_a_file_changed_counts_less_with_the_years(tmp_path: Path) -> None:
    year = 365 * 86_400.0
    store = store_with(
        tmp_path,
        [
            unit("a.py", "old", "a token", start=1),
            unit("b.py", "new", "a token", start=1),
            commit("aa" * 20, "said nothing", ["a.py"], 1.0),
            commit("bb" * 20, TASK, ["b.py"], 1.0 + year),
        ],
    )
    told = columns_of(store, TASK)
    assert told["new"]["changes"] == pytest.approx(np.log1p(1.0))
    assert told["old"]["changes"] == pytest.approx(np.log1p(0.5))
    assert told["old"]["changes ever"] == told["new"]["changes ever"] == pytest.approx(np.log1p(1))
    assert told["new"]["history best"] == 1.0 > told["old"]["history best"]


def test_a_sweeping_change_is_no_company(tmp_path: Path) -> None:
    paths = [f"{n}.py" for n in range(60)]
    store = store_with(
        tmp_path,
        [*(unit(path, f"f{path[:-3]}", "a token", start=1) for path in paths), commit("aa" * 20, "all", paths, 1.0)],
    )
    snapshot = store.snapshot()
    past = Past(snapshot, np.asarray([snapshot.positions_by_key[path] for path in paths]))
    assert not past.together(np.ones(len(paths))).any()


def test_files_without_a_past_have_none(tmp_path: Path) -> None:
    told = columns_of(store_with(tmp_path, [unit("a.py", "f", "a token", start=1)]), TASK)
    assert told["f"]["changes"] == told["f"]["changed with the best"] == told["f"]["history nearest"] == 0.0


def test_files_of_the_same_part_and_with_the_same_ending_share_in_the_best(tmp_path: Path) -> None:
    store = store_with(
        tmp_path,
        [
            unit("core/shop/session/renew.py", "renew", "a token of a user expires too early", start=10),
            unit("core/shop/basket/fill.py", "fill", "some user", start=5),
            unit("core/web/serve.ts", "serve", "some user", start=5),
            unit("docs/lone.ts", "lone", "some user", start=5),
        ],
    )
    told = columns_of(store, TASK)
    share = {name: told[name]["file share"] for name in told}
    both = share["renew"] + share["fill"]
    assert told["fill"]["ending share"] == told["fill"]["part share"] == pytest.approx(both, abs=1e-3)
    assert told["fill"]["part share of others"] == pytest.approx(share["renew"], abs=1e-3)
    assert told["fill"]["above share of others"] == pytest.approx(share["renew"], abs=1e-3)
    assert told["fill"]["deep part share of others"] == 0.0
    assert told["serve"]["top share"] == pytest.approx(both + share["serve"], abs=1e-3)
    assert told["serve"]["part share of others"] == told["lone"]["above share of others"] == 0.0
    assert told["lone"]["top share"] == pytest.approx(share["lone"], abs=1e-3)
