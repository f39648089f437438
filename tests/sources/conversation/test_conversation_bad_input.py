"""Whatever is in a transcript: it is named, the rest is read, time and memory stay bounded."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from tests.sources.conversation.talk import Talk, claude, jsonl
from tests.sources.conversation.test_conversation_formats import codex, opencode

from haversack.project import find_project
from haversack.sources.conversation import ConversationSource
from haversack.sources.conversation.lines import BLOCK, LONGEST_LINE
from haversack.sources.zstd import zstd

MEGABYTE = 1 << 20


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    return Talk.at(tmp_path)


@pytest.mark.parametrize(
    "damage",
    [
        '{"type": "user", "mess\n', "null\n", "[1, 2]\n", "\x00\x01\xff\n", "[" * 100_000 + "\n", '{"a": "\\ud800"\n',
        '{"type": 5, "message": []}}\n',
    ],
)  # fmt: skip
def test_a_damaged_line_is_named_and_the_rest_is_read(talk: Talk, damage: str) -> None:
    before, after = (
        claude(talk.root, [("user", "Before.")]),
        claude(talk.root, [("user", "After.")], start=1, parent="u0"),
    )
    path = talk.claude_file()
    path.write_bytes(before.encode() + damage.encode("latin-1") + after.encode())
    talk.refresh()
    assert talk.messages == ["user: Before.", "user: After."]
    assert talk.trouble == f"{path}: line 2 is no JSON and left out (the rest of it is read)"


def test_many_damaged_lines_are_counted(talk: Talk) -> None:
    talk.claude_file().write_text(claude(talk.root, [("user", "Hello.")]) + "{\n" * 9)
    assert "lines 2, 3, 4 and 6 more are no JSON" in talk.refresh().trouble


@pytest.mark.parametrize(
    "record",
    [
        {"type": "user"},
        {"type": "user", "message": "text"},
        {"type": "user", "message": {"content": {"text": "no"}}},
        {"type": "user", "message": {"content": [None, 3, {"type": "text"}, {"type": "text", "text": 4}]}},
        {"type": "assistant", "message": {"content": []}, "timestamp": {"a": 1}, "uuid": 7, "parentUuid": []},
        {"type": "hologram", "data": 1},
        {},
    ],
)
def test_records_of_any_shape_are_passed_over(talk: Talk, record: dict[str, object]) -> None:
    talk.claude_file().write_text(claude(talk.root, [("user", "Hello.")]) + jsonl({**record, "cwd": str(talk.root)}))
    assert talk.refresh().messages == ["user: Hello."]
    assert not talk.trouble


def test_unknown_records_are_counted_and_named_only_when_there_is_nothing_else(talk: Talk) -> None:
    talk.claude_file("a.jsonl").write_text(
        claude(talk.root, [("user", "Hello.")]) + jsonl({"type": "new"}, {"type": "newer"})
    )
    talk.refresh()
    (mark,) = [json.loads(stamp) for key, stamp in talk.known.items() if key.endswith("a.jsonl")]
    assert mark[8] == 2
    assert not talk.trouble
    talk = Talk.at(talk.root.parent, "all.jsonl")
    (talk.root / "all.jsonl").write_text(jsonl({"type": "new"}, {"type": "newer"}))
    assert "none of its 2 records is of a known kind (new, newer)" in talk.refresh().trouble


def test_a_line_of_a_gigabyte_takes_no_memory(talk: Talk) -> None:
    # A file with a hole: a gigabyte to read, a few blocks on disk.
    path = talk.claude_file()
    path.write_text(claude(talk.root, [("user", "Before.")]))
    with path.open("r+b") as file:
        file.seek(0, os.SEEK_END)
        file.truncate(file.tell() + (1 << 30))
        file.seek(0, os.SEEK_END)
        file.write(b"\n" + claude(talk.root, [("user", "After.")], start=1, parent="u0").encode())
    tracemalloc.start()
    talk.refresh()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert talk.messages == ["user: Before.", "user: After."]
    assert "line 2 is too long to be a message and left out" in talk.trouble
    assert peak < LONGEST_LINE + 16 * BLOCK


def test_a_torn_line_of_a_gigabyte_is_left_for_later(talk: Talk) -> None:
    path = talk.claude_file()
    path.write_text(claude(talk.root, [("user", "Before.")]))
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size + 64 * MEGABYTE)
    assert talk.refresh().messages == ["user: Before."]


@pytest.mark.parametrize("cut", [4, 40, -3])
def test_a_damaged_packed_session_is_named(talk: Talk, cut: int) -> None:
    packed = zstd.compress(codex(talk.root).encode() * 50)
    path = talk.write(".codex/sessions/2026/11/01/rollout-c.jsonl.zst", packed[:cut])
    talk.refresh()
    assert str(path) in talk.trouble


def test_a_packed_line_without_end_is_bounded(talk: Talk) -> None:
    packed = zstd.compress(codex(talk.root).encode() + b"x" * (64 * MEGABYTE))
    talk.write(".codex/sessions/2026/11/01/rollout-c.jsonl.zst", packed)
    tracemalloc.start()
    talk.refresh()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(talk.messages) == 3
    assert peak < LONGEST_LINE + 16 * BLOCK


def test_a_locked_database_is_named_and_what_is_known_of_it_stays(talk: Talk) -> None:
    path = talk.home / ".local/share/opencode/opencode.db"
    db = opencode(path, talk.root)
    talk.refresh()
    assert len(talk.messages) == 2
    db.isolation_level = None
    db.execute("BEGIN EXCLUSIVE")
    db.execute("UPDATE session SET time_updated = 99")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    talk.refresh()
    assert "cannot be read now: database is locked" in talk.trouble
    assert len(talk.messages) == 2
    db.execute("COMMIT")
    db.close()
    assert talk.refresh().trouble == ""
    assert len(talk.messages) == 2


def test_a_database_in_use_is_read_beside_its_writer(talk: Talk) -> None:
    path = talk.home / ".local/share/opencode/opencode.db"
    db = opencode(path, talk.root)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("UPDATE session SET title = 'open'")
    db.commit()
    before = sorted(path.parent.iterdir())
    assert len(talk.refresh().messages) == 2
    assert sorted(path.parent.iterdir()) == before
    db.close()
    assert not Path(f"{path}-wal").exists()
    assert len(Talk(talk.root, talk.home).refresh().messages) == 2
    assert [each.name for each in path.parent.iterdir()] == ["opencode.db"], "nothing is written beside it"


def test_a_file_that_is_no_database_is_named(talk: Talk) -> None:
    talk.write(".local/share/opencode/opencode.db", b"SQLite format 3\0" + b"garbage" * 1000)
    assert "no sound database" in talk.refresh().trouble


def test_a_session_without_messages_table_is_named(talk: Talk) -> None:
    path = talk.home / ".local/share/opencode/opencode.db"
    path.parent.mkdir(parents=True)
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE session (id TEXT, directory TEXT)")
        db.execute("INSERT INTO session VALUES ('s', ?)", (str(talk.root),))
    db.close()
    assert "no such table" in talk.refresh().trouble


def test_a_transcript_that_cannot_be_opened_is_named(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    path = talk.claude_file()
    path.write_text(claude(talk.root, [("user", "Hello.")]))
    plain = os.open

    def refuse(name: str, *more: int, **others: int) -> int:
        if str(name).endswith(".jsonl"):
            raise PermissionError(13, "Permission denied", name)
        return plain(name, *more, **others)

    monkeypatch.setattr(os, "open", refuse)
    assert "cannot be read: Permission denied" in talk.refresh().trouble


def test_other_line_ends_and_a_file_that_is_empty(talk: Talk) -> None:
    talk.claude_file("a.jsonl").write_text(claude(talk.root, [("user", "Hello.")]).replace("\n", "\r\n"))
    talk.claude_file("b.jsonl").write_text("")
    talk.claude_file("c.jsonl").mkdir()
    assert talk.refresh().messages == ["user: Hello."]


def test_a_writer_at_work_never_tears_a_message(talk: Talk) -> None:
    path = talk.claude_file()
    code = (
        "import sys\n"
        "text = open(sys.argv[2]).read()\n"
        "with open(sys.argv[1], 'a') as file:\n"
        "    for at in range(0, len(text), 173):\n"
        "        file.write(text[at:at + 173]); file.flush()\n"
    )
    said = [("user" if n % 2 == 0 else "assistant", f"Message {n} " + "word " * 20) for n in range(400)]
    whole = talk.root.parent / "whole"
    whole.write_text(claude(talk.root, said))
    path.touch()
    writer = subprocess.Popen([sys.executable, "-c", code, str(path), str(whole)])
    while writer.poll() is None:
        talk.refresh()
        assert not talk.trouble
    talk.refresh()
    assert [message.split()[2] for message in talk.messages] == [str(n) for n in range(400)]


def test_reading_without_having_looked_is_reading_from_the_beginning(talk: Talk) -> None:
    talk.claude_file().write_text(claude(talk.root, [("user", "Hello.")]))
    source, project = ConversationSource(home=str(talk.home)), find_project(talk.root)
    changed = source.discover(project, {}).changed
    other = ConversationSource(home=str(talk.home))
    assert [unit.title for reading in other.read(project, changed) for unit in reading.units] == ["Hello."]
    assert list(other.read(project, ())) == []


def test_a_link_in_the_project_is_no_way_to_other_projects_transcripts(tmp_path: Path) -> None:
    talk = Talk.at(tmp_path)
    other = tmp_path / "other"
    secret = talk.claude_file("t.jsonl", other)
    secret.write_text(claude(other, [("user", "The merger is on Friday.")]))
    folder = talk.root / ".specstory" / "history"
    folder.mkdir(parents=True)
    (folder / "2026-11-01_09-20Z-login.md").symlink_to(secret)
    (talk.root / ".aider.chat.history.md").symlink_to(secret)
    talk.refresh()
    assert talk.all == []
    assert all("which no source declares" in said for each in talk.problems.values() for said in each)
