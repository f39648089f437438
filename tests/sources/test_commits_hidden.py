"""What is ignored now does not come back through the history."""

from __future__ import annotations

from pathlib import Path

import pytest
from history_cases import History, Index, indexed

from haversack import Haversack
from haversack.project import find_project
from haversack.project.own_rules import OwnRules
from haversack.sources.commits.hiding import shown_diff


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "shop")


def test_neither_diff_nor_list_of_a_commit_holds_what_is_ignored(history: History) -> None:
    files = {"private/plan.py": "def merger(): ...\n", "a.py": "one = 1\n", "b/.haversackignore": "deep.txt\n"}
    sha = history.commit("Add the plan", files | {"b/deep.txt": "sunken\n", ".haversackignore": "private/\n"})
    unit = indexed(history.root).units()[sha]
    assert unit.text.startswith("Add the plan\n\n.haversackignore\na.py\nb/.haversackignore\n\ndiff --git")
    assert "one = 1" in unit.text
    assert "merger" not in repr(unit)
    assert "plan.py" not in repr(unit)
    assert "sunken" not in repr(unit)
    assert unit.meta["files"] == (".haversackignore", "a.py", "b/.haversackignore")
    assert (unit.meta["files_total"], unit.meta["insertions"]) == (3, 3)


def test_what_is_ignored_takes_no_room_from_what_is_not(history: History) -> None:
    long = "".join(f"number_{n} = {n}\n" for n in range(2000))
    sha = history.commit("Add both", {"a/long.py": long, "b.py": "shown = 1\n", ".haversackignore": "a/\n"})
    unit = indexed(history.root).units()[sha]
    assert "+shown = 1" in unit.text
    assert unit.meta["diff_cut"] is False


def test_a_commit_of_nothing_else_keeps_its_message(history: History) -> None:
    sha = history.commit("Plan the merger", {"private/plan.py": "x\n"})
    history.commit("Ignore it", {".haversackignore": "private/\n"})
    assert indexed(history.root).units()[sha].text == "Plan the merger"


def test_a_file_is_ignored_under_every_name_it_had_or_has(history: History) -> None:
    text = "".join(f"line {n}\n" for n in range(40))
    first = history.commit("one", {"open/a.txt": text, "private/b.txt": text.upper()})
    moved = history.move("open/a.txt", "private/a.txt")
    freed = history.move("private/b.txt", "open/b.txt")
    history.commit("rules", {".haversackignore": "private/\n"})
    units = indexed(history.root).units()
    assert units[first].text == "one"
    assert units[moved].text == "move open/a.txt to private/a.txt"
    assert "diff --git" not in units[freed].text
    assert units[freed].meta["files"] == ("open/b.txt",)
    assert "private/b.txt -> " not in units[freed].text


def test_deleted_files_and_what_only_git_ignores_are_shown(history: History) -> None:
    sha = history.commit("one", {"gone.py": "gone = 1\n", "built.py": "built = 1\n"})
    history.commit("two", {"gone.py": None, "built.py": None, ".gitignore": "built.py\n"})
    assert {"gone = 1", "built = 1"} <= {line[1:] for line in indexed(history.root).units()[sha].text.splitlines()}


def test_skipped_folders_and_transcripts_are_not_shown(history: History) -> None:
    files = {"node_modules/x/i.js": "vendored\n", ".aider.chat.history.md": "said\n", "a.py": "own\n"}
    sha = history.commit("all", files)
    unit = indexed(history.root).units()[sha]
    assert unit.meta["files"] == ("a.py",)
    assert "vendored" not in unit.text
    assert "said" not in unit.text


def test_other_rules_have_the_history_read_again(history: History) -> None:
    sha = history.commit("one", {"private/plan.py": "merger\n", "a.py": "1\n"})
    index = indexed(history.root)
    assert "merger" in index.units()[sha].text
    (history.root / ".haversackignore").write_text("private/\n", encoding="utf-8")
    assert index.refresh().changed
    assert "merger" not in index.units()[sha].text
    assert not index.refresh().changed
    settings = Index(find_project(history.root, ignore=("a.py",)), index.source)
    settings.refresh()
    assert settings.units()[sha].text == "one"


def test_a_setting_can_ask_for_what_a_rule_ignores(history: History) -> None:
    history.commit("one", {"private/plan.py": "1\n", ".haversackignore": "private/\n"})
    assert OwnRules(find_project(history.root)).hides("private/plan.py")
    assert not OwnRules(find_project(history.root, include=("private/",))).hides("private/plan.py")


def test_rules_of_several_roots_hold_in_each(tmp_path: Path) -> None:
    for name in ("one", "two"):
        History(tmp_path / name).commit(name, {"private/a.py": "1\n", "b.py": "1\n"})
    (tmp_path / "two" / ".haversackignore").write_text("private/\n", encoding="utf-8")
    rules = OwnRules(find_project(tmp_path / "one", roots=[tmp_path / "one", tmp_path / "two"]))
    assert [rules.hides(path) for path in ("one/private/a.py", "two/private/a.py", "two/b.py")] == [False, True, False]


def test_a_path_of_very_many_folders_is_answered(history: History) -> None:
    history.commit("one", {"a.py": "1\n"})
    assert not OwnRules(find_project(history.root)).hides("a/" * 2000 + "b.py")


@pytest.mark.parametrize(
    "section",
    [
        'diff --git "a/private/\\303\\244\\t.py" "b/private/\\303\\244\\t.py"\n--- "a/private/\\303\\244\\t.py"\n'
        '+++ "b/private/\\303\\244\\t.py"\n@@ -1 +1 @@\n+merger',
        "diff --git a/private/my plan b/private/my plan\nnew file mode 100644",
        "diff --git a/private/my plan b/private/my plan\n--- /dev/null\n"
        "+++ b/private/my plan\t\n@@ -0,0 +1 @@\n+merger",
        "diff --git a/open b/private/x\nrename from open\nrename to private/x",
        "diff --git what is this\n@@ -1 +1 @@\n+merger",
    ],
)
def test_no_spelling_of_a_name_gets_through(section: str) -> None:
    shown = "diff --git a/b.py b/b.py\n--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n+open"
    assert shown_diff(f"{section}\n{shown}", lambda path: path.startswith("private/")) == shown
    assert shown_diff(shown, lambda path: path.startswith("private/")) == shown


def test_no_packet_shows_what_is_ignored_or_excluded(history: History, tmp_path: Path) -> None:
    history.commit("Add the merger plan", {"private/plan.py": "def merger_price(): ...\n", "a.py": "merger = 1\n"})
    with Haversack(history.root, data_dir=tmp_path / "data") as here:
        task = "who wrote the merger plan, and in which commit?"
        assert "merger_price" in here.pack(task, exclude=["private/*.txt"]).text
        packet = here.pack(task, exclude=["private/**"])
        assert "Add the merger plan" in packet.text
        assert "merger_price" not in packet.text
        assert not any("plan.py" in item.text for item in packet.items)
        (history.root / ".haversackignore").write_text("private/\n", encoding="utf-8")
        packet = here.pack(task)
        assert "Add the merger plan" in packet.text
        assert "merger_price" not in packet.text
        assert "plan.py" not in packet.text
