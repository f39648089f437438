"""The ledger: per session, what was given, until it is reset or old."""

from __future__ import annotations

from pathlib import Path

import pytest

from haversack.errors import StoreError
from haversack.index.ledger import DATABASE, DAY, Given, History, Ledger, digest_of
from haversack.model import Level


def given(unit: str, number: int = 1, text: str = "text") -> Given:
    return Given(unit, Level.FULL, digest_of(text), number)


def test_a_session_has_what_it_was_given_and_no_other_has(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.give("a", [given("u1", 1), given("u2", 2)])
    assert ledger.history("a") == History({"u1": given("u1", 1), "u2": given("u2", 2)}, 2)
    assert ledger.history("b") == History()
    ledger.close()
    again = Ledger(tmp_path)
    assert set(again.history("a").items) == {"u1", "u2"}
    again.close()


def test_a_unit_given_again_takes_the_place_of_what_was_given(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.give("a", [given("u1", 1, "old")])
    ledger.give("a", [given("u1", 2, "new")])
    assert ledger.history("a").items == {"u1": given("u1", 2, "new")}
    ledger.close()


def test_a_reset_forgets_what_was_given_and_handles_go_on_counting(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.give("a", [given("u1", 7)])
    assert ledger.first_time("a", "failed x")
    ledger.reset("a")
    assert ledger.history("a") == History({}, 7)
    assert ledger.first_time("a", "failed x")
    ledger.close()


def test_what_happened_once_in_a_session_is_not_the_first_time_again(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    assert [ledger.first_time("a", "x"), ledger.first_time("a", "x"), ledger.first_time("b", "x")] == [
        True, False, True,
    ]  # fmt: skip
    ledger.close()


def test_sessions_nobody_came_back_to_are_dropped(tmp_path: Path) -> None:
    now = [1_000_000.0]
    ledger = Ledger(tmp_path, clock=lambda: now[0])
    ledger.give("old", [given("u1")])
    now[0] += 31 * DAY
    ledger.give("new", [given("u1")])
    assert ledger.history("old") == History()
    assert ledger.history("new").items
    ledger.close()


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"no database, " * 100)
    with pytest.raises(StoreError, match=DATABASE):
        Ledger(tmp_path)


def test_a_ledger_that_cannot_be_written_is_named_and_keeps_what_it_has(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.give("a", [given("u1")])
    ledger._db.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreError, match="cannot be used"):
        ledger.give("a", [given("u2")])
    assert set(ledger.history("a").items) == {"u1"}
    ledger.close()
    with pytest.raises(StoreError):
        ledger.history("a")
