"""install and uninstall as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import Run


@pytest.fixture(autouse=True)
def no_programs(project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Only the agents a test says are there."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(variable, raising=False)


def test_the_change_is_shown_and_taken_back(project: Path, run: Run) -> None:
    settings = project / ".gemini" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{\n  // mine\n  "theme": "dark"\n}\n')
    before = settings.read_bytes()
    done = run("install", "--dry-run")
    assert done.code == 0
    assert f"{settings}: would be changed (gemini-cli)" in done.out
    assert settings.read_bytes() == before
    done = run("install")
    assert done.code == 0
    assert '+    "haversack": {' in done.out
    assert "   // mine\n" in done.out
    assert f"{settings}: changed (gemini-cli)" in done.out
    assert "trusted" in done.out
    done = run("install")
    assert done.out == f"{settings}: unchanged (gemini-cli)\n"
    done = run("uninstall")
    assert done.code == 0
    assert '-    "haversack": {' in done.out
    assert settings.read_bytes() == before
    assert run("uninstall").out == f"{settings}: unchanged (gemini-cli)\n"


def test_json_tells_programs_the_same(project: Path, run: Run) -> None:
    done = run("install", "--agent", "codex", "--agent", "copilot-cli", "--json")
    told = json.loads(done.out)
    assert (told["scope"], told["dry_run"]) == ("project", False)
    assert [(Path(each["path"]).name, each["agents"], each["action"]) for each in told["files"]] == [
        ("config.toml", ["codex"], "made"),
        ("hooks.json", ["codex"], "made"),
        (".mcp.json", ["copilot-cli"], "made"),
    ]
    assert "+[mcp_servers.haversack]\n" in told["files"][0]["diff"]
    told = json.loads(run("uninstall", "--json").out)
    assert [each["action"] for each in told["files"]] == ["removed"] * 3
    assert not (project / ".codex").exists()


def test_a_file_that_is_left_alone_is_named_and_the_exit_code_says_so(project: Path, run: Run) -> None:
    (project / ".mcp.json").write_text("{")
    done = run("install", "--agent", "claude-code")
    assert done.code == 1
    assert ".mcp.json: left alone (claude-code)" in done.out
    assert "is not valid JSON: line 1, column 2" in done.err
    assert (project / ".claude" / "settings.json").exists()
    assert run("uninstall", "--agent", "claude-code").code == 1


def test_secrets_around_a_change_are_not_shown(project: Path, run: Run, quiet_home: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    (quiet_home / ".claude.json").write_text(
        json.dumps({"mcpServers": {"github": {"env": {"GITHUB_TOKEN": secret}}}}, indent=2) + "\n"
    )
    done = run("install", "--scope", "user", "--agent", "claude-code")
    assert "GITHUB_TOKEN" in done.out
    assert secret not in done.out
    assert secret in (quiet_home / ".claude.json").read_text()


def test_a_line_without_end_is_cut(project: Path, run: Run) -> None:
    (project / ".mcp.json").write_text(json.dumps({"history": ["word"] * 2000}))
    done = run("install", "--agent", "copilot-cli")
    assert max(map(len, done.out.splitlines())) < 200


def test_no_agent_and_an_unknown_one_are_said(project: Path, run: Run) -> None:
    done = run("install")
    assert done.code == 1
    assert "no agent was found" in done.err
    done = run("install", "--agent", "emacs")
    assert done.code == 2
    assert "Known are claude-code, codex" in done.err


def test_an_agent_without_project_files_is_said(project: Path, run: Run) -> None:
    done = run("install", "--agent", "windsurf")
    assert done.code == 0
    assert "Windsurf has no files for --scope project" in done.err


def test_the_plugin_is_where_it_says(project: Path, run: Run) -> None:
    folder = Path(run("install", "--plugin-path").out.strip())
    assert (folder / ".claude-plugin" / "plugin.json").is_file()


def test_a_home_that_does_not_exist_is_not_made(
    project: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "nowhere"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME")
    done = run("install", "--scope", "user", "--agent", "codex")
    assert done.code == 1
    assert "no home folder" in done.err
    done = run("install", "--agent", "copilot-cli")
    assert done.code == 0
    assert "could not be recorded" in done.err
    assert not home.exists()


def test_haversack_in_both_scopes_is_warned_of(project: Path, run: Run, quiet_home: Path) -> None:
    assert "twice" not in run("install", "--scope", "user", "--agent", "cursor").err
    (quiet_home / ".gemini").mkdir()
    (quiet_home / ".gemini" / "settings.json").write_text("{")
    done = run("install", "--agent", "cursor", "--agent", "gemini-cli")
    assert "warning: Cursor has haversack in its user files, too, and would run it twice" in done.err
    assert "`haversack uninstall --scope user --agent cursor`" in done.err
    assert "Gemini" not in done.err


def test_a_program_that_agents_would_not_find_is_said(
    project: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    done = run("install", "--agent", "codex", "--dry-run")
    assert done.code == 0
    assert "haversack is not on the PATH" in done.err
    assert "--scope user writes its full path" in done.err
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "haversack").write_text("#!/bin/sh\n", encoding="utf-8")
    (programs / "haversack").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    assert run("install", "--agent", "codex", "--dry-run").err == ""
