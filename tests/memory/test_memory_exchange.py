"""Everything remembered goes out as JSON lines and comes back equal; broken lines are named and cost nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from remembered import entry, opened

from haversack.errors import UsageError
from haversack.memory.exchange import PROBLEMS_KEPT, export_lines, import_from
from haversack.memory.imports import journals
from haversack.memory.nouns import Memory, Reward
from haversack.memory.store import MemoryStore
from haversack.model import Citation


def fill(store: MemoryStore) -> None:
    store.add(Memory("The API listens on port 8080", paths=("a.py",), session="s", speaker="Ann", subject="port"))
    cited = (
        Citation.of_commit("1a2b3c4"),
        Citation.of_file("a.py"),
        Citation("file", "a.py", 3, 9),
        Citation.of_symbol("a.py#f", "f", "a.py"),
        Citation.of_snapshot("t1"),
        Citation.of_log("ci/1"),
    )
    store.add(Memory("The API listens on port 9090", importance=1.0, citations=cited, extra={"more": {"x": [1, None]}}))
    store.add(Memory("half a pair \ud83d", category="event", scope="task", within="T-1", tags=("a", "b")))
    store.put_experience(entry(1, unknown={"kept": True}, surprise=None))
    store.put_experience(entry(2))
    store.add_reward(Reward("p1", 0.25, ("a",), ("a",), "task", 12.5))


def test_an_export_taken_in_elsewhere_is_exported_equal(tmp_path: Path) -> None:
    with opened(tmp_path / "a") as one, opened(tmp_path / "b") as other:
        fill(one)
        out = tmp_path / "out.jsonl"
        out.write_text("".join(f"{line}\n" for line in export_lines(one)), encoding="utf-8")
        done = import_from(other, out)
        assert dict(done.added) == {"memory": 3, "experience": 2, "reward": 1}
        assert done.problems == []
        assert list(export_lines(other)) == list(export_lines(one))
        assert [replace(each, number=0) for each in other.memories(status=None)] == [
            replace(each, number=0) for each in one.memories(status=None)
        ]
        again = import_from(other, out)
        assert dict(again.known) == {"memory": 3, "experience": 2, "reward": 1}
        assert again.added.total() + again.changed.total() == 0


def test_journal_entries_are_exported_as_they_came(tmp_path: Path) -> None:
    lines = [json.dumps(entry(number, odd=[number, "ä"]), ensure_ascii=False) for number in range(1, 5)]
    journal = tmp_path / "session_entries.jsonl"
    journal.write_text("\n".join(lines), encoding="utf-8")
    with opened(tmp_path / "a") as store:
        assert import_from(store, journal).added["experience"] == 4
        assert list(export_lines(store, kind="experience")) == lines
        assert list(export_lines(store, kind="reward")) == []
        with pytest.raises(UsageError, match="unknown kind"):
            list(export_lines(store, kind="dreams"))


def test_broken_lines_are_named_and_the_rest_is_taken_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journals, "LONGEST_LINE", 4_000)
    journal = tmp_path / "journal.jsonl"
    lines = [
        json.dumps(entry(1)),
        "{broken",
        "[1, 2]",
        "",
        '{"kind": "memory", "category": "rumour", "text": "x"}',
        '{"kind": "memory"}',
        '{"kind": "reward", "packet": "p", "reward": 9}',
        json.dumps({"note": "x" * 9_000}),
        '{"hello": 1}',
        "\ufeff" + json.dumps(entry(2)),
        '{"kind": "memory", "text": "x", "citations": [{"kind": "rune"}]}',
        json.dumps(entry(3))[:-20],
    ]
    journal.write_bytes("\n".join(lines).encode())
    with opened(tmp_path / "a") as store:
        done = import_from(store, journal)
        assert dict(done.added) == {"experience": 2}
        assert [problem.where.rpartition(":")[2] for problem in done.problems] == [
            "2",
            "3",
            "5",
            "6",
            "7",
            "8",
            "11",
            "12",
        ]
        assert "ends in the middle" in done.problems[-1].what
        assert dict(done.skipped) == {"a record with hello": 1}


def test_very_many_problems_are_counted(tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    journal.write_text("{\n" * (PROBLEMS_KEPT + 7))
    with opened(tmp_path / "a") as store:
        done = import_from(store, journal)
        assert (len(done.problems), done.more_problems) == (PROBLEMS_KEPT, 7)


def test_a_journal_folder_is_read_from_the_archive_to_the_one_under_way(tmp_path: Path) -> None:
    folder = tmp_path / "journal"
    (folder / "archive").mkdir(parents=True)
    under_way = {key: value for key, value in entry(3).items() if key not in ("outcome", "confidence_tier")}
    (folder / "archive" / "2025.jsonl").write_text(json.dumps(entry(1)))
    (folder / "session_entries.jsonl").write_text(json.dumps(entry(2)))
    (folder / "current_ghap.json").write_text(json.dumps(under_way))
    with opened(tmp_path / "a") as store:
        import_from(store, folder)
        assert [each.status for each in store.experiences()] == ["falsified", "falsified", "active"]
        (folder / "session_entries.jsonl").write_text(json.dumps(entry(3)))
        assert import_from(store, folder).changed["experience"] == 1
        assert store.experiences()[-1].status == "falsified"


def test_words_a_journal_made_up_are_kept_and_named(tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    journal.write_text(json.dumps(entry(1, domain="gardening")))
    with opened(tmp_path / "a") as store:
        done = import_from(store, journal)
        assert "unknown domain 'gardening'" in done.problems[0].what
        assert store.experiences()[0].record == entry(1, domain="gardening")


def test_of_two_states_of_a_memory_the_one_changed_last_stays(tmp_path: Path) -> None:
    line = {"kind": "memory", "id": "m1", "text": "old", "updated_at": "2026-01-01T00:00:00Z"}
    path = tmp_path / "m.jsonl"
    with opened(tmp_path / "a") as store:
        for text, when in (("old", "2026-01-01"), ("new", "2026-02-01"), ("older", "2025-01-01")):
            path.write_text(json.dumps(line | {"text": text, "updated_at": f"{when}T00:00:00Z"}))
            import_from(store, path)
        assert store.get("m1").text == "new"


def test_what_others_remembered_is_not_stored_twice(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text(json.dumps([{"content": "Use pnpm, not npm", "category": "preference", "importance": 0.7}, {}]))
    with opened(tmp_path / "a") as store:
        store.add(Memory("use pnpm not npm", category="preference"))
        done = import_from(store, path)
        assert (done.known["memory"], done.skipped["an empty object"]) == (1, 1)
        assert len(store.memories()) == 1


def test_a_record_too_large_is_named(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_text(json.dumps(entry(1, goal="g" * 1_500_000)) + "\n" + json.dumps({"kind": "memory", "text": " "}))
    with opened(tmp_path / "a") as store:
        assert [problem.where for problem in import_from(store, path).problems] == [str(entry(1)["id"]), "memory"]


@pytest.mark.parametrize(("name", "words"), [("gone.jsonl", "cannot be read"), ("empty", "holds nothing to import")])
def test_a_path_that_cannot_be_read_is_named(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "empty").mkdir()
    with opened(tmp_path / "a") as store, pytest.raises(UsageError, match=words):
        import_from(store, tmp_path / name)


def test_json_that_is_damaged_or_too_large_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.json"
    path.write_text("{")
    with opened(tmp_path / "a") as store:
        assert "not valid JSON" in import_from(store, path).problems[0].what
        monkeypatch.setattr(journals, "LARGEST_JSON", 0)
        with pytest.raises(UsageError, match="larger than"):
            import_from(store, path)
