"""The embedded store: atomic, shared between processes, self-healing."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from haversack.errors import StoreBusyError, StoreError, database_hint
from haversack.index import sqlite
from haversack.index.lexical import ask, bm25
from haversack.index.sqlite import DATABASE, SqliteStore
from haversack.index.store import Batch, ItemRow
from haversack.index.units import UnitReader
from haversack.model import Problem
from tests.index.made import commit, store_with, unit, write

A1, A2 = unit("a.py", "alpha", "first things"), unit("a.py", "beta", "second things", start=9)
B1 = unit("b.py", "gamma", "third matter")


def names(store: SqliteStore) -> list[str]:
    snapshot = store.snapshot()
    positions = [p for p in range(len(snapshot.alive)) if snapshot.alive[p]]
    return sorted(u.name or u.title for u in UnitReader(store, snapshot).at(positions))


def test_units_come_back_as_they_went_in(tmp_path: Path) -> None:
    change = commit("ab" * 20, "fix the thing", ["a.py"], 5.0)
    store = store_with(tmp_path, [A1, A2, B1, change])
    snapshot = store.snapshot()
    found = UnitReader(store, snapshot).at(range(4))
    by_id = {u.id: u for u in found}
    assert by_id[change.id] == change
    # The text of a file's unit stays in the file.
    assert by_id[A2.id].text == ""
    assert by_id[A2.id].span == A2.span
    assert by_id[A2.id].citations == A2.citations
    assert [i.key for i in snapshot.items] == ["a.py", "b.py", change.id]


def test_a_changed_item_replaces_its_units_only(tmp_path: Path) -> None:
    store = store_with(tmp_path, [A1, A2, B1])
    write(store, [unit("a.py", "delta", "new things")], stamp="2")
    assert names(store) == ["delta", "gamma"]
    assert store.known("code")["a.py"] == ("2", "2")


def test_a_gone_item_takes_its_units_along(tmp_path: Path) -> None:
    store = store_with(tmp_path, [A1, A2, B1])
    write(store, [], gone=[("code", "a.py"), ("code", "never.py")])
    assert names(store) == ["gamma"]


def test_the_same_item_written_by_two_processes_counts_once(tmp_path: Path) -> None:
    first, second = SqliteStore(tmp_path), SqliteStore(tmp_path)
    write(first, [A1, A2])
    write(second, [A1, A2])
    assert names(first) == names(second) == ["alpha", "beta"]


def test_restamping_changes_the_fingerprint_and_nothing_else(tmp_path: Path) -> None:
    store = store_with(tmp_path, [B1])
    store.write(Batch(restamped=(("code", "b.py", "9"),), meta={"memo": b"x"}))
    assert store.known("code") == {"b.py": ("9", "1")}
    assert store.meta("memo") == b"x"
    assert store.meta("absent") is None
    assert names(store) == ["gamma"]


def test_a_reader_keeps_its_snapshot_while_another_writes(tmp_path: Path) -> None:
    reader, writer = store_with(tmp_path, [A1]), SqliteStore(tmp_path)
    before = reader.snapshot()
    write(writer, [B1])
    assert before.count == 1
    assert reader.snapshot().count == 2
    assert reader.snapshot() is reader.snapshot()


def test_merging_segments_changes_no_answer(tmp_path: Path) -> None:
    batches = [[unit(f"f{n}.py", f"name{n}", f"word{n} shared text")] for n in range(12)]
    store = store_with(tmp_path, *batches)
    write(store, [unit("f3.py", "name3", "word3 again")], stamp="2")
    write(store, [], gone=[("code", "f5.py")])
    query = ask({"shared": 1.0, "word7": 1.0})

    def answer() -> list[tuple[str, float]]:
        snapshot = store.snapshot()
        scores = bm25(snapshot, query)
        return sorted((snapshot.place(p)[0], round(float(scores[p]), 5)) for p in range(len(scores)) if scores[p] > 0)

    before, had = answer(), names(store)
    assert store.compact()
    assert len(store.snapshot().segments) == 1
    assert answer() == before
    assert names(store) == had
    assert not store.compact()
    assert len(list((tmp_path / "segments").glob("*.seg"))) == 1


def test_a_reader_survives_a_merge_by_another_process(tmp_path: Path) -> None:
    batches = [[unit(f"f{n}.py", f"name{n}", "text")] for n in range(12)]
    writer = store_with(tmp_path, *batches)
    reader = SqliteStore(tmp_path)
    old = reader.snapshot()
    writer.compact()
    assert old.count == 12
    assert names(reader) == names(writer)


def test_merging_when_everything_died_leaves_nothing(tmp_path: Path) -> None:
    store = store_with(tmp_path, *[[unit(f"f{n}.py", f"name{n}", "text")] for n in range(10)])
    write(store, [], gone=[("code", f"f{n}.py") for n in range(10)])
    assert store.compact()
    assert names(store) == []
    assert store.snapshot().segments == ()


def test_unreferenced_files_of_a_crash_are_removed_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = store_with(tmp_path, *[[unit(f"f{n}.py", f"n{n}", "text")] for n in range(10)])
    orphan = tmp_path / "segments" / "dead.seg.part"
    orphan.write_bytes(b"x")
    monkeypatch.setattr(sqlite, "ORPHAN_SECONDS", -1.0)
    assert store.compact()
    assert not orphan.exists()
    assert store.snapshot().count == 10


def test_problems_and_skipped_items_are_told(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    broken = ItemRow("code", "x.py", "1", "", skipped="binary", problems=(Problem("x.py", "odd", "look"),))
    store.write(Batch(items=(broken,)))
    assert store.problems() == (Problem("x.py", "odd", "look"),)
    assert store.skipped() == {"binary": ["x.py"]}
    assert store.snapshot().count == 0
    assert "x.py" in store.known("code")


def test_sizes_and_counts(tmp_path: Path) -> None:
    store = store_with(tmp_path, [A1, A2, commit("cd" * 20, "m", [], 1.0)])
    sizes = store.sizes()
    assert (sizes.items, sizes.units, sizes.segments) == (2, 3, 1)
    assert sizes.disk_bytes > 0
    assert store.counts() == {"code": 2, "commits": 1}


def test_a_file_that_is_no_database_is_replaced_and_said_so(tmp_path: Path) -> None:
    store_with(tmp_path, [A1]).close()
    (tmp_path / DATABASE).write_bytes(b"this is not a database at all, not even nearly" * 100)
    for extra in tmp_path.glob(DATABASE + "-*"):
        extra.unlink()
    store = SqliteStore(tmp_path)
    assert "could not be opened" in store.rebuilt_because
    assert store.snapshot().count == 0
    write(store, [A1])
    assert names(store) == ["alpha"]


def test_another_format_is_replaced_and_said_so(tmp_path: Path) -> None:
    store_with(tmp_path, [A1]).close()
    db = sqlite3.connect(tmp_path / DATABASE)
    db.execute("UPDATE meta SET value = 'older' WHERE key = 'format'")
    db.commit()
    db.close()
    store = SqliteStore(tmp_path)
    assert "different index format" in store.rebuilt_because
    assert store.snapshot().count == 0


def test_a_lost_segment_is_found_by_check_and_mended_by_starting_over(tmp_path: Path) -> None:
    store = store_with(tmp_path, [A1])
    assert store.check() == ()
    for path in (tmp_path / "segments").glob("*.seg"):
        path.unlink()
    (problem,) = store.check()
    assert "cannot be read" in problem.what
    again = SqliteStore(tmp_path)
    assert again.snapshot().count == 0
    assert "cannot be read" in again.rebuilt_because
    write(again, [A1])
    assert names(again) == ["alpha"]


def test_pages_that_were_overwritten_are_noticed_and_mended(tmp_path: Path) -> None:
    store = store_with(tmp_path, [A1, A2, B1])
    store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    raw = bytearray((tmp_path / DATABASE).read_bytes())
    raw[4096:] = b"\x55" * (len(raw) - 4096)
    (tmp_path / DATABASE).write_bytes(bytes(raw))
    again = SqliteStore(tmp_path)
    assert again.snapshot().count == 0
    assert again.rebuilt_because
    write(again, [A1])
    assert names(again) == ["alpha"]


def test_a_second_writer_gets_a_clear_error_when_the_first_never_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.05)
    store, other = SqliteStore(tmp_path), sqlite3.connect(tmp_path / DATABASE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusyError, match="another process"):
        write(store, [A1])
    other.execute("ROLLBACK")
    other.close()
    write(store, [A1])
    assert names(store) == ["alpha"]


def test_a_failed_write_leaves_the_old_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = store_with(tmp_path, [A1])

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(SqliteStore, "_put", full)
    with pytest.raises(StoreError, match="disk is full"):
        write(store, [B1])
    monkeypatch.undo()
    assert names(store) == ["alpha"]


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = store_with(tmp_path, [A1])

    def full(*_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sqlite, "write_segment", full)
    with pytest.raises(StoreError, match="the disk is full"):
        write(store, [B1])
    assert names(store) == ["alpha"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot create the index folder"):
        SqliteStore(tmp_path / "file" / "below")


def test_decoded_units_are_dropped_when_there_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "DECODED_ITEMS", 2)
    store = store_with(tmp_path, [unit(f"f{n}.py", f"n{n}", "t") for n in range(5)])
    assert names(store) == ["n0", "n1", "n2", "n3", "n4"]
    assert names(store) == ["n0", "n1", "n2", "n3", "n4"]


def test_an_index_that_cannot_be_opened_is_not_thrown_away(tmp_path: Path) -> None:
    store_with(tmp_path, [A1]).close()
    kept = (tmp_path / DATABASE).rename(tmp_path / "kept")
    (tmp_path / DATABASE).mkdir()
    with pytest.raises(StoreError, match="cannot be opened"):
        SqliteStore(tmp_path)
    (tmp_path / DATABASE).rmdir()
    kept.rename(tmp_path / DATABASE)
    assert names(SqliteStore(tmp_path)) == ["alpha"]


@pytest.mark.parametrize(("name", "hint"), [("SQLITE_FULL", "free some space"), ("SQLITE_CORRUPT", "look at it")])
def test_the_way_out_depends_on_what_failed(name: str, hint: str) -> None:
    error = sqlite3.DatabaseError("no")
    error.sqlite_errorname = name
    assert hint in database_hint(error, "look at it")
