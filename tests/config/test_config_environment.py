"""Settings from the environment: names, values, refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from haversack.config import load
from haversack.config.environment import SHORT, full_path
from haversack.config.settings import TREE
from haversack.config.tree import Group, Setting
from haversack.errors import ConfigError

NOBODY: dict[str, str] = {"XDG_CONFIG_HOME": "/nonexistent", "HOME": "/nonexistent"}


@pytest.mark.parametrize(
    ("name", "typed", "key", "value"),
    [
        ("BUDGET", "16000", "pack.budget", 16000),
        ("PACK__BUDGET", "16_000", "pack.budget", 16000),
        ("DATA_DIR", "/data", "index.data_dir", "/data"),
        ("MAX_FILE_BYTES", "5", "project.max_file_bytes", 5),
        ("SOFT", "On", "pack.soft", True),
        ("SOFT", "0", "pack.soft", False),
        ("CODE__THRESHOLD", "0.25", "sources.code.threshold", 0.25),
        ("SOURCES__LOGS__ENABLED", "no", "sources.logs.enabled", False),
        ("IGNORE", "a/, *.tmp,", "project.ignore", ("a/", "*.tmp")),
        ("RELEVANCE__WEIGHTS__RECENCY", "2", "relevance.weights.recency", 2.0),
        ("PRESETS__MINE__SECTIONS__PRIMARY__CAP", "25%", "presets.mine.sections.primary.cap", "25%"),
        ("PRESETS__MINE__SECTIONS__PRIMARY__FLOOR", "90", "presets.mine.sections.primary.floor", 90),
        ("DEPLOYMENT__REDACT_SECRETS", "true", "sources.deployment.redact_secrets", True),
    ],
)
def test_a_variable_sets_the_setting_it_names(tmp_path: Path, name: str, typed: str, key: str, value: object) -> None:
    config = load(tmp_path, env={**NOBODY, f"HAVERSACK_{name}": typed})
    assert config.get(key) == value
    assert config.origin(key) == f"environment HAVERSACK_{name}"


def test_an_empty_variable_counts_as_unset(tmp_path: Path) -> None:
    assert load(tmp_path, env={**NOBODY, "HAVERSACK_BUDGET": ""}).origin("budget") == "default"


@pytest.mark.parametrize(
    ("name", "typed", "message"),
    [
        ("BUDGET", "many", "environment HAVERSACK_BUDGET: pack.budget: expected a whole number, 0 or more, got 'many'"),
        ("BUDGET", "-1", "environment HAVERSACK_BUDGET: pack.budget: expected a whole number, 0 or more, got '-1'"),
        ("SOFT", "maybe", "environment HAVERSACK_SOFT: pack.soft: expected true or false, got 'maybe'"),
        ("BUGDET", "1", "environment HAVERSACK_BUGDET: unknown setting bugdet"),
        ("PACK", "1", "environment HAVERSACK_PACK: unknown setting pack"),
        ("SOURCES__COD__ENABLED", "1", "environment HAVERSACK_SOURCES__COD__ENABLED: there is no source 'cod'"),
    ],
)
def test_a_wrong_variable_is_named(tmp_path: Path, name: str, typed: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, env={**NOBODY, f"HAVERSACK_{name}": typed})
    assert caught.value.message == message


def test_a_typo_in_a_short_name_finds_its_neighbour(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, env={**NOBODY, "HAVERSACK_BUGDET": "1"})
    assert caught.value.hint == "Did you mean pack.budget?"


def test_a_wrong_flag_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^flag --budget: pack\.budget: expected a whole number"):
        load(tmp_path, env=NOBODY, flags={"budget": "x"})


def test_short_names_are_distinct() -> None:
    names: list[str] = []
    for table in SHORT:
        group = TREE.children[table]
        assert isinstance(group, Group)
        names += (name for name, child in group.children.items() if isinstance(child, Setting))
    assert len(names) == len(set(names))
    assert all(full_path((name,)) != (name,) for name in names)
