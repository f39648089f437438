"""Levels are kept by content, for a while, within bounds; a database that fails is no reason to fail."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from haversack.index import level_cache
from haversack.index.level_cache import DATABASE, LevelCache, Made


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def made(key: str, unit: str = "u", content: str = "c", body: bytes = b"levels") -> Made:
    return Made(key.encode(), unit, content.encode(), body)


def keys(folder: Path) -> set[bytes]:
    with sqlite3.connect(folder / DATABASE) as database:
        found = {bytes(key) for (key,) in database.execute("SELECT key FROM level")}
    database.close()
    return found


def test_another_process_finds_what_was_kept(tmp_path: Path) -> None:
    first = LevelCache(tmp_path, max_age_hours=1)
    first.put([made("a"), made("b", unit="v", body=b"other")])
    first.close()
    second = LevelCache(tmp_path, max_age_hours=1)
    assert second.get([b"a", b"b", b"c"]) == {b"a": b"levels", b"b": b"other"}
    assert second.get([]) == {}
    second.close()


def test_what_is_in_memory_needs_no_database(tmp_path: Path) -> None:
    cache = LevelCache(tmp_path, max_age_hours=1)
    cache.put([made("a")])
    cache.close()
    (tmp_path / DATABASE).unlink()
    assert cache.get([b"a"]) == {b"a": b"levels"}
    cache.close()


def test_levels_age(tmp_path: Path) -> None:
    clock = Clock()
    cache = LevelCache(tmp_path, max_age_hours=2, clock=clock)
    cache.put([made("a")])
    clock.now += 7_000
    assert cache.get([b"a"])
    clock.now += 200
    assert not cache.get([b"a"])
    cache.put([made("b", unit="v")])
    cache.close()
    assert keys(tmp_path) == {b"b"}


@pytest.mark.parametrize(("drop", "left"), [(True, {b"new", b"same"}), (False, {b"old", b"new", b"same"})])
def test_levels_of_other_content_of_a_unit_go_unless_they_are_to_stay(
    tmp_path: Path, drop: bool, left: set[bytes]
) -> None:
    cache = LevelCache(tmp_path, max_age_hours=1, drop_changed=drop)
    cache.put([made("old", content="1")])
    cache.put([made("new", content="2"), made("same", content="2")])
    cache.close()
    assert keys(tmp_path) == left


def test_the_oldest_rows_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(level_cache, "KEEP_IN_MEMORY", 2)
    cache = LevelCache(tmp_path, max_age_hours=1, rows=3)
    for name in "abcde":
        cache.put([made(name, unit=name)])
    assert cache.get([b"a", b"c", b"e"]) == {b"c": b"levels", b"e": b"levels"}
    cache.close()
    assert keys(tmp_path) == {b"c", b"d", b"e"}


def test_a_body_that_is_too_large_is_not_kept(tmp_path: Path) -> None:
    cache = LevelCache(tmp_path, max_age_hours=1)
    cache.put([made("a", body=b"x" * (level_cache.LARGEST_BODY + 1))])
    assert not cache.get([b"a"])
    cache.close()


def test_a_damaged_database_is_used_no_more_and_made_anew_by_the_next(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"this is no database, whatever its name says\n" * 50)
    cache = LevelCache(tmp_path, max_age_hours=1)
    assert cache.get([b"a"]) == {}
    cache.put([made("a")])
    assert cache.get([b"a"]) == {b"a": b"levels"}
    cache.close()
    following = LevelCache(tmp_path, max_age_hours=1)
    following.put([made("b")])
    following.close()
    assert keys(tmp_path) == {b"b"}


def test_a_folder_that_cannot_be_made_means_memory_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = LevelCache(tmp_path / "file", max_age_hours=1)
    cache.put([made("a")])
    assert cache.get([b"a", b"b"]) == {b"a": b"levels"}
    cache.close()


def test_a_database_that_somebody_else_holds_is_not_waited_for(tmp_path: Path) -> None:
    first = LevelCache(tmp_path, max_age_hours=1)
    first.put([made("a")])
    other = sqlite3.connect(tmp_path / DATABASE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    first.put([made("b", unit="v")])
    assert first.get([b"b"]) == {b"b": b"levels"}
    other.execute("ROLLBACK")
    other.close()
    first.close()
    assert keys(tmp_path) == {b"a"}


def test_a_query_that_fails_finds_nothing(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / DATABASE) as database:
        database.execute("CREATE TABLE level (key, unit, made, number)")
    database.close()
    cache = LevelCache(tmp_path, max_age_hours=1)
    assert cache.get([b"a"]) == {}
    cache.close()
