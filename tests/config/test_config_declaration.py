"""One declaration: defaults, JSON Schema and the commented file say the same."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import jsonschema
import pytest

from haversack.config import Config, load
from haversack.config.schema import FILE, json_schema, text
from haversack.config.settings import TREE
from haversack.config.template import commented
from haversack.config.tree import walk
from haversack.errors import ConfigError

NOBODY: dict[str, str] = {"XDG_CONFIG_HOME": "/nonexistent", "HOME": "/nonexistent"}
SEEDS = [path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parent / "files").glob("seed_*.toml"))]


def test_the_shipped_schema_is_the_one_drawn_from_the_declaration() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "run: python -m haversack.config.schema"


def test_the_schema_is_a_valid_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())


VALID = [
    "",
    *SEEDS,
    "[presets.mine]\nitem_cap = '25%'\n[presets.mine.sections.a]\nfloor = 3\nsources = ['code']\n",
    "[profiles.mine]\nextends = 'ctx'\n[profiles.mine.weights]\nexplicit = 1\n",
]
INVALID = [
    "[pack]\nbudget = -1\n",
    "[pack]\nbugdet = 1\n",
    "[sources.code]\nthreshold = 2\n",
    "[sources.deployment]\nredact_secrets = false\n",
    "[presets.mine.sections.a]\nfloor = '200%'\n",
    "version = '2'\n",
]


@pytest.mark.parametrize("written", VALID)
def test_what_the_program_accepts_the_schema_accepts(tmp_path: Path, written: str) -> None:
    (tmp_path / "haversack.toml").write_text(written)
    load(tmp_path, env=NOBODY)
    jsonschema.validate(tomllib.loads(written), json_schema())


@pytest.mark.parametrize("written", INVALID)
def test_what_the_program_refuses_the_schema_refuses(tmp_path: Path, written: str) -> None:
    (tmp_path / "haversack.toml").write_text(written)
    with pytest.raises(ConfigError):
        load(tmp_path, env=NOBODY)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tomllib.loads(written), json_schema())


def test_the_commented_file_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "haversack.toml").write_text(commented())
    config = load(tmp_path, env=NOBODY)
    assert not config.said
    assert config == Config(root=tmp_path, files=("haversack.toml",))


def test_every_line_of_the_commented_file_is_valid_once_uncommented(tmp_path: Path) -> None:
    live = re.sub(r"^# (?=\[|[a-z0-9_]+ = )", "", commented(), flags=re.MULTILINE)
    (tmp_path / "haversack.toml").write_text(live)
    config = load(tmp_path, env=NOBODY)
    for path, setting in walk(TREE):
        if "*" not in path and setting.default is not None and path != ("version",) and not setting.kind.users_own:
            assert config.said[path].value == setting.default


def test_the_commented_file_shows_every_setting_but_the_words() -> None:
    shown = set(re.findall(r"^# ([a-z0-9_]+) = ", commented(), flags=re.MULTILINE))
    names = {
        path[-1] for path, each in walk(TREE) if not each.kind.users_own and "*" not in path and "notes" not in path
    }
    assert names - shown == {"version", "description", "use_when"}
    assert "levels.writer.endpoint, model, key_variable" in commented(), "what only the user may say is named"


def test_every_setting_says_what_it_does_and_has_a_value_to_show() -> None:
    for path, setting in walk(TREE):
        assert setting.doc.endswith("."), path
        if setting.default is not None:
            assert setting.kind.accepts(setting.default), path
        elif setting.example is not None:
            assert setting.kind.accepts(setting.example), path


def test_the_schema_documents_every_setting() -> None:
    drawn = json.loads(text())["properties"]
    assert drawn["pack"]["properties"]["budget"] == {
        "type": "integer",
        "minimum": 0,
        "description": "Tokens a packet may hold, headings and footer included.",
        "default": 8000,
    }
    assert drawn["budget_config"]["properties"]["enabled"]["description"] == "The same as not pack.soft."


def test_names_of_files_are_those_of_the_stages() -> None:
    from haversack.config.settings import FILE_TYPES
    from haversack.model import Role

    assert set(FILE_TYPES) == {role.value for role in Role}
