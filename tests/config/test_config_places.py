"""Where settings and indexes live on each system, and which line a setting is on."""

from __future__ import annotations

from pathlib import Path

import pytest

from haversack.config import load, places
from haversack.config.lines import line_of
from haversack.errors import ConfigError


@pytest.mark.parametrize(
    ("platform", "env", "config", "cache"),
    [
        ("linux", {"HOME": "/h"}, "/h/.config/haversack/config.toml", "/h/.cache/haversack"),
        (
            "linux",
            {"HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_CACHE_HOME": "/k"},
            "/c/haversack/config.toml",
            "/k/haversack",
        ),
        (
            "linux",
            {"HOME": "/h", "XDG_CONFIG_HOME": "c", "XDG_CACHE_HOME": "k"},
            "/h/.config/haversack/config.toml",
            "/h/.cache/haversack",
        ),
        (
            "darwin",
            {"HOME": "/h"},
            "/h/Library/Application Support/haversack/config.toml",
            "/h/Library/Caches/haversack",
        ),
        ("win32", {"APPDATA": "/r", "LOCALAPPDATA": "/l"}, "/r/haversack/config.toml", "/l/haversack"),
    ],
)
def test_each_system_has_its_folders(platform: str, env: dict[str, str], config: str, cache: str) -> None:
    assert places.user_file(env, platform) == Path(config)
    assert places.cache_folder(env, platform) == Path(cache)


def test_what_is_remembered_is_not_kept_in_a_cache(tmp_path: Path) -> None:
    assert places.memory_folder({"HOME": "/h"}, "linux") == Path("/h/.local/share/haversack")
    assert places.memory_folder({"HOME": "/h", "XDG_DATA_HOME": "/d"}, "linux") == Path("/d/haversack")
    assert places.memory_folder({"HOME": "/h"}, "darwin") == Path("/h/Library/Application Support/haversack")
    assert load(tmp_path, env={"HAVERSACK_DATA_DIR": "/x"}).memory_folder() == Path("/x")


def test_without_a_home_there_is_no_user_file_and_the_index_asks_for_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    assert places.user_file({}, "win32") is None
    assert places.user_file({"HOME": "relative"}, "linux") is None

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    assert places.user_file({}, "linux") is None
    with pytest.raises(ConfigError, match="no home folder") as caught:
        places.cache_folder({}, "linux")
    assert "--data-dir" in caught.value.hint


TEXT = '''\
# [pack]
top = 1
[pack] # a comment
"budget" = 8000
format = """
[not.a.table]
budget = 1
"""
one = \'\'\'in one line\'\'\'
[project]
ignore = [
  "]", # [
  "b",
  ["nested"],
]
roots = ["a"]
[sources . 'code']
threshold = 0.5
logs.threshold = 0.1
[[array]]
inline = { a = 1, b = { c = 2 } }
open = [
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("top",), 2),
        (("pack",), 3),
        (("pack", "budget"), 4),
        (("pack", "format"), 5),
        (("pack", "one"), 9),
        (("project", "ignore"), 11),
        (("project", "roots"), 16),
        (("sources", "code", "threshold"), 18),
        (("sources", "code", "logs", "threshold"), 19),
        (("array", "inline", "b", "c"), 21),
        (("array", "open"), 22),
        (("nowhere",), None),
    ],
)
def test_the_line_a_setting_is_on(path: tuple[str, ...], line: int | None) -> None:
    assert line_of(TEXT, path) == line
