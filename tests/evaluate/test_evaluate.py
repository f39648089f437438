"""A project's own commits say how good packets are, and what weights would serve it better."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from tests.answering import answering
from tests.histories import git, make_history

from haversack import Haversack
from haversack.assemble.imports import imports_id
from haversack.errors import SourceError, UsageError
from haversack.evaluate.fitting import Example, fit
from haversack.evaluate.measure import files_by_score, shown, shown_lines
from haversack.evaluate.past import PastTask, past_tasks, split
from haversack.evaluate.replay import replay
from haversack.evaluate.tree import PastTree
from haversack.measuring import WEIGHTS_FILE
from haversack.model import Level, Omitted
from haversack.project import find_project
from haversack.receipt.packet import PacketItem
from haversack.retrieve.learned import LAST


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


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every module changed in turn, then a commit that says nothing and one that changes a test."""
    root = tmp_path_factory.mktemp("history")
    changes: list[tuple[str, dict[str, str]]] = [
        ("everything at once", {f"shop/{name}.py": module(name, 1) for name in NAMES})
    ]
    for number in range(2, 8):
        for name in NAMES:
            said = f"Opening the {name} repeats its path {number} times"
            changes.append((said, {f"shop/{name}.py": module(name, number)}))
    changes.append(("typo", {"shop/ledger.py": module("ledger", 40)}))
    test = {"tests/test_basket.py": "def test_it():\n    pass\n"}
    changes.append(("Explain how the basket is opened in the tests", test))
    make_history(root, changes)
    return root


@pytest.fixture
def root(history: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(history, tmp_path / "project"))


@pytest.fixture
def project(root: Path, tmp_path: Path) -> Iterator[Haversack]:
    with Haversack(root, data_dir=tmp_path / "data") as project:
        yield project


def left_behind(project: Haversack) -> list[Path]:
    return list(project.folder.glob("past*"))


def test_commits_that_say_what_they_do_and_change_source_are_tasks(root: Path) -> None:
    tasks = past_tasks(find_project(root), 3)
    assert [task.text for task in tasks] == [
        f"Opening the {name} repeats its path 7 times" for name in ("invoice", "voucher", "basket")
    ]
    assert tasks[0].lines == {"shop/invoice.py": frozenset({6})}
    assert tasks[0].parent == git(root, "rev-parse", f"{tasks[0].commit}^")


def test_around_an_insertion_its_neighbours_are_what_changes(root: Path) -> None:
    text = module("ledger", 40).replace('"""The ledger."""\n', '"""The ledger."""\n\nimport os\n')
    commit(root, "The ledger needs the operating system", {"shop/ledger.py": text})
    assert past_tasks(find_project(root), 1)[0].lines == {"shop/ledger.py": frozenset({2, 3})}


def test_a_number_of_commits_below_one_is_refused(root: Path) -> None:
    with pytest.raises(UsageError, match="0 commits"):
        past_tasks(find_project(root), 0)


def test_the_newer_part_judges(root: Path) -> None:
    tasks = past_tasks(find_project(root), 9)
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
    assert left_behind(project) == []


@pytest.mark.parametrize("commits", [0, 1])
def test_a_history_without_such_commits_is_no_error(tmp_path: Path, commits: int) -> None:
    git(tmp_path, "init", "-q")
    if commits:
        commit(tmp_path, "first", {"a.py": "x = 1\n"})
    with Haversack(tmp_path, data_dir=tmp_path / ".data") as project:
        assert project.evaluate().tasks == ()
        assert project.evaluate().budgets == ()
        tuned = project.tune()
        assert not tuned.enough
        assert not tuned.kept


def test_a_folder_without_git_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    with (
        Haversack(tmp_path, data_dir=tmp_path / ".data") as project,
        pytest.raises(SourceError, match="not in a git repository"),
    ):
        project.evaluate()


def test_a_shallow_clone_is_measured_on_what_it_has(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "5", root.as_uri(), "shallow")
    with Haversack(tmp_path / "shallow", data_dir=tmp_path / "data") as project:
        found = project.evaluate(commits=10, budgets=(4_000,))
    # Of five commits the oldest has no parent here, and two are no tasks.
    assert {task.title for task in found.tasks} == {
        f"Opening the {name} repeats its path 7 times" for name in ("invoice", "voucher")
    }
    assert found.problems == ()


def test_messages_without_spaces_between_words_are_tasks(root: Path) -> None:
    commit(root, "修复打开账本时路径重复次数错误", {"shop/ledger.py": module("ledger", 3)})
    commit(root, "修复", {"shop/ledger.py": module("ledger", 4)})
    commit(root, "Исправить повтор пути при открытии корзины", {"shop/basket.py": module("basket", 9)})
    assert [task.text for task in past_tasks(find_project(root), 2)] == [
        "Исправить повтор пути при открытии корзины",
        "修复打开账本时路径重复次数错误",
    ]


def test_what_cannot_be_brought_back_is_left_out_and_told(project: Haversack) -> None:
    tasks = past_tasks(project.project, 2)
    lost = replace(tasks[0], parent="0" * 40)
    found, problems = replay(project, [tasks[1], lost], lambda then, task: then.project.root)
    assert [task for task, _ in found] == [tasks[1]]
    assert [problem.where for problem in problems] == ["commit 000000000000"]


def test_an_interrupted_measurement_leaves_nothing_behind(project: Haversack) -> None:
    def stopped(then: Haversack, task: PastTask) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replay(project, past_tasks(project.project, 2), stopped)
    assert left_behind(project) == []
    assert not (project.folder / WEIGHTS_FILE).exists()


def test_what_a_killed_measurement_left_is_removed_by_a_later_one(project: Haversack) -> None:
    old, running = project.folder / "past-old", project.folder / "past-running"
    for folder in (old, running):
        (folder / "tree").mkdir(parents=True)
    os.utime(old, (0, 0))
    replay(project, [], lambda then, task: None)
    assert left_behind(project) == [running], "one that may still run is not touched"


def test_the_projects_own_weights_and_settings_are_what_is_measured(root: Path, tmp_path: Path) -> None:
    own = dict.fromkeys(LAST.weights, 0.5)
    with Haversack(root, data_dir=tmp_path / "data", flags={"pack.budget": 1234}) as project:
        project.learned = own
        found, _ = replay(
            project, past_tasks(project.project, 1), lambda then, task: (then.learned, then.config.pack.budget)
        )
    assert [each for _, each in found] == [(own, 1234)]


def test_a_project_of_some_folders_is_measured_on_changes_there(root: Path, tmp_path: Path) -> None:
    commit(root, "Explain what the other tool is good for", {"tools/other.py": "x = 1\n"})
    commit(root, "The other tool now counts from two", {"tools/other.py": "x = 2\n"})
    commit(root, "Ledger and tool agree on the number", {"tools/other.py": "x = 3\n", "shop/ledger.py": "y = 3\n"})
    with Haversack(root, data_dir=tmp_path / "data", flags={"project.roots": ["shop"]}) as project:
        tasks = past_tasks(project.project, 1)
        assert tasks[0].lines == {"invoice.py": frozenset({6})}
        found = project.evaluate(commits=1, budgets=(4_000,))
    assert found.budgets[0].lines == 1.0
    assert found.problems == ()


def test_no_language_model_is_asked_about_past_commits(root: Path, tmp_path: Path) -> None:
    with answering() as model:
        flags = {"index.reader.endpoint": model.endpoint, "index.reader.model": "small"}
        with Haversack(root, data_dir=tmp_path / "data", flags=flags) as project:
            assert project.evaluate(commits=1, budgets=(4_000,)).problems == ()
    assert model.asked == []


def test_what_a_packet_shows_is_counted_without_what_it_elides(project: Haversack) -> None:
    packet = project.pack("Opening the ledger repeats its path", budget=2_000)
    told = shown(packet, {"shop/ledger.py": frozenset({4, 6}), "shop/gone.py": frozenset({1, 2})}, project.texts)
    assert told.files == 0.5
    assert told.lines == 0.5
    assert told.everything == 0.0


def test_files_are_ranked_by_what_was_considered_whatever_was_shown(project: Haversack) -> None:
    packet = project.pack("Opening the ledger repeats its path", budget=2_000)
    gone = tuple(
        Omitted(item.id, item.title, "budget", None, item.section, item.score, item.path) for item in packet.items
    )
    unseen = replace(packet, items=(), omitted=(*gone, *packet.omitted))
    assert files_by_score(unseen) == files_by_score(packet)
    assert files_by_score(packet)[0] == "shop/ledger.py"
    last = files_by_score(packet)[-1]
    imports = Omitted(imports_id(last), last, "budget", None, "primary", 1.0, last)
    assert files_by_score(replace(packet, omitted=(*packet.omitted, imports))) == files_by_score(packet)


def test_prose_comes_after_code_unless_the_task_is_about_it(project: Haversack) -> None:
    packet = project.pack("Opening the ledger repeats its path", budget=2_000)
    page = Omitted("page", "Ledger", "budget", None, "primary", 1.0, "docs/ledger.md")
    packet = replace(packet, omitted=(*packet.omitted, page))
    code = [path for path in files_by_score(packet) if path.endswith(".py")]
    assert files_by_score(packet)[: len(code) + 1] == [*code, "docs/ledger.md"]
    about_docs = replace(packet, receipt=replace(packet.receipt, task_type="docs"))
    assert files_by_score(about_docs).index("docs/ledger.md") < len(code)


def test_comments_that_were_left_out_do_not_count_as_shown(root: Path, project: Haversack) -> None:
    text = "# One.\ndef add(a):\n    # Two.\n    # Three.\n    b = a\n\n    return b\n# Four.\n"
    (root / "shop/ledger.py").write_text(text, encoding="utf-8")
    item = PacketItem(
        "u", "code", "function", "primary", "add", "shop/ledger.py", 1, 8, Level.LIGHT, 9, 0.5, {}, (),
        "def add(a):\n    b = a\n\n    return b",
    )  # fmt: skip
    assert shown_lines(item, project.texts) == [(2, 2), (5, 7)]
    whole = replace(item, level=Level.FULL)
    assert shown_lines(whole, project.texts) == [(1, 8)]
    assert shown_lines(replace(item, path="shop/gone.py"), project.texts) == [(1, 8)]
    assert shown_lines(replace(item, level=Level.STUB), project.texts) == []


def test_weights_that_are_not_better_are_not_kept(project: Haversack) -> None:
    tuned = project.tune(commits=24)
    assert tuned.enough
    assert tuned.learned_from + tuned.judged_on == 24
    assert tuned.before == 1.0, "everything fits: nothing can be better"
    assert not tuned.kept
    assert set(tuned.weights) == set(LAST.weights)
    assert not (project.folder / WEIGHTS_FILE).exists()
    assert project.learned == LAST.weights


def test_weights_that_are_better_are_kept_and_used_from_then_on(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("haversack.evaluate.tune.BUDGET", 350)  # room for one of the modules
    with Haversack(root, data_dir=tmp_path / "data") as project:
        project.learned = {name: -9 * weight for name, weight in LAST.weights.items()}
        tuned = project.tune(commits=24)
        assert tuned.kept
        assert tuned.after > tuned.before
        assert project.learned == tuned.weights
    with Haversack(root, data_dir=tmp_path / "data") as later:
        assert later.learned == tuned.weights
        assert later.untune()
        assert later.learned == LAST.weights


def test_a_projects_own_weights_are_used_until_they_are_taken_back(root: Path, tmp_path: Path) -> None:
    import json

    own = dict.fromkeys(LAST.weights, 0.5)
    with Haversack(root, data_dir=tmp_path / "data") as first:
        (first.folder / WEIGHTS_FILE).write_text(json.dumps(own))
        assert first.learned == own
        assert first.untune()
        assert first.learned == LAST.weights
        assert not first.untune()
        for broken in ("{", "[]", '{"words": 1}'):
            (first.folder / WEIGHTS_FILE).write_text(broken)
            first._learned = None
            assert first.learned == LAST.weights, "weights of another version, or none at all"


def test_the_fit_finds_the_column_that_tells() -> None:
    chance = np.random.default_rng(0)
    examples = []
    for _ in range(30):
        columns = chance.random((12, 3)).astype(np.float32)
        changed = np.zeros(12)
        changed[int(columns[:, 1].argmax())] = 1.0
        examples.append(Example(columns, changed, np.arange(12) // 3, np.zeros(12)))
    weights = fit(examples, np.zeros(3))
    assert weights[1] > 3 * max(abs(weights[0]), abs(weights[2]))
