"""init, config and completion."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from running import Run


def test_init_writes_a_commented_file_at_the_root(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project / "src")
    done = run("init")
    assert (done.code, done.out) == (0, f"wrote {project / 'haversack.toml'}\n")
    written = (project / "haversack.toml").read_text(encoding="utf-8")
    assert "# budget = 8000" in written
    tomllib.loads(written)
    assert run("init", "--print").out == written


def test_init_never_overwrites_unless_forced(run: Run, project: Path) -> None:
    (project / "haversack.toml").write_text("# mine\n")
    done = run("init")
    assert done.code == 2
    assert "exists already" in done.err
    assert "--force" in done.err
    assert (project / "haversack.toml").read_text() == "# mine\n"
    done = run("init", "--force", "--json")
    assert json.loads(done.out) == {"path": str(project / "haversack.toml")}
    assert (project / "haversack.toml").read_text() != "# mine\n"


def test_config_lists_every_value_with_its_origin(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "haversack.toml").write_text("[pack]\nformat = 'xml'\n")
    monkeypatch.setenv("HAVERSACK_BUDGET", "5000")
    rows = {line.split()[0]: line.split(maxsplit=1)[1] for line in run("config").out.splitlines()}
    assert rows["pack.format"].split() == ['"xml"', "haversack.toml:2"]
    assert rows["pack.budget"].split() == ["5000", "environment", "HAVERSACK_BUDGET"]
    assert rows["pack.model"].split() == ["unset", "default"]
    assert rows["files:"] == "haversack.toml"


def test_config_can_leave_the_defaults_out(run: Run, project: Path) -> None:
    done = run("config", "--set", "--data-dir", "/data")
    assert done.out == 'index.data_dir  "/data"  flag --data-dir\nfiles: none\n'


def test_config_as_json(run: Run, project: Path) -> None:
    found = json.loads(run("config", "--json").out)
    assert found["pack.budget"] == {"value": 8000, "origin": "default"}
    assert found["project.roots"] == {"value": [], "origin": "default"}


def test_config_gets_one_value(run: Run, project: Path) -> None:
    assert run("config", "get", "pack.format").out == "markdown\n"
    assert run("config", "get", "budget").out == "8000\n"
    assert run("config", "get", "pack.model").out == "unset\n"
    done = run("config", "get")
    assert (done.code, done.err.splitlines()[0]) == (2, "haversack: which setting?")


def test_config_prints_the_schema(run: Run, project: Path) -> None:
    assert json.loads(run("config", "schema").out)["title"] == "haversack settings"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_the_shell(run: Run, shell: str) -> None:
    done = run("completion", shell)
    assert done.code == 0
    assert f"_HAVERSACK_COMPLETE={shell}_complete" in done.out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("haversack su", {"summarize", "supersede"}),
        ("haversack search --vi", {"--view"}),
        ("haversack search --view se", {"semantic"}),
        ("haversack pack --format m", {"markdown"}),
        ("haversack pack --preset t", {"task", "tiny"}),
        ("haversack pack --profile a", {"aiwg"}),
        ("haversack pack --type b", {"bug"}),
        ("haversack pack --counter c", {"cl100k", "chars/4"}),
    ],
)
def test_completion_knows_commands_options_and_choices(tmp_path: Path, words: str, expected: set[str]) -> None:
    (tmp_path / "haversack.toml").write_text("[presets.tiny.sections.primary]\nweight = 1\n")
    assert {name for _, name in completed(tmp_path, words)} == expected


@pytest.mark.parametrize("words", ["score src", "summarize src", "why src", "pack --pin src", "pack -o src"])
def test_completion_leaves_files_to_the_shell(tmp_path: Path, words: str) -> None:
    assert [kind for kind, _ in completed(tmp_path, f"haversack {words}")] == ["file"]


def test_completion_is_not_disturbed_by_settings_that_are_wrong(tmp_path: Path) -> None:
    (tmp_path / "haversack.toml").write_text("[presets\n")
    assert {name for _, name in completed(tmp_path, "haversack pack --preset a")} == {"agent"}


def completed(folder: Path, words: str) -> list[tuple[str, str]]:
    """Kind and text of what the shell is offered for the last word."""
    env = {"_HAVERSACK_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    done = subprocess.run(
        [sys.executable, "-c", "from haversack.cli.main import main; main()"],
        env=env, capture_output=True, text=True, check=True, cwd=folder,
    )  # fmt: skip
    return [(line.partition(",")[0], line.partition(",")[2]) for line in done.stdout.splitlines()]
