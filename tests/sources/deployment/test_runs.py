"""Recent runs are asked of `gh`, only when turned on, and no answer never breaks a packet."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from haversack import Haversack
from haversack.project import find_project
from haversack.sources.deployment import runs
from haversack.sources.deployment.runs import KEY, RunsSource
from haversack.sources.protocol import Reading, SourceAdapter

ANSWER = (
    '[{"databaseId": 7, "workflowName": "build", "displayTitle": "Fix ghp_16C7e42F292c6912E7710c838347Ae178B4a", '
    '"event": "push", "headBranch": "main", "headSha": "abc123", "status": "completed", "conclusion": "failure", '
    '"createdAt": "2026-11-01T10:00:00Z", "url": "https://example.com/runs/7"}, '
    '{"databaseId": 8, "workflowName": "", "status": "queued", "createdAt": "soon"}, 3]'
)


@pytest.fixture
def gh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program called gh, first on the path."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder / "gh"


def script(gh: Path, body: str) -> None:
    gh.write_text(f"#!/bin/sh\n{body}\n")
    gh.chmod(0o755)


def asked(root: Path) -> Reading:
    root.mkdir(exist_ok=True)
    source = RunsSource()
    project = find_project(root)
    (reading,) = source.read(project, source.discover(project, {}).changed)
    return reading


def test_each_run_is_a_unit_that_cites_its_page_and_commit(gh: Path, tmp_path: Path) -> None:
    script(gh, f"cat <<'EOF'\n{ANSWER}\nEOF")
    failed, queued = asked(tmp_path / "shop").units
    assert failed.title == "build failure on main"
    assert failed.text == "build: failure\nFix [redacted:github-token]\nbranch main\nevent push\n2026-11-01T10:00:00Z"
    assert [str(citation) for citation in failed.citations] == ["log https://example.com/runs/7", "commit abc123"]
    assert failed.time is not None
    assert (queued.title, queued.time) == ("run queued", None)
    assert RunsSource().cite(failed) == failed.citations
    assert RunsSource().compressors() == {}
    assert isinstance(RunsSource(), SourceAdapter)


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (
            "echo 'not logged in, token ghp_16C7e42F292c6912E7710c838347Ae178B4a' >&2; exit 4",
            "gh failed: not logged in",
        ),
        ("echo '{{{'", "no JSON"),
    ],
)
def test_an_answer_that_is_none_is_a_problem(gh: Path, tmp_path: Path, body: str, what: str) -> None:
    script(gh, body)
    reading = asked(tmp_path / "shop")
    assert reading.units == ()
    assert what in reading.problems[0].what
    assert "ghp_16C7" not in str(reading.problems)


def test_a_program_that_hangs_or_is_missing_is_a_problem(
    gh: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "SECONDS", 0.2)
    script(gh, "exec sleep 30")
    assert "did not answer" in asked(tmp_path / "shop").problems[0].what
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert "cannot be run" in asked(tmp_path / "shop").problems[0].what
    script(gh, "echo '{}'")
    monkeypatch.setenv("PATH", f"{gh.parent}{os.pathsep}/bin{os.pathsep}/usr/bin")
    assert asked(tmp_path / "shop").units == ()


def test_runs_are_asked_for_again_only_when_they_are_old(tmp_path: Path) -> None:
    project = find_project(tmp_path)
    (item,) = RunsSource().discover(project, {}).changed
    assert RunsSource().discover(project, {KEY: item.fingerprint}).changed == ()
    assert RunsSource().discover(project, {KEY: "1000"}).changed
    assert RunsSource().discover(project, {KEY: "x"}).changed


def test_nothing_is_asked_unless_it_is_turned_on(gh: Path, tmp_path: Path) -> None:
    script(gh, f"touch {tmp_path}/asked; cat <<'EOF'\n{ANSWER}\nEOF")
    root = tmp_path / "shop"
    root.mkdir()
    (root / "a.py").write_text("x = 1\n")
    with Haversack(root, data_dir=tmp_path / "data") as haversack:
        haversack.index()
        assert not (tmp_path / "asked").exists()
    flags = {"sources.deployment.ci_runs": True}
    with Haversack(root, data_dir=tmp_path / "data", flags=flags) as haversack:
        packet = haversack.pack("why did the build fail on main", budget=2000)
        assert (tmp_path / "asked").exists()
        assert "ci" in {item.source for item in packet.items}
    (root / "haversack.toml").write_text("[sources.deployment]\nenabled = false\n")
    with Haversack(root, data_dir=tmp_path / "data", flags=flags) as haversack:
        assert not {"deployment", "environments", "ci"} & set(haversack.sources.names)
