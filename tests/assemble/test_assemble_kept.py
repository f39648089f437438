"""Levels made before save work and change nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests import sample

from haversack import Haversack
from haversack.assemble.kept import Kept
from haversack.index.level_cache import DATABASE, LevelCache
from haversack.model import Unit
from haversack.pack.levels import Leveled, Limits, StubInfo, Terms
from haversack.pack.levels import ladder as ladders
from haversack.tokens import counter

TASK = "refresh_session keeps an expired Session; the cart total is wrong"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return sample.make(tmp_path / "shop")


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where the units are from whose ladders were built."""
    names: list[str] = []
    real = ladders.ladder

    def noted(unit, *rest, **options) -> tuple[Leveled, ...]:
        names.append(unit.path or unit.id)
        return real(unit, *rest, **options)

    monkeypatch.setattr(ladders, "ladder", noted)
    return names


def pack(project: Path, data: Path, task: str = TASK, flags: dict[str, object] | None = None, **options) -> str:
    with Haversack(project, data_dir=data, flags=flags) as opened:
        return opened.pack(task, budget=options.pop("budget", 900), **options).text


@pytest.mark.parametrize("form", ["markdown", "json", "xml"])
def test_cold_warm_and_off_give_the_same_bytes(project: Path, tmp_path: Path, form: str) -> None:
    off = pack(project, tmp_path / "off", flags={"levels.cache.enabled": False}, format=form)
    assert off == pack(project, tmp_path / "on", format=form)
    assert off == pack(project, tmp_path / "on", format=form)
    for budget in (150, 400, 3000):
        expected = pack(project, tmp_path / "off", flags={"levels.cache.enabled": False}, budget=budget)
        assert pack(project, tmp_path / "on", budget=budget) == expected
        assert pack(project, tmp_path / "on", budget=budget) == expected


def test_a_second_pack_of_the_same_task_builds_no_ladder(project: Path, tmp_path: Path, built: list[str]) -> None:
    first = pack(project, tmp_path / "data")
    assert built
    built.clear()
    assert pack(project, tmp_path / "data") == first
    assert not built


def test_a_process_of_its_own_finds_them_too(project: Path, tmp_path: Path, built: list[str]) -> None:
    code = "import sys; from haversack import Haversack; Haversack(sys.argv[1], data_dir=sys.argv[2]).pack(sys.argv[3])"
    arguments = [sys.executable, "-c", code, str(project), str(tmp_path / "data"), TASK]
    subprocess.run(arguments, check=True, env={**os.environ, "PYTHONHASHSEED": "7"})
    pack(project, tmp_path / "data", budget=8000)
    assert not built


def test_a_packet_of_an_indexed_project_parses_nothing(project: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from haversack import Haversack; Haversack(sys.argv[1], data_dir=sys.argv[2]).pack(sys.argv[3]); "
        "print('tree_sitter' in sys.modules, 'haversack.pack.levels.detailed' in sys.modules)"
    )

    def loaded(task: str) -> str:
        arguments = [sys.executable, "-c", code, str(project), str(tmp_path / "data"), task]
        return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout.strip()

    with Haversack(project, data_dir=tmp_path / "data") as opened:
        opened.index()
    assert loaded(TASK) == "False True"
    assert loaded(TASK) == "False False"


def test_only_what_changed_is_built_again(project: Path, tmp_path: Path, built: list[str]) -> None:
    pack(project, tmp_path / "data")
    built.clear()
    text = sample.FILES["shop/session.py"]
    sample.write(project, "shop/session.py", text.replace("Give the user a new", "Hand out another"))
    changed = pack(project, tmp_path / "data")
    assert set(built) == {"shop/session.py"}
    assert changed == pack(project, tmp_path / "fresh")


def test_other_words_other_limits_and_other_counters_are_other_levels(
    project: Path, tmp_path: Path, built: list[str]
) -> None:
    pack(project, tmp_path / "data")
    for difference in (
        {"task": "the cart forgets its items, sum prices"},
        {"flags": {"levels.detailed.max_tokens": 40}},
        {"flags": {"levels.stub.include": ["file path"]}},
        {"counter": "chars/4"},
        {"show_scores": True},
    ):
        built.clear()
        assert pack(project, tmp_path / "data", **difference) == pack(project, tmp_path / "fresh", **difference)
        assert built


def test_switched_off_or_of_no_age_nothing_is_kept(project: Path, tmp_path: Path, built: list[str]) -> None:
    for flags in ({"levels.cache.enabled": False}, {"levels.cache.max_age_hours": 0}):
        pack(project, tmp_path / "data", flags=flags)
        built.clear()
        pack(project, tmp_path / "data", flags=flags)
        assert built
    assert not list((tmp_path / "data").rglob(DATABASE))


def test_they_are_kept_where_the_settings_say(project: Path, tmp_path: Path) -> None:
    pack(project, tmp_path / "data", flags={"levels.cache.path": str(tmp_path / "elsewhere")})
    assert (tmp_path / "elsewhere" / DATABASE).is_file()
    assert not list((tmp_path / "data").rglob(DATABASE))


def test_a_body_that_cannot_be_read_is_made_again(project: Path, tmp_path: Path, built: list[str]) -> None:
    import sqlite3

    first = pack(project, tmp_path / "data")
    (stored,) = (tmp_path / "data").rglob(DATABASE)
    with sqlite3.connect(stored) as database:
        database.execute("UPDATE level SET body = x'c1ff'")
    database.close()
    built.clear()
    assert pack(project, tmp_path / "data") == first
    assert built


def test_a_task_that_is_not_utf8_is_packed_without_them(project: Path, tmp_path: Path) -> None:
    odd = TASK + " \udcff\udcfe"
    assert pack(project, tmp_path / "data", odd) == pack(project, tmp_path / "data", odd)


def test_a_unit_that_is_not_utf8_has_no_key(tmp_path: Path) -> None:
    kept = Kept(
        LevelCache(tmp_path, max_age_hours=1),
        limits=Limits(),
        terms=Terms.of(["session"]),
        counter=counter("chars/4"),
        about=("markdown", False),
    )
    info = StubInfo("a.py", "file", "python", None, 1)
    odd, plain = (Unit("u", "code", "file", "a.py", text) for text in ("\udcff", "x"))
    assert kept.key(odd, "", info) == b""
    assert kept.key(plain, "", info)
    kept.recall([b""])
    kept.add(b"", odd, [])
    kept.write()
    assert kept.ladder(b"") is None
