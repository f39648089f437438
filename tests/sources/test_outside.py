"""Outside the project nothing is read but plain files that a source declares."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.sources.conversation.talk import Talk, claude

from haversack.errors import SourceError
from haversack.sources import outside
from haversack.sources.outside import declare, open_declared


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, tuple[str, ...]]:
    (tmp_path / "agent").mkdir()
    (tmp_path / "secret.txt").write_text("never read this")
    return tmp_path, declare(str(tmp_path / "agent"), str(tmp_path / "one.jsonl"))


def read(path: Path, declared: tuple[str, ...]) -> bytes:
    with open_declared(str(path), declared, most_bytes=100) as file:
        return file.read()


def test_declared_files_and_files_in_declared_folders_are_read(places: tuple[Path, tuple[str, ...]]) -> None:
    top, declared = places
    (top / "agent" / "a.jsonl").write_text("a")
    (top / "one.jsonl").write_text("one")
    (top / "agent" / "link.jsonl").symlink_to(top / "one.jsonl")
    assert [read(top / name, declared) for name in ("agent/a.jsonl", "one.jsonl", "agent/link.jsonl")] == [
        b"a", b"one", b"one",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "name", ["secret.txt", "agent/../secret.txt", "agent/out.txt", "agent/folder/secret.txt", "agents"]
)
def test_everything_else_is_refused(places: tuple[Path, tuple[str, ...]], name: str) -> None:
    top, declared = places
    (top / "agent" / "out.txt").symlink_to(top / "secret.txt")
    (top / "agent" / "folder").symlink_to(top)
    (top / "agents").write_text("a name that begins alike")
    with pytest.raises(SourceError, match="which no source declares"):
        read(top / name, declared)


def test_devices_pipes_and_folders_are_refused(places: tuple[Path, tuple[str, ...]]) -> None:
    top, declared = places
    os.mkfifo(top / "agent" / "pipe")
    (top / "agent" / "null").symlink_to(os.devnull)
    for name, why in (("pipe", "not a plain file"), ("", "not a plain file"), ("null", "no source declares")):
        with pytest.raises(SourceError, match=why):
            read(top / "agent" / name, declared)


def test_what_is_too_large_missing_or_loops_is_refused(places: tuple[Path, tuple[str, ...]]) -> None:
    top, declared = places
    (top / "one.jsonl").write_text("x" * 101)
    (top / "agent" / "loop").symlink_to(top / "agent" / "loop")
    for name, why in (
        ("one.jsonl", "101 bytes"),
        ("agent/none", "No such file"),
        ("agent/loop", "symbolic links|link"),
    ):
        with pytest.raises(SourceError, match=why):
            read(top / name, declared)
    with pytest.raises(SourceError, match="NUL"):
        open_declared("a\0b", declared, most_bytes=1)


def test_a_file_swapped_while_it_is_opened_is_refused(
    places: tuple[Path, tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    top, declared = places
    path = top / "agent" / "a.jsonl"
    path.write_text("a")
    plain = os.open

    def swapped(name: str, flags: int) -> int:
        return plain(top / "secret.txt" if name == str(path) else name, flags)

    monkeypatch.setattr(outside.os, "open", swapped)
    with pytest.raises(SourceError, match="which no source declares"):
        read(path, declared)


def test_a_source_reads_no_transcript_that_leads_elsewhere(tmp_path: Path) -> None:
    talk = Talk.at(tmp_path)
    elsewhere = tmp_path / "elsewhere.jsonl"
    elsewhere.write_text(claude(talk.root, [("user", "never read this")]))
    talk.claude_file("a.jsonl").symlink_to(elsewhere)
    os.mkfifo(talk.claude_file("b.jsonl"))
    talk.refresh()
    assert talk.messages == []
    assert "which no source declares" in talk.trouble
    assert "not a plain file" in talk.trouble
