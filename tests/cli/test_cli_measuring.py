"""haversack eval and haversack tune, as a user sees them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from running import Run
from tests.histories import git


@pytest.fixture
def changed(project: Path) -> Path:
    """Two commits that can be measured on."""
    for number in (2, 3):
        text = (project / "src/shop/login.py").read_text().replace('or "/', 'or "//')
        (project / "src/shop/login.py").write_text(text)
        git(project, "commit", "-qam", f"Send users to place number {number} after the login")
    return project


def test_a_table_a_plot_and_each_commit(changed: Path, run: Run) -> None:
    told = run("eval", "--budget", "300", "--budget", "3000", "--each")
    assert told.code == 0
    lines = told.out.splitlines()
    assert lines[0] == "2 commits; shares of what each changed that its packet shows"
    budgets = {line.split()[0]: line for line in lines if line.startswith(("300", "3,000"))}
    assert list(budgets) == ["300", "3,000"]
    assert "100%" in budgets["3,000"]
    assert budgets["3,000"].endswith("█" * 40), "the plot: a bar per budget"
    first = "Of all files, one that was changed is ranked first for 100% of the commits, among the first three for 100%"
    assert first in lines
    assert "So few commits say little" in lines
    assert "haversack tune" not in told.out, "it would refuse"
    assert any(line.split() == ["commit", "lines", "at", "300", "lines", "at", "3,000", "message"] for line in lines)
    assert next(line for line in lines if "Send users to place" in line).split()[1:3] == ["100%", "100%"]


def test_the_same_as_json(changed: Path, run: Run) -> None:
    told = json.loads(run("eval", "--commits", "1", "--budget", "3000", "--json").out)
    assert [at["budget"] for at in told["budgets"]] == [3000]
    assert told["budgets"][0]["lines"] == 1.0
    assert told["budgets"][0]["tokens"] <= 3000
    assert (told["first"], told["is_first"], told["among_three"]) == (1.0, 1.0, 1.0)
    assert [task["title"] for task in told["tasks"]] == ["Send users to place number 3 after the login"]
    assert told["problems"] == []


def test_places_are_told_as_shares_of_the_commits() -> None:
    from haversack.evaluate.measure import Shown
    from haversack.evaluate.recall import Evaluation, Judged

    tasks = tuple(Judged("c", "t", (Shown(1.0, 1.0, 1.0, 9, first),)) for first in (1.0, 1 / 2, 1 / 3, 1 / 4, 0.0))
    found = Evaluation((), 0.4, tasks)
    assert (found.is_first, found.among_three) == (0.2, 0.6)
    assert Evaluation((), 0.0, ()).among_three == 0.0


def test_a_history_that_says_nothing_is_told_and_is_no_failure(project: Path, run: Run) -> None:
    told = run("eval")
    assert told.code == 0
    assert "no commit here can be measured on" in told.err
    assert json.loads(run("eval", "--json").out)["tasks"] == []


def test_before_the_first_commit_there_is_nothing_to_measure(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "init", "-q", "empty")
    monkeypatch.chdir(tmp_path / "empty")
    assert "no commit here can be measured on" in run("eval").err
    assert "too few commits to learn from" in run("tune").out


def test_outside_git_the_error_says_what_is_missing(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain").mkdir()
    monkeypatch.chdir(tmp_path / "plain")
    for verb in ("eval", "tune"):
        told = run(verb)
        assert told.code == 1
        assert "is not in a git repository" in told.err


def test_too_few_commits_to_tune_are_told_and_nothing_changes(changed: Path, run: Run) -> None:
    said = "too few commits to learn from: 2 say what they change in a few source files, it takes 22; "
    assert run("tune").out == f"{said}nothing was changed\n"
    told = json.loads(run("tune", "--json").out)
    assert (told["enough"], told["kept"], told["weights"]) == (False, False, {})
    assert (told["before"], told["after"], told["found"], told["needed"]) == (None, None, 2, 22)
    assert run("tune", "--reset").out == "this project has no weights of its own\n"
    assert json.loads(run("tune", "--reset", "--json").out) == {"reset": False}


def test_either_outcome_of_tuning_is_said(project: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from haversack.evaluate.tune import Tuning

    def outcome(kept: bool) -> None:
        tuned = Tuning(kept, 0.5, 0.75 if kept else 0.4, 20, 10, {"words": 1.0})
        monkeypatch.setattr("haversack.evaluate.tune.tune", lambda now, **options: tuned)

    outcome(kept=False)
    assert run("tune").out.splitlines() == [
        "recall of changed files and lines in packets of 8,000 tokens, on 10 newer commits: "
        "50.0% before, 40.0% with new weights",
        "not kept: that is not better",
    ]
    outcome(kept=True)
    assert run("tune").out.splitlines()[1] == "kept; `haversack tune --reset` undoes it"
    assert run("tune", "--reset").out == "back to the weights that ship\n"


def test_interrupted_it_ends_at_once_and_leaves_nothing(changed: Path, quiet_home: Path) -> None:
    data = quiet_home / "data"
    # As the installed program starts. `python -m` ends by the signal itself, with -2, where Ctrl-C comes while Python
    # compiles a dataclass (it calls that unhandled, whoever caught it): one run in five. A shell reports 130 for both.
    start = "from haversack.__main__ import main; main()"
    program = [sys.executable, "-c", start, "--data-dir", str(data), "eval"]
    started = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ)
    while not list(data.glob("*/past-*/tree/src")):
        with suppress(subprocess.TimeoutExpired):
            raise AssertionError(f"it ended by itself: {started.wait(0.02)}")
    started.send_signal(signal.SIGINT)
    _, errors = started.communicate()
    assert started.returncode == 130
    assert b"Traceback" not in errors
    assert list(data.glob("*/past-*")) == []
