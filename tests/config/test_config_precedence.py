"""Who wins when several places set the same thing, and whether each value knows where it came from."""

from __future__ import annotations

from pathlib import Path

import pytest

from haversack.config import Config, load
from haversack.errors import ConfigError

NOBODY: dict[str, str] = {"XDG_CONFIG_HOME": "/nonexistent", "HOME": "/nonexistent"}


@pytest.fixture
def user(tmp_path: Path) -> Path:
    path = tmp_path / "user" / "config.toml"
    path.parent.mkdir()
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    path = tmp_path / "project"
    path.mkdir()
    return path


def test_each_layer_beats_the_one_below_it(root: Path, user: Path) -> None:
    assert load(root, env=NOBODY).pack.budget == 8000
    user.write_text("[pack]\nbudget = 1\n")
    assert load(root, env=NOBODY, user_file=user).pack.budget == 1
    (root / "haversack.toml").write_text("[pack]\nbudget = 2\n")
    assert load(root, env=NOBODY, user_file=user).pack.budget == 2
    env = {**NOBODY, "HAVERSACK_BUDGET": "3"}
    assert load(root, env=env, user_file=user).pack.budget == 3
    assert load(root, env=env, user_file=user, flags={"budget": 4}).pack.budget == 4


def test_a_flag_that_was_not_given_changes_nothing(root: Path) -> None:
    config = load(root, env=NOBODY, flags={"budget": None, "soft": None})
    assert config.pack == Config().pack
    assert config.origin("pack.budget") == "default"


def test_every_value_knows_its_origin(root: Path, user: Path) -> None:
    user.write_text("# mine\n\n[pack]\nformat = 'xml'\n")
    (root / "haversack.toml").write_text("[pack]\npreset = 'agent'\n\n[sources.code]\nthreshold = 0.4\n")
    env = {**NOBODY, "HAVERSACK_PACK__SOFT": "yes", "HAVERSACK_CODE__MAX_TOKENS": "900"}
    config = load(root, env=env, user_file=user, flags={"budget": 10, "index.data_dir": "data"})
    assert config.origin("pack.format") == f"{user}:4"
    assert config.origin("pack.preset") == "haversack.toml:2"
    assert config.origin("sources.code.threshold") == "haversack.toml:5"
    assert config.origin("pack.soft") == "environment HAVERSACK_PACK__SOFT"
    assert config.origin("sources.code.max_tokens") == "environment HAVERSACK_CODE__MAX_TOKENS"
    assert config.origin("pack.budget") == config.origin("budget") == "flag --budget"
    assert config.origin("data_dir") == "flag --data-dir"
    assert config.origin("pack.overflow") == "default"
    assert config.files == (str(user), "haversack.toml")


def test_rows_list_every_setting_once_and_the_users_own_names(root: Path) -> None:
    (root / "haversack.toml").write_text("[profiles.mine.weights]\nrecency = 2\n")
    rows = load(root, env=NOBODY).rows()
    by_key = {row.key: row for row in rows}
    assert len(by_key) == len(rows)
    assert by_key["pack.budget"].value == 8000
    assert by_key["profiles.mine.weights.recency"].value == 2.0
    assert by_key["profiles.mine.weights.recency"].origin == "haversack.toml:2"


def test_pyproject_holds_settings_too(root: Path) -> None:
    (root / "pyproject.toml").write_text("[project]\nname = 'x'\n\n[tool.haversack.pack]\nbudget = 77\n")
    config = load(root, env=NOBODY)
    assert config.pack.budget == 77
    assert config.origin("pack.budget") == "pyproject.toml:5"


def test_settings_in_two_project_files_are_refused_by_name(root: Path) -> None:
    (root / "pyproject.toml").write_text("[tool.haversack.pack]\nbudget = 1\n")
    (root / "haversack.toml").write_text("")
    with pytest.raises(ConfigError, match=r"haversack\.toml and \[tool\.haversack\] in pyproject\.toml"):
        load(root, env=NOBODY)


@pytest.mark.parametrize(
    "text",
    [
        "[project]\nname = 'haversack-user'\n",
        "[project\nbroken, but nothing of ours",
        "tool = 3  # haversack\n",
    ],
)
def test_a_pyproject_without_our_table_is_left_alone(root: Path, text: str) -> None:
    (root / "pyproject.toml").write_text(text)
    assert load(root, env=NOBODY).files == ()


def test_our_table_in_pyproject_must_be_a_table(root: Path) -> None:
    (root / "pyproject.toml").write_text("[tool]\nhaversack = 3\n")
    with pytest.raises(ConfigError, match=r"pyproject\.toml: tool\.haversack must be a table"):
        load(root, env=NOBODY)


def test_an_override_for_one_call_leaves_the_config_as_it_was(root: Path) -> None:
    (root / "haversack.toml").write_text("[pack]\nbudget = 5\nsoft = true\n")
    config = load(root, env=NOBODY)
    changed = config.override({"budget": 6, "fill": None, "pack.format": "json"})
    assert (changed.pack.budget, changed.pack.soft, changed.pack.format) == (6, True, "json")
    assert changed.origin("budget") == "argument budget"
    assert changed.origin("soft") == "haversack.toml:3"
    assert config.pack.budget == 5


def test_sources_presets_and_profiles_take_what_is_said_and_keep_the_rest(root: Path) -> None:
    (root / "haversack.toml").write_text(
        """
        [sources.code]
        include_tests = false
        [presets.mine]
        item_cap = "25%"
        [presets.mine.sections.primary]
        weight = 3
        cap = 900
        sources = ["code"]
        [profiles.mine]
        extends = "aiwg"
        [profiles.mine.weights]
        recency = 1
        [relevance.file_types]
        test = 1
        [levels.summary]
        max_tokens = 50
        """
    )
    config = load(root, env=NOBODY)
    code = config.source("code")
    assert (code.enabled, code.options["include_tests"], code.options["include_types"]) == (True, False, True)
    assert config.source("jira").enabled
    assert config.source("logs").options["log_window_hours"] == 24
    section = config.presets["mine"].sections["primary"]
    assert (section.weight, section.cap, section.sources, section.floor) == (3.0, 900, ("code",), None)
    assert config.presets["mine"].item_cap == "25%"
    assert config.profiles["mine"].extends == "aiwg"
    assert config.profiles["mine"].weights == {"recency": 1.0}
    assert config.relevance.file_types == {"test": 1.0}
    assert (config.levels.summary.max_tokens, config.levels.detailed.max_tokens) == (50, 2000)


def test_get_answers_with_the_value_or_the_default(root: Path) -> None:
    config = load(root, env=NOBODY, flags={"budget": 9})
    assert config.get("budget") == 9
    assert config.get("levels.stub.max_tokens") == 100
    assert config.get("pack.model") is None
    with pytest.raises(ConfigError, match=r"^unknown setting pack\.bugdet") as caught:
        config.get("pack.bugdet")
    assert caught.value.hint == "Did you mean pack.budget?"


def test_the_data_folder_is_the_users_cache_unless_named(root: Path, tmp_path: Path) -> None:
    env = {**NOBODY, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert load(root, env=env).data_folder(env) == tmp_path / "cache" / "haversack"
    env["HAVERSACK_DATA_DIR"] = str(tmp_path / "elsewhere")
    assert load(root, env=env).data_folder(env) == tmp_path / "elsewhere"


def test_the_environment_of_the_process_is_used_when_none_is_given(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "/nonexistent")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    monkeypatch.setenv("HAVERSACK_BUDGET", "12")
    config = load(root)
    assert config.pack.budget == 12
    assert config.data_folder() == Path("/somewhere/haversack")


def test_a_config_survives_a_trip_to_another_process(root: Path) -> None:
    import pickle

    (root / "haversack.toml").write_text("[pack]\nbudget = 5\n")
    config = load(root, env=NOBODY)
    again = pickle.loads(pickle.dumps(config))
    assert again == config
    assert again.origin("budget") == "haversack.toml:2"
