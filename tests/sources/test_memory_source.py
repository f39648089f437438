"""What is remembered is mirrored into the index: only changed pages are read, and nothing that no longer holds."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.sample import make

from haversack import Haversack
from haversack.memory.nouns import Memory, Value
from haversack.memory.store import MemoryStore
from haversack.model import Citation
from haversack.project import Project, find_project
from haversack.sources.memory import ExperiencesSource, MemoriesSource, ValuesSource
from haversack.sources.memory.units import memory_unit, value_unit

JOURNAL = {
    "id": "ghap_20260101_120000_abc001",
    "session_id": "s1",
    "created_at": "2026-01-01T12:00:00Z",
    "domain": "debugging",
    "strategy": "read-the-error",
    "goal": "Stop the worker from crashing",
    "hypothesis": "The queue is closed too early",
    "action": "Keep the queue open",
    "prediction": "No more crashes",
    "outcome": {"status": "falsified", "result": "Still crashes", "captured_at": "2026-01-01T13:00:00Z"},
    "surprise": "The database driver crashes",
    "root_cause": {"category": "wrong-assumption", "description": "The queue was never closed"},
    "confidence_tier": "gold",
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "project").mkdir()
    return find_project(tmp_path / "project")


def known_after(source: MemoriesSource, project: Project, known: dict[str, str]) -> tuple[dict[str, str], int]:
    """What is known after the changes are read, and how many pages that took."""
    changes = source.discover(project, known)
    read = list(source.read(project, changes.changed))
    kept = {key: stamp for key, stamp in known.items() if key not in changes.gone}
    return kept | {item.key: item.fingerprint for item in changes.changed}, sum(bool(each.units) for each in read)


def test_nothing_is_read_where_nothing_was_remembered(tmp_path: Path, project: Project) -> None:
    for source in (MemoriesSource(str(tmp_path)), ExperiencesSource(str(tmp_path)), ValuesSource()):
        changes = source.discover(project, {"memory:000000": "x"})
        assert (changes.changed, changes.gone) == ((), ("memory:000000",))
        assert (source.threshold, source.compressors()) == (0.3, {})
    assert not (tmp_path / "memory.sqlite").exists()


def test_only_changed_pages_are_read(tmp_path: Path, project: Project) -> None:
    source = MemoriesSource(str(tmp_path))
    store = MemoryStore(tmp_path)
    store.add_many([Memory(f"note {number}") for number in range(200)], merge=False)
    known, pages = known_after(source, project, {})
    assert pages == 4
    assert source.discover(project, known).changed == ()
    store.forget(store.memories()[70].id)
    known, pages = known_after(source, project, known)
    assert pages == 1
    store.close()
    (tmp_path / "memory.sqlite").unlink()
    other = MemoryStore(tmp_path)
    other.add(Memory("another database"))
    other.close()
    known, pages = known_after(source, project, known)
    assert pages == 1
    assert set(known) == {"memory:000000", "memory:HEAD"}


def test_a_database_that_stands_as_it_stood_is_not_opened(
    tmp_path: Path, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = MemoriesSource(str(tmp_path))
    store = MemoryStore(tmp_path)
    store.add(Memory("note one"))
    known, _ = known_after(source, project, {})
    for file in tmp_path.glob("memory.sqlite*"):
        os.utime(file, (1e9, 1e9))  # long at rest
    opened: list[MemoryStore | None] = []
    again = source._open
    monkeypatch.setattr(source, "_open", lambda: opened.append(again()) or opened[-1])
    for _ in range(3):
        assert source.discover(project, known).changed == ()
    assert len(opened) == 1
    store.add(Memory("quite another thing"))
    known, pages = known_after(source, project, known)
    assert pages == 1
    store.add(Memory("and one written a moment later"))
    assert known_after(source, project, known)[1] == 1
    assert source.discover(project, {}).changed != ()
    store.close()


def test_a_memory_cites_its_sources_and_itself() -> None:
    memory = Memory(
        "half a pair \ud83d " + "word " * 60,
        paths=("a.py",),
        symbols=("f",),
        citations=(Citation.of_commit("1a2b3c4"),),
        id="m1",
        speaker="Ann",
    )
    unit = memory_unit(memory)
    assert unit.citations == (Citation.of_log("m1"), Citation.of_commit("1a2b3c4"), Citation.of_file("a.py"))
    assert unit.refs == ("a.py", "f", "speaker:", "speaker:ann")
    assert unit.meta["cited"] is True
    assert unit.title.endswith("…")
    unit.text.encode()
    assert memory_unit(Memory("x", id="m2")).meta["cited"] is False


def test_a_value_cites_the_experiences_behind_it() -> None:
    unit = value_unit(Value("v1", "full", "Look first", 3, 0.1, ("e1", "e2"), ("debugging",), ("ask-user",), 0.8))
    assert unit.citations == (Citation.of_log("e1"), Citation.of_log("e2"))
    assert unit.refs == ("axis:full", "domain:debugging", "strategy:ask-user")


def test_the_index_finds_what_holds_and_nothing_else(tmp_path: Path) -> None:
    make(tmp_path / "project")
    with Haversack(tmp_path / "project", data_dir=tmp_path / "data") as haversack:
        old = haversack.remember("The till listens on port 8080", paths=["shop/cart.py"])
        new = haversack.remember("The till listens on port 9090")
        assert new.superseded == (old.memory.id,)
        found = [hit.unit for hit in haversack.search("till listens on which port") if hit.unit.source == "memories"]
        assert [unit.id for unit in found] == [new.memory.id]
        assert haversack.show(new.memory.id).text == "The till listens on port 9090"
        haversack.memory.put_experience(JOURNAL)
        haversack.memory.put_experience({k: v for k, v in JOURNAL.items() if k != "outcome"} | {"id": "ghap_open"})
        axes = [hit.unit for hit in haversack.search("queue closed crash") if hit.unit.source == "experiences"]
        assert {unit.meta["axis"] for unit in axes} == {"full", "strategy", "surprise", "root_cause"}
        assert {unit.meta["record"] for unit in axes} == {JOURNAL["id"]}
        assert haversack.show(str(JOURNAL["id"])).text.startswith("Goal: Stop the worker")
        items = haversack.pack("why does the worker crash when the queue is closed", budget=4000).items
        assert [item.source for item in items].count("experiences") == 1
        haversack.forget(new.memory.id)
        assert all(hit.unit.source != "memories" for hit in haversack.search("till listens on which port"))


def test_experiences_carry_what_they_are_filtered_by(tmp_path: Path, project: Project) -> None:
    store = MemoryStore(tmp_path)
    store.put_experience(JOURNAL)
    store.close()
    source = ExperiencesSource(str(tmp_path))
    (page, _) = source.read(project, source.discover(project, {}).changed)
    full, *others = page.units
    assert all(unit.parent == full.id for unit in others)
    assert full.refs == ("axis:full", "domain:debugging", "strategy:read-the-error", "outcome:falsified")
    assert (full.meta["confidence"], full.time) == (1.0, 1767272400.0)
    assert source.cite(full) == (Citation.of_log(str(JOURNAL["id"])),)
    assert json.dumps(dict(full.meta))


def test_a_time_filters_memories_not_their_pages(tmp_path: Path) -> None:
    make(tmp_path / "project")
    with Haversack(tmp_path / "project", data_dir=tmp_path / "data") as haversack:
        said = [Memory(f"The till rang at {hour}", category="event", created=hour * 3600.0) for hour in (1, 2, 3)]
        haversack.remember_many(said)
        found = haversack.search("till rang", since=2 * 3600.0)
        assert {hit.unit.text for hit in found if hit.unit.source == "memories"} == {
            "The till rang at 2",
            "The till rang at 3",
        }
