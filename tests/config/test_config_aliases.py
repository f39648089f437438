"""The settings of seed 001's schema and of seed 002's file are accepted as they are written there."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from haversack.config import load
from haversack.config.aliases import ALIASES
from haversack.config.settings import TREE
from haversack.config.tree import Setting, find
from haversack.errors import ConfigError

NOBODY: dict[str, str] = {"XDG_CONFIG_HOME": "/nonexistent", "HOME": "/nonexistent"}
FILES = Path(__file__).parent / "files"

SEED_001 = (FILES / "seed_001.toml").read_text(encoding="utf-8")

SEED_002 = (FILES / "seed_002.toml").read_text(encoding="utf-8")


def test_every_setting_of_seed_001_has_its_place(tmp_path: Path) -> None:
    (tmp_path / "haversack.toml").write_text(SEED_001)
    config = load(tmp_path, env=NOBODY)
    pack, relevance, levels = config.pack, config.relevance, config.levels
    assert (pack.budget, pack.reserve_for_output, pack.reserve_for_system) == (100000, 8000, 2000)
    assert (pack.soft, pack.overflow, pack.preset) == (False, "summarize", "task")
    sections = config.presets["task"].sections
    assert {name: section.weight for name, section in sections.items()} == {
        "primary": 50,
        "supporting": 30,
        "reference": 15,
        "history": 5,
    }
    assert sections["primary"].description == "Main files"
    assert (relevance.enabled, relevance.method, relevance.decay_days, relevance.max_depth) == (True, "keyword", 7, 3)
    assert relevance.weights == {
        "task_alignment": 0.4,
        "recency": 0.2,
        "mention_density": 0.2,
        "dependency_depth": 0.1,
        "file_type": 0.1,
    }
    assert relevance.file_types == {"source": 1.0, "test": 0.9, "requirements": 0.8, "docs": 0.7, "config": 0.6}
    thresholds = relevance.thresholds
    assert (thresholds.include, thresholds.supporting, thresholds.primary) == (0.3, 0.5, 0.7)
    assert relevance.notes["recency"] == "recent"
    assert (levels.full.max_tokens, levels.detailed.max_tokens) == (-1, 2000)
    assert (levels.summary.max_tokens, levels.stub.max_tokens) == (500, 100)
    assert levels.stub.use_when == "overflow"
    assert levels.cache.path == str(tmp_path / ".aiwg/rag/summaries")
    assert levels.cache.max_age_hours == 24


def test_no_setting_of_seed_001_is_forgotten() -> None:
    """Every leaf of the file above is an alias, apart from the version, which is ours by the same name."""

    def leaves(table: dict[str, object], path: tuple[str, ...] = ()) -> set[tuple[str, ...]]:
        found = set()
        for name, value in table.items():
            found |= leaves(value, (*path, name)) if isinstance(value, dict) else {(*path, name)}
        return found

    written = leaves(tomllib.loads(SEED_001)) - {("version",)}
    assert written <= set(ALIASES)
    # The other factors of ours can be weighed under seed 001's table too; nothing else is beyond the file above.
    beyond = {path for path in ALIASES if path[0] != "enrichment"} - written
    assert {path[:2] for path in beyond} == {("relevance_scoring", "factors")}


def test_seed_002_is_accepted_exactly_as_written(tmp_path: Path) -> None:
    (tmp_path / "haversack.toml").write_text(SEED_002)
    config = load(tmp_path, env=NOBODY)
    assert (config.pack.budget, config.pack.reserve_for_output) == (24000, 4000)
    assert {name: (each.threshold, each.max_tokens) for name, each in config.sources.items() if each.threshold} == {
        "conversation": (0.3, 4000),
        "research": (0.5, 4000),
        "docs": (0.4, 3000),
        "code": (0.5, 12000),
        "deployment": (0.6, 2000),
        "logs": (0.7, 3000),
    }
    assert config.source("docs").options["always_include"] == ("project.md", "conventions.md")
    assert config.origin("sources.docs.threshold") == "haversack.toml:22 (enrichment.sources.documentation.threshold)"


def test_a_file_with_enrichment_means_the_preset_of_that_name(tmp_path: Path) -> None:
    (tmp_path / "haversack.toml").write_text("[enrichment.thresholds]\nlogs = 0.9\n")
    config = load(tmp_path, env=NOBODY)
    assert config.pack.preset == "enrichment"
    assert config.origin("pack.preset") == "haversack.toml:1 (implied by [enrichment])"
    assert config.source("logs").threshold == 0.9
    (tmp_path / "haversack.toml").write_text("[pack]\npreset = 'task'\n[enrichment]\ndefault_budget_tokens = 5\n")
    assert load(tmp_path, env=NOBODY).pack.preset == "task"


def test_a_budget_that_is_not_enabled_is_soft(tmp_path: Path) -> None:
    (tmp_path / "haversack.toml").write_text("[budget_config]\nenabled = false\n")
    assert load(tmp_path, env=NOBODY).pack.soft is True


def test_two_names_for_one_setting_must_agree(tmp_path: Path) -> None:
    file = tmp_path / "haversack.toml"
    file.write_text("[pack]\nbudget = 5\n[enrichment]\ndefault_budget_tokens = 5\n")
    assert load(tmp_path, env=NOBODY).pack.budget == 5
    file.write_text("[pack]\nbudget = 5\n[enrichment]\ndefault_budget_tokens = 6\n")
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, env=NOBODY)
    assert caught.value.message == (
        "haversack.toml:4: enrichment.default_budget_tokens contradicts haversack.toml:2, which sets the same thing"
    )
    assert caught.value.hint == "Keep one of them. The setting is pack.budget."


def test_every_alias_leads_to_a_setting() -> None:
    for alias in ALIASES.values():
        assert isinstance(find(TREE, alias.ours), Setting), alias
