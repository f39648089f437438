"""A project's own commits say how good packets are, and what weights would serve it better."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from haversack import Haversack
from haversack.errors import SourceError, UsageError
from haversack.evaluate.fitting import Example, fit
from haversack.evaluate.measure import shown
from haversack.evaluate.past import past_tasks, split
from haversack.evaluate.tree import PastTree
from haversack.measuring import WEIGHTS_FILE
from haversack.retrieve.learned import WEIGHTS


def git(root: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(root: Path, message: str, files: dict[str, str]) -> str:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)
    return git(root, "rev-parse", "HEAD")


def module(name: str, number: int) -> str:
    return f'"""The {name}."""\n\n\ndef open_{name}(path):\n    """Open the {name}."""\n    return path * {number}\n'


NAMES = ("ledger", "basket", "voucher", "invoice")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    commit(root, "everything at once", {f"shop/{name}.py": module(name, 1) for name in NAMES})
    for number in range(2, 8):
        for name in NAMES:
            commit(
                root, f"Opening the {name} repeats its path {number} times", {f"shop/{name}.py": module(name, number)}
            )
    commit(root, "typo", {"shop/ledger.py": module("ledger", 40)})
    commit(
        root, "Explain how the basket is opened in the tests", {"tests/test_basket.py": "def test_it():\n    pass\n"}
    )
    return root


@pytest.fixture
def project(root: Path, tmp_path: Path) -> Iterator[Haversack]:
    with Haversack(root, data_dir=tmp_path / "data") as project:
        yield project


def test_commits_that_say_what_they_do_and_change_source_are_tasks(root: Path) -> None:
    tasks = past_tasks(root, 3)
    assert [task.text for task in tasks] == [
        f"Opening the {name} repeats its path 7 times" for name in ("invoice", "voucher", "basket")
    ]
    assert tasks[0].lines == {"shop/invoice.py": frozenset({6})}
    assert tasks[0].parent == git(root, "rev-parse", f"{tasks[0].commit}^")


def test_around_an_insertion_its_neighbours_are_what_changes(root: Path) -> None:
    text = module("ledger", 40).replace('"""The ledger."""\n', '"""The ledger."""\n\nimport os\n')
    commit(root, "The ledger needs the operating system", {"shop/ledger.py": text})
    assert past_tasks(root, 1)[0].lines == {"shop/ledger.py": frozenset({2, 3})}


def test_a_number_of_commits_below_one_is_refused(root: Path) -> None:
    with pytest.raises(UsageError, match="0 commits"):
        past_tasks(root, 0)


def test_the_newer_part_judges(root: Path) -> None:
    tasks = past_tasks(root, 9)
    older, newer = split(tasks, 1 / 3)
    assert (len(older), len(newer)) == (6, 3)
    assert min(task.time for task in newer) >= max(task.time for task in older)


def test_a_past_tree_holds_its_commit_and_nothing_later(root: Path, tmp_path: Path) -> None:
    tree = PastTree(root, tmp_path / "then")
    tree.move(git(root, "rev-parse", "HEAD"))
    assert (tree.folder / "tests/test_basket.py").exists()
    tree.move(git(root, "rev-parse", "HEAD~2"))
    assert not (tree.folder / "tests/test_basket.py").exists()
    assert git(tree.folder, "log", "-1", "--format=%s") == "Opening the invoice repeats its path 7 times"
    with pytest.raises(SourceError):
        tree.move("0" * 40)


def test_without_a_repository_there_is_nothing_to_go_back_to(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="not in a git repository"):
        PastTree(tmp_path, tmp_path / "then")


def test_recall_grows_with_the_budget_and_each_commit_is_told(project: Haversack) -> None:
    found = project.evaluate(commits=3, budgets=(400, 4_000))
    assert [at.budget for at in found.budgets] == [400, 4_000]
    small, large = found.budgets
    assert large.lines >= small.lines
    assert large.lines == 1.0
    assert large.tokens <= 4_000
    assert found.first == 1.0
    assert {task.title for task in found.tasks} == {
        f"Opening the {name} repeats its path 7 times" for name in ("invoice", "voucher", "basket")
    }
    assert not (project.folder / "past").exists()


def test_a_history_without_such_commits_is_no_error(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    commit(tmp_path, "first", {"a.py": "x = 1\n"})
    with Haversack(tmp_path, data_dir=tmp_path / ".data") as project:
        assert project.evaluate().tasks == ()
        assert not project.tune().enough


def test_what_a_packet_shows_is_counted_without_what_it_elides(project: Haversack) -> None:
    packet = project.pack("Opening the ledger repeats its path", budget=2_000)
    told = shown(packet, {"shop/ledger.py": frozenset({4, 6}), "shop/gone.py": frozenset({1, 2})})
    assert told.files == 0.5
    assert told.lines == 0.5
    assert told.everything == 0.0


def test_tuning_says_what_came_of_it_and_keeps_only_what_is_better(project: Haversack) -> None:
    tuned = project.tune(commits=24)
    assert tuned.enough
    assert set(tuned.weights) == set(WEIGHTS)
    assert tuned.kept == (tuned.after >= tuned.before + 0.005)
    assert (project.folder / WEIGHTS_FILE).exists() == tuned.kept
    assert project.learned == (tuned.weights if tuned.kept else WEIGHTS)


def test_a_projects_own_weights_are_used_until_they_are_taken_back(root: Path, tmp_path: Path) -> None:
    import json

    own = dict.fromkeys(WEIGHTS, 0.5)
    with Haversack(root, data_dir=tmp_path / "data") as first:
        (first.folder / WEIGHTS_FILE).write_text(json.dumps(own))
        assert first.learned == own
        assert first.untune()
        assert first.learned == WEIGHTS
        assert not first.untune()
        for broken in ("{", "[]", '{"words": 1}'):
            (first.folder / WEIGHTS_FILE).write_text(broken)
            first._learned = None
            assert first.learned == WEIGHTS, "weights of another version, or none at all"


def test_the_fit_finds_the_column_that_tells() -> None:
    chance = np.random.default_rng(0)
    examples = []
    for _ in range(30):
        columns = chance.random((12, 3)).astype(np.float32)
        changed = np.zeros(12)
        changed[int(columns[:, 1].argmax())] = 1.0
        examples.append(Example(columns, changed, np.arange(12) // 3))
    weights = fit(examples, np.zeros(3))
    assert weights[1] > 3 * max(abs(weights[0]), abs(weights[2]))
