"""Only new lines are read, whatever else happens to the file; and looking costs a few stats."""

from __future__ import annotations

import builtins
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest
from tests.sources.conversation.talk import Talk, claude, jsonl

from haversack.project import find_project
from haversack.sources.conversation import ConversationSource, transcript
from haversack.sources.conversation.lines import Line, read_lines


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    return Talk.at(tmp_path)


def append(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


@pytest.fixture
def lines_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the lines that were read."""
    seen: list[int] = []

    def counted(file: BinaryIO, offset: int = 0, breaks: int = 0, **more: int) -> Iterator[Line]:
        for line in read_lines(file, offset, breaks, **more):
            seen.append(line.number)
            yield line

    monkeypatch.setattr(transcript, "read_lines", counted)
    return seen


def test_only_new_lines_are_read_the_next_time(talk: Talk, lines_read: list[int]) -> None:
    path = talk.claude_file()
    path.write_text(claude(talk.root, [("user", f"Message {number}.") for number in range(100)]))
    talk.refresh()
    assert lines_read == list(range(1, 101))
    lines_read.clear()
    talk.refresh()
    assert lines_read == []
    append(path, claude(talk.root, [("assistant", "New.")], start=100, parent="u99"))
    talk.refresh()
    assert lines_read == [101]
    assert talk.messages[-1] == "assistant: New."
    assert len(talk.messages) == 101
    assert [len(units) for key, units in sorted(talk.units.items()) if "#" in key] == [40, 40, 21]
    assert str(talk.all[-1].citations[0]).endswith(":101-101")


def test_a_line_that_is_being_written_is_read_when_it_is_whole(talk: Talk) -> None:
    path = talk.claude_file()
    text = claude(talk.root, [("user", "One."), ("assistant", "Two.")])
    for cut in range(len(text) // 2, len(text), 7):
        path.write_text(text[:cut])
        talk.refresh()
        assert not talk.trouble
    path.write_text(text)
    assert talk.refresh().messages == ["user: One.", "assistant: Two."]


def test_a_file_that_grows_by_pieces_is_what_it_is_at_once(talk: Talk, tmp_path: Path) -> None:
    said = [
        ("user", "Use 24h token expiry."),
        ("assistant", "Ok."),
        ("user", "Use 12h token expiry."),
        ("assistant", "Ok."),
    ]
    text = claude(talk.root, said)
    path = talk.claude_file()
    path.write_text("")
    for start in range(0, len(text), 97):
        append(path, text[start : start + 97])
        talk.refresh()
    fresh = Talk(talk.root, talk.home).refresh()
    assert talk.all == fresh.all
    assert {key: units for key, units in talk.units.items() if units} == {key: u for key, u in fresh.units.items() if u}
    assert [unit.status for unit in talk.of("decision")] == ["superseded", "live"]


def test_going_back_behind_what_was_read_reads_it_all_again(talk: Talk) -> None:
    path = talk.claude_file()
    path.write_text(claude(talk.root, [("user", "Hello."), ("assistant", "Hi."), ("user", "Use tabs.")]))
    talk.refresh()
    assert len(talk.of("decision")) == 1
    append(path, claude(talk.root, [("user", "Use spaces.")], start=3, parent="u1"))
    assert talk.refresh().messages == ["user: Hello.", "assistant: Hi.", "user: Use spaces."]
    assert [unit.text.partition("] ")[2] for unit in talk.of("decision")] == ["user: Use spaces."]
    talk.refresh()
    assert not [key for key, stamp in talk.known.items() if stamp == "-"]


@pytest.mark.parametrize("longer", [False, True])
def test_a_file_that_was_written_anew_is_read_anew(talk: Talk, longer: bool) -> None:
    path = talk.claude_file()
    path.write_text(claude(talk.root, [("user", f"Old {number}.") for number in range(90)]))
    talk.refresh()
    path.write_text(claude(talk.root, [("user", f"New {number}.") for number in range(200 if longer else 3)]))
    assert talk.refresh().messages == [f"user: New {number}." for number in range(200 if longer else 3)]


def test_what_is_gone_goes_and_what_it_replaced_holds_again(talk: Talk) -> None:
    first, second = talk.claude_file("a.jsonl"), talk.claude_file("b.jsonl")
    first.write_text(claude(talk.root, [("user", "Use 24h token expiry.")]))
    second.write_text(claude(talk.root, [("user", "Use 12h token expiry.")], start=5))
    talk.refresh()
    old, new = talk.of("decision")
    assert (old.status, new.status) == ("superseded", "live")
    assert old.meta["superseded_by"] == new.id
    assert new.meta["supersedes"] == (old.id,)
    second.unlink()
    talk.refresh()
    (only,) = talk.of("decision")
    assert (only.id, only.status) == (old.id, "live")
    assert talk.messages == ["user: Use 24h token expiry."]


def test_nothing_is_opened_when_nothing_changed(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    path = talk.claude_file()
    path.write_text(claude(talk.root, [("user", "Hello.")]))
    other = talk.write(
        ".codex/sessions/2026/11/01/rollout-x.jsonl", jsonl({"type": "session_meta", "payload": {"cwd": "/elsewhere"}})
    )
    for folder in (path.parent, other.parent, *other.parent.parents[:3]):
        os.utime(folder, (1_700_000_000, 1_700_000_000))
    talk.refresh()

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a file was opened")

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(builtins, "open", refuse)
    changes = ConversationSource(home=str(talk.home)).discover(find_project(talk.root), talk.known)
    assert (changes.changed, changes.gone) == ((), ())


def test_a_new_session_in_a_known_folder_is_found(talk: Talk) -> None:
    path = talk.claude_file("a.jsonl")
    path.write_text(claude(talk.root, [("user", "One.")]))
    os.utime(path.parent, (1_700_000_000, 1_700_000_000))
    talk.refresh()
    talk.claude_file("b.jsonl").write_text(claude(talk.root, [("user", "Two.")], start=1))
    assert talk.refresh().messages == ["user: One.", "user: Two."]


def test_no_transcripts_at_all(talk: Talk) -> None:
    talk.refresh()
    assert (talk.changes.changed, talk.changes.gone, talk.readings) == ((), (), [])


def test_agents_can_be_left_out(talk: Talk) -> None:
    talk.claude_file().write_text(claude(talk.root, [("user", "Hello.")]))
    source = ConversationSource(agents=("codex", "opencode"), home=str(talk.home))
    assert source.discover(find_project(talk.root), {}).changed == ()


def test_a_transcript_nobody_can_place_yet_is_looked_at_again(talk: Talk) -> None:
    path = talk.claude_file()
    path.write_text(jsonl({"type": "summary", "summary": "x"}))
    assert talk.refresh().messages == []
    append(path, claude(talk.root, [("user", "Hello.")]))
    assert talk.refresh().messages == ["user: Hello."]


def test_marks_of_another_version_are_read_anew(talk: Talk) -> None:
    path = talk.claude_file()
    path.write_text(claude(talk.root, [("user", "Hello.")]))
    talk.refresh()
    key = f"claude:{path}"
    talk.known[key] = "not a mark"
    assert talk.refresh().messages == ["user: Hello."]
    talk.known[key] = talk.known[key].replace(",1]", ",0]")
    assert talk.refresh().messages == ["user: Hello."]


def test_lines_keep_their_numbers_and_offsets(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"one\n\nthree\nfour")
    with path.open("rb") as file:
        assert list(read_lines(file)) == [
            Line(1, 4, b"one"), Line(2, 5, b""), Line(3, 11, b"three"), Line(4, 15, b"four", complete=False),
        ]  # fmt: skip
        file.seek(5)
        assert [line.number for line in read_lines(file, 5, 2)] == [3, 4]
        file.seek(0)
        assert [line.body for line in read_lines(file, longest=4)] == [b"one", b"", None, b"four"]
