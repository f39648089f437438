"""A file is read bounded, decoded, with its own line numbers and without its secrets; or it is said why not."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from project_cases import write

from haversack.model import Role
from haversack.project import Project, Skipped, find_project, read_text, reading
from haversack.sources.protocol import TextFile


def read(root: Path, name: str, content: str | bytes, **settings: int) -> TextFile | Skipped:
    write(root, {name: content})
    return read_text(find_project(root, **settings), name)


def text(root: Path, content: str | bytes, name: str = "a.py") -> str:
    found = read(root, name, content)
    assert isinstance(found, TextFile), found
    return found.text


def test_a_text_file_comes_with_all_that_sources_need(tmp_path: Path) -> None:
    found = read(tmp_path, "src/a.py", "x = 1\n")
    assert isinstance(found, TextFile)
    assert (found.path, found.text, found.lang, found.role, found.size) == (
        "src/a.py",
        "x = 1\n",
        "python",
        Role.SOURCE,
        6,
    )
    assert found.mtime_ns == (tmp_path / "src/a.py").stat().st_mtime_ns
    assert found.digest == hashlib.blake2b(b"x = 1\n", digest_size=16).hexdigest()


def test_encodings_are_told_by_mark_then_utf8_then_guessed(tmp_path: Path) -> None:
    assert text(tmp_path, "\ufeffé\n".encode()) == "é\n"
    assert text(tmp_path, "é\n".encode("utf-16")) == "é\n"
    assert text(tmp_path, b"\xfe\xff" + "é\n".encode("utf-16-be")) == "é\n"
    assert text(tmp_path, "é\n".encode("utf-32")) == "é\n"
    assert text(tmp_path, ("# Änderung für Größe und Straße, naïve café\n" * 5).encode("cp1252")).startswith(
        "# Änderung für"
    )
    korean = "# 한국어로 작성된 주석입니다. 이 파일은 오래된 인코딩을 사용합니다.\n" * 5
    assert text(tmp_path, korean.encode("euc-kr")) == korean


def test_the_guesser_is_loaded_only_for_files_that_need_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "charset_normalizer", None)
    assert text(tmp_path, "é\n") == "é\n"
    with pytest.raises(ImportError):
        read(tmp_path, "b.py", "é\n".encode("latin-1"))


@pytest.mark.parametrize(
    "content",
    [b"a\0b", b"\xff\xfe\x41", b"\xff\xfe" + "a\0b".encode("utf-16-le"), bytes(range(1, 32)) * 20 + b"\xff\xfe\xfd"],
)
def test_binary_content_is_skipped_whatever_its_name(tmp_path: Path, content: bytes) -> None:
    found = read(tmp_path, "a.py", content)
    assert isinstance(found, Skipped)
    assert found.reason == "binary"


def test_bytes_of_no_language_at_all_are_binary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import charset_normalizer

    class Nothing:
        def best(self) -> None:
            return None

    monkeypatch.setattr(charset_normalizer, "from_bytes", lambda _: Nothing())
    found = read(tmp_path, "a.py", b"\xff\xfe\xfa\xfb" * 5 + b"abc")
    assert isinstance(found, Skipped)
    assert found.reason == "binary"


def test_lines_keep_their_numbers(tmp_path: Path) -> None:
    assert text(tmp_path, "a\r\nb\r\r\nc\n") == "a\nb\nc\n"
    assert text(tmp_path, "a\rb\rc") == "a\nb\nc"
    assert text(tmp_path, "a\rb\nc") == "a\rb\nc"
    odd = "a\u2028b\x0bc\x0cd\x85e\nf\n"
    assert text(tmp_path, odd).split("\n") == ["a\u2028b\x0bc\x0cd\x85e", "f", ""]


def test_secrets_are_gone_and_lines_stay(tmp_path: Path) -> None:
    found = text(tmp_path, 'a = 1\nkey = "AKIAQ3EGRIT7PL2XVN5K"\nb = 2\n')
    assert found == 'a = 1\nkey = "[redacted:aws-access-key]"\nb = 2\n'


def test_files_past_the_limit_are_not_read(tmp_path: Path) -> None:
    found = read(tmp_path, "a.txt", "x" * 101, max_file_bytes=100)
    assert found == Skipped("a.txt", "oversized", "'a.txt' has 101 bytes")
    assert isinstance(read(tmp_path, "a.txt", "x" * 100, max_file_bytes=100), TextFile)


def test_a_file_that_grows_while_it_is_read_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"a.txt": "x" * 10})
    project = find_project(tmp_path, max_file_bytes=20)
    real, calls = os.fstat, iter(range(100))

    def grow(descriptor: int) -> os.stat_result:
        found = real(descriptor)
        if next(calls) == 1:  # after the gate's own look
            write(tmp_path, {"a.txt": "x" * 1000})
        return found

    monkeypatch.setattr(reading.os, "fstat", grow)
    assert read_text(project, "a.txt") == Skipped("a.txt", "oversized", "'a.txt' has 21 bytes")


def test_a_file_of_200_mb_and_one_line_of_50_mb_cost_nothing(tmp_path: Path) -> None:
    with (tmp_path / "huge.txt").open("wb") as file:
        file.truncate(200_000_000)
    found = read_text(find_project(tmp_path), "huge.txt")
    assert isinstance(found, Skipped)
    assert found.reason == "oversized"


def test_a_file_that_is_gone_has_vanished(tmp_path: Path) -> None:
    found = read_text(find_project(tmp_path), "gone.py")
    assert isinstance(found, Skipped)
    assert found.reason == "vanished"


def test_what_leads_outside_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "secret").write_text("x")
    (tmp_path / "shop" / "link").symlink_to("../secret")
    found = read_text(find_project(tmp_path / "shop"), "link")
    assert isinstance(found, Skipped)
    assert found.reason == "outside"


def test_what_cannot_be_opened_or_read_is_skipped_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"a.py": "x"})
    project = find_project(tmp_path)

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        assert read_text(project, "a.py") == Skipped("a.py", "unreadable", "'a.py' cannot be read: Permission denied")

    def fail(_: Project, __: str) -> object:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(reading, "open_inside", fail)
    assert read_text(project, "a.py") == Skipped("a.py", "unreadable", "'a.py' cannot be read: Input/output error")


def test_minified_code_is_skipped_and_long_prose_is_not(tmp_path: Path) -> None:
    minified = "var a=1;" * 1000
    found = read(tmp_path, "app.js", minified)
    assert isinstance(found, Skipped)
    assert found.reason == "minified"
    with_licence = "/* licence */\n" * 100 + "x=1;" * 6000 + "\n" + "// end\n" * 50
    assert isinstance(read(tmp_path, "app.js", with_licence), Skipped)
    assert isinstance(read(tmp_path, "app.md", minified), TextFile)
    assert isinstance(read(tmp_path, "small.js", "var a=1;" * 100), TextFile)
    assert isinstance(read(tmp_path, "plain.js", "var a = 1;\n" * 3000), TextFile)
    assert isinstance(read(tmp_path, "tail.js", "var a = 1;\n" * 3000 + "x" * 30_000), TextFile)


@pytest.mark.parametrize(
    "head",
    [
        "<!DOCTYPE HTML>\n<html>\n<head>\n<!-- Generated by javadoc (1.8.0_162) on Tue Jan 23 -->\n",
        '<!-- HTML header for doxygen 1.9 -->\n<html><meta name="generator" content="Doxygen 1.9.1"/>',
        '<html><head><meta name="generator" content="rustdoc">',
    ],
)
def test_pages_that_a_tool_made_of_the_code_are_skipped(tmp_path: Path, head: str) -> None:
    found = read(tmp_path, "docs/api/Session.html", head + "<p>Sends a request.</p>\n" * 20)
    assert isinstance(found, Skipped)
    assert found.reason == "rendered"
    assert isinstance(read(tmp_path, "docs/api/notes.md", head), TextFile)


def test_a_page_written_by_hand_is_read(tmp_path: Path) -> None:
    page = '<html><head><meta name="generator" content="vim"></head><body>tables generated by us</body></html>'
    assert isinstance(read(tmp_path, "site/index.html", page), TextFile)


@pytest.mark.parametrize(
    "head",
    [
        "# @generated by tool\n",
        "// Code generated by protoc-gen-go. DO NOT EDIT.\n",
        "// <auto-generated/>\n",
        "# This file is automatically generated from x. Do NOT edit it.\n",
        "/* DO NOT EDIT: generated from schema */\n",
        "# This file was generated by a script\n",
    ],
)
def test_what_says_that_a_tool_wrote_it_is_marked_generated(tmp_path: Path, head: str) -> None:
    found = read(tmp_path, "a.py", head + "x = 1\n")
    assert isinstance(found, TextFile)
    assert found.role is Role.GENERATED


def test_vendored_stays_vendored_and_talk_of_generating_is_no_mark(tmp_path: Path) -> None:
    vendored = read(tmp_path, "third_party/a.py", "# @generated\n")
    ours = read(tmp_path, "a.py", '"""Generated ids are unique."""\n')
    assert isinstance(vendored, TextFile)
    assert isinstance(ours, TextFile)
    assert vendored.role is Role.VENDORED
    assert ours.role is Role.SOURCE


def test_a_script_without_extension_is_known_by_its_first_line(tmp_path: Path) -> None:
    found = read(tmp_path, "bin/tool", "#!/usr/bin/env python3\nprint(1)\n")
    assert isinstance(found, TextFile)
    assert found.lang == "python"
