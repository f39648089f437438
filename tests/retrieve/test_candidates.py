"""From a task to candidates: what is named is found, what is near comes along, what was changed before counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.index.made import MODEL, commit, store_with, unit

from haversack.index.sqlite import SqliteStore
from haversack.model import Role, Span, Task, Unit
from haversack.retrieve.candidates import Found, Gatherer
from haversack.retrieve.understand import understand


def file_unit(path: str) -> Unit:
    return unit(path, "", "", kind="file", id=f"c:{path}", span=Span(1, 90), citations=())


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return store_with(
        tmp_path,
        [
            file_unit("shop/session.py"),
            unit("shop/session.py", "renew", "give the user a new session token", start=10, refs=("sign",)),
            unit("shop/session.py", "expire", "old session tokens are dropped", start=20),
            file_unit("shop/sign.py"),
            unit("shop/sign.py", "sign", "cryptographic digest", start=5),
            file_unit("tests/test_session.py"),
            unit("tests/test_session.py", "test_renew", "session token new", role=Role.TEST, refs=("renew",)),
            unit("tests/test_session.py", "test_words", "a new session token for the user", start=30, role=Role.TEST),
            file_unit("lib/a/util.py"),
            file_unit("lib/b/util.py"),
            file_unit("web/paint.py"),
            unit("web/paint.py", "draw", "colours", start=3),
            commit("aa" * 20, "session token renewed at noon", ["shop/session.py", "web/paint.py"], 5.0),
        ],
    )


def gathered(store: SqliteStore, task: str | Task, **options: Any) -> dict[str, Found]:
    made = Gatherer(store, MODEL)
    found = made.gather(understand(task) if isinstance(task, str) else task, **options)
    return {each.unit.name or each.unit.path or each.unit.title: each for each in found}


def test_source_comes_before_the_test_that_says_the_same_words(store: SqliteStore) -> None:
    found = gathered(store, "a new session token for the user")
    assert found["renew"].features.keyword > found["test_words"].features.keyword
    about_tests = gathered(store, understand("a new session token for the user", type="test"))
    assert about_tests["test_words"].features.keyword > found["test_words"].features.keyword


def test_a_neighbour_comes_along_with_its_distance(store: SqliteStore) -> None:
    found = gathered(store, "a new session token for the user")
    assert found["sign"].features.depth == 2
    assert 0 < found["sign"].features.keyword < found["renew"].features.keyword
    alone = gathered(store, "a new session token for the user", imports=False)
    assert "sign" not in alone or alone["sign"].features.depth is None


def test_what_the_task_names_is_explicit(store: SqliteStore) -> None:
    found = gathered(store, "`expire` in web/paint.py is wrong")
    assert found["expire"].features.explicit
    assert found["web/paint.py"].features.explicit


def test_a_name_means_the_source_and_the_test_called_like_it_only_where_tests_are_asked_for(tmp_path: Path) -> None:
    own = unit("shop/session.py", "expire", "old session tokens are dropped", id="c:own")
    test = unit("tests/session.py", "expire", "session tokens are dropped", id="c:test", role=Role.TEST)
    alone = unit("tests/session.py", "expire_twice", "dropped twice", start=40, id="c:alone", role=Role.TEST)
    store = store_with(tmp_path, [own, test, alone])

    def named(task: Task) -> set[str]:
        return {each.unit.id for each in Gatherer(store, MODEL).gather(task) if each.features.explicit}

    assert named(understand("`expire` and `expire_twice` are wrong")) == {"c:own", "c:alone"}
    assert named(understand("`expire` is wrong", type="test")) == {"c:own", "c:test"}


def test_a_frame_is_found_by_its_function_then_by_its_line(store: SqliteStore) -> None:
    trace = (
        'Traceback (most recent call last):\n  File "/srv/app/shop/session.py", line 77, in renew\n    x()\nKeyError: 1'
    )
    assert gathered(store, trace)["renew"].features.explicit
    by_line = (
        'Traceback (most recent call last):\n  File "/srv/shop/session.py", line 20, in <lambda>\n    x()\nKeyError: 1'
    )
    assert gathered(store, by_line)["expire"].features.explicit


def test_a_path_that_fits_several_files_names_them_all_and_an_unknown_one_none(store: SqliteStore) -> None:
    found = gathered(store, Task("x", terms={"util": 1.0}, paths=("util.py", "nowhere/else.py", "./lib\\a\\util.py")))
    assert found["lib/a/util.py"].features.explicit
    assert found["lib/b/util.py"].features.explicit


def test_past_changes_in_the_same_words_lift_their_files(store: SqliteStore) -> None:
    found = gathered(store, "renewed at noon")
    assert found["web/paint.py"].features.changes > 0


def test_sources_can_be_left_out(store: SqliteStore) -> None:
    found = gathered(store, "session token", sources=["commits", "nothing"])
    assert {each.unit.source for each in found.values()} == {"commits"}


def test_an_empty_index_has_no_candidates(tmp_path: Path) -> None:
    assert Gatherer(SqliteStore(tmp_path), None).gather(understand("anything")) == []
