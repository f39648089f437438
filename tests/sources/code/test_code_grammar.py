"""Grammars are unpacked where haversack may write, and a system without them still gets units."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import semble_grammars
from code_cases import text_of, units_of

from haversack.sources.code import grammar, languages

CACHED = (grammar.available, grammar.language, grammar._parser, grammar._own_folder, languages.dialect)


@pytest.fixture(autouse=True)
def unloaded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every test starts as a new process would."""
    monkeypatch.delenv(grammar.CACHE_VARIABLE, raising=False)
    _forget()
    yield
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    for known in CACHED:
        known.cache_clear()
    semble_grammars.get_language.cache_clear()


def test_grammars_are_unpacked_into_haversacks_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert grammar.language("json") is not None
    assert list((tmp_path / "haversack" / "grammars").rglob("*json*"))
    assert grammar.CACHE_VARIABLE not in os.environ


def test_the_users_folder_is_respected(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(grammar.CACHE_VARIABLE, str(tmp_path / "mine"))
    assert grammar.language("json") is not None
    assert list((tmp_path / "mine").rglob("*json*"))
    assert os.environ[grammar.CACHE_VARIABLE] == str(tmp_path / "mine")


def test_a_home_that_cannot_be_written_does_not_matter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file" / "below"))
    assert grammar.language("json") is not None
    own = Path(grammar._own_folder())
    assert list(own.rglob("*json*"))
    assert own.stat().st_mode & 0o077 == 0


def test_without_any_folder_files_become_blocks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(grammar, "_folders", lambda: iter([str(tmp_path / "file" / "below")]))
    assert grammar.language("python") is None
    assert grammar.parse(b"x = 1", "python") is None
    assert {unit.kind for unit in units_of(text_of("python"), "python")} == {"file", "block"}


def test_without_a_home_there_is_still_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "not/absolute")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert list(grammar._folders()) == [grammar._own_folder()]


def test_a_system_no_grammars_are_shipped_for_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> list[str]:
        raise semble_grammars.UnsupportedPlatformError("no such system")

    monkeypatch.setattr(semble_grammars, "available_languages", refuse)
    assert grammar.available() == frozenset()
    assert grammar.language("python") is None


def test_what_is_parsed_is_shipped() -> None:
    assert {"python", "rust", "tsx"} <= grammar.available()
    assert grammar.language("klingon") is None
