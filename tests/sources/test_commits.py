"""The commits source: every commit is a unit, today's paths are known, and what did not change costs nothing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from history_cases import ENVIRONMENT, History, Index, indexed

from haversack.model import Citation
from haversack.project import find_project
from haversack.sources.commits import CommitsSource, head, log, reading, source
from haversack.sources.commits.log import Names
from haversack.sources.protocol import Item, SourceAdapter


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "shop")


def test_it_is_a_source() -> None:
    found = CommitsSource()
    assert isinstance(found, SourceAdapter)
    assert (found.name, found.threshold, found.limit) == ("commits", 0.4, 5000)
    assert found.compressors() == {}


def test_a_commit_is_a_unit_with_its_message_author_time_files_and_churn(history: History) -> None:
    history.commit("Add the shop", {"a.py": "one\n", "b.py": "two\n"})
    sha = history.commit("Fix the till\n\nIt gave too much back.\n", {"a.py": "one\nthree\n", "b.py": None})
    index = indexed(history.root)
    unit = index.units()[sha]
    assert (unit.source, unit.kind, unit.title, unit.name) == ("commits", "commit", "Fix the till", sha[:12])
    assert unit.citations == (Citation.of_commit(sha),)
    assert index.source.cite(unit) == unit.citations
    assert unit.time == float(history.git("log", "-1", "--format=%ct", sha))
    assert unit.meta == {
        "author": "Ada",
        "files": ("a.py", "b.py"),
        "files_total": 2,
        "insertions": 1,
        "deletions": 1,
        "diff_cut": False,
    }
    assert unit.text.startswith("Fix the till\n\nIt gave too much back.\n\na.py\nb.py\n\ndiff --git a/a.py b/a.py\n")
    assert "+three" in unit.text
    assert "-two" in unit.text
    assert "ada@example.org" not in repr(unit)


def test_ids_are_the_same_in_every_run(history: History) -> None:
    history.commit("one", {"a.py": "1\n"})
    assert [unit.id for unit in indexed(history.root).units().values()] == [
        unit.id for unit in indexed(history.root).units().values()
    ]


def test_nothing_is_run_while_head_stands_still(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    history.commit("one", {"a.py": "1\n"})
    index = indexed(history.root)
    monkeypatch.setenv("PATH", "/nonexistent")
    changes = index.refresh()
    assert (changes.changed, changes.gone) == ((), ())


def test_a_new_commit_costs_that_commit(history: History) -> None:
    history.commit("one", {"a.py": "1\n"})
    index = indexed(history.root)
    sha = history.commit("two", {"a.py": "2\n"})
    assert [item.key for item in index.refresh().changed] == [sha, "HEAD"]
    assert len(index.units()) == 2


def test_rewritten_history_drops_what_is_no_longer_reachable(history: History) -> None:
    history.commit("one", {"a.py": "1\n"})
    lost = history.commit("two", {"a.py": "2\n"})
    index = indexed(history.root)
    history.git("reset", "-q", "--hard", "HEAD~1")
    sha = history.commit("other", {"a.py": "3\n"})
    changes = index.refresh()
    assert changes.gone == (lost,)
    assert [item.key for item in changes.changed] == [sha, "HEAD"]


def test_switching_branches_back_and_forth_keeps_what_both_share(history: History) -> None:
    shared = history.commit("one", {"a.py": "1\n"})
    history.git("checkout", "-q", "-b", "side")
    side = history.commit("side", {"b.py": "1\n"})
    index = indexed(history.root)
    history.git("checkout", "-q", "main")
    index.refresh()
    assert set(index.units()) == {shared}
    history.git("checkout", "-q", "side")
    assert [item.key for item in index.refresh().changed] == [side, "HEAD"]
    assert set(index.units()) == {shared, side}


def test_history_rewritten_beyond_recall_is_read_anew(history: History) -> None:
    shared = history.commit("one", {"a.py": "1\n"})
    history.commit("two", {"a.py": "2\n"})
    index = indexed(history.root)
    history.git("reset", "-q", "--hard", "HEAD~1")
    history.git("reflog", "expire", "--expire=now", "--all")
    history.git("gc", "-q", "--prune=now")
    assert [item.key for item in index.refresh().changed] == [shared, "HEAD"]


# -- names ------------------------------------------------------------------------------------------------------------


def test_files_have_today_s_names_along_a_chain_of_renames(history: History) -> None:
    text = "".join(f"line {number}\n" for number in range(20))
    first = history.commit("first", {"old.py": text, "other.py": "x\n"})
    history.move("old.py", "mid.py")
    edit = history.commit("edit", {"mid.py": text + "more\n"})
    last = history.move("mid.py", "pkg/new.py")
    units = indexed(history.root).units()
    assert units[first].meta["files"] == ("pkg/new.py", "other.py")
    assert units[first].meta["files_then"] == ("old.py", "other.py")
    assert units[edit].meta["files"] == ("pkg/new.py",)
    assert units[last].meta["files"] == ("pkg/new.py",)
    assert "files_then" not in units[last].meta
    assert "mid.py -> pkg/new.py" in units[last].text


def test_a_new_rename_renames_the_past_and_only_what_it_touches_is_read_again(history: History) -> None:
    text = "".join(f"line {number}\n" for number in range(20))
    first = history.commit("first", {"old.py": text})
    history.commit("unrelated", {"other.py": "x\n"})
    index = indexed(history.root)
    moved = history.move("old.py", "new.py")
    assert [item.key for item in index.refresh().changed] == [moved, first, "HEAD"]
    assert index.units()[first].meta["files"] == ("new.py",)
    history.git("reset", "-q", "--hard", "HEAD~1")
    assert [item.key for item in index.refresh().changed] == [first, "HEAD"]
    assert index.units()[first].meta["files"] == ("old.py",)


def test_many_renames_at_once_read_everything_anew(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_RENAMED_PATHS", 1)
    history.commit("first", {"old.py": "a\nb\nc\n"})
    history.commit("unrelated", {"other.py": "x\n"})
    index = indexed(history.root)
    history.move("old.py", "new.py")
    assert len(index.refresh().changed) == 4


def test_a_name_that_was_used_twice_means_two_files(history: History) -> None:
    text = "".join(f"line {number}\n" for number in range(20))
    first = history.commit("first", {"a.py": text})
    history.move("a.py", "b.py")
    second = history.commit("again", {"a.py": "something else\n"})
    units = indexed(history.root).units()
    assert units[first].meta["files"] == ("b.py",)
    assert units[second].meta["files"] == ("a.py",)


def test_files_that_swap_names_keep_apart() -> None:
    names = Names()
    names.step_back([("b", "a"), ("a", "b")], [])
    assert (names.today("a"), names.today("b")) == ("b", "a")
    names.step_back([], ["a"])
    assert names.today("a") == "a"


def test_a_tree_that_moves_as_a_whole_is_followed_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MAX_FOLLOWED", 2)
    names = Names()
    names.step_back([(f"old{n}", f"new{n}") for n in range(5)], [])
    assert [names.today(f"old{n}") for n in range(5)] == ["new0", "new1", "old2", "old3", "old4"]


# -- how much is kept -------------------------------------------------------------------------------------------------


def test_only_recent_commits_keep_their_diff_and_it_goes_when_they_age(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "DIFF_COMMITS", 2)
    shas = [history.commit(f"c{number}", {"a.py": f"{number}\n"}) for number in range(3)]
    index = indexed(history.root)
    assert [("diff --git" in index.units()[sha].text) for sha in shas] == [False, True, True]
    assert "insertions" not in index.units()[shas[0]].meta
    newest = history.commit("c3", {"a.py": "3\n"})
    assert [item.key for item in index.refresh().changed] == [newest, shas[1], "HEAD"]
    assert "diff --git" not in index.units()[shas[1]].text


def test_the_newest_commits_up_to_the_limit_are_known(history: History) -> None:
    shas = [history.commit(f"c{number}", {"a.py": f"{number}\n"}) for number in range(4)]
    index = indexed(history.root, limit=2)
    assert set(index.units()) == set(shas[2:])
    newest = history.commit("c4", {"a.py": "4\n"})
    assert index.refresh().gone == (shas[2],)
    assert set(index.units()) == {shas[3], newest}
    index.source = CommitsSource(limit=3)
    index.refresh()
    assert set(index.units()) == {shas[2], shas[3], newest}
    index.source = CommitsSource(limit=0)
    index.refresh()
    assert not index.known


def test_a_commit_of_thousands_of_files_is_bounded(history: History) -> None:
    sha = history.commit("all", {f"d{number % 10}/f{number:04}.txt": "x\n" * 5 for number in range(1500)})
    unit = indexed(history.root).units()[sha]
    files = unit.meta["files"]
    assert isinstance(files, tuple)
    assert len(files) == 200
    assert unit.meta["files_total"] == 1500
    assert unit.meta["insertions"] == 7500
    assert unit.meta["diff_cut"] is True
    assert "and 1450 more files" in unit.text
    assert len(unit.text) < 20_000


def test_a_diff_too_large_to_count_is_cut_and_not_counted(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MAX_COUNTED_BYTES", 10_000)
    large = history.commit("large", {"a.txt": "some line\n" * 20_000})
    small = history.commit("small", {"b.txt": "x\n"})
    units = indexed(history.root).units()
    assert "insertions" not in units[large].meta
    assert units[small].meta["insertions"] == 1
    assert len(units[large].text) < 10_000


def test_a_message_of_megabytes_is_bounded(history: History) -> None:
    sha = history.commit("title\n\n" + "word " * 400_000, {"a.py": "1\n"})
    unit = indexed(history.root).units()[sha]
    assert unit.title == "title"
    assert len(unit.text) < 30_000
    assert "diff --git" in unit.text


def test_lines_that_look_like_headers_do_not_confuse_the_count(history: History) -> None:
    history.commit("first", {"a.txt": "-- old\nkeep\n"})
    sha = history.commit("second", {"a.txt": "++ new\nkeep\n"})
    meta = indexed(history.root).units()[sha].meta
    assert (meta["insertions"], meta["deletions"]) == (1, 1)


# -- what repositories come up with ----------------------------------------------------------------------------------


def test_secrets_in_messages_diffs_and_names_are_gone(history: History) -> None:
    key = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    history.git("config", "user.name", f"Ada {key}")
    unnamed = {name: value for name, value in ENVIRONMENT.items() if name != "GIT_AUTHOR_NAME"}
    (history.root / "a.py").write_text(f'token = "{key}"\n')
    history.git("add", "-A")
    subprocess.run(["git", "commit", "-q", "-m", f"use {key}"], cwd=history.root, env=unnamed, check=True)
    unit = next(iter(indexed(history.root).units().values()))
    assert key not in repr(unit)
    assert unit.title == "use [redacted:github-token]"
    assert unit.meta["author"] == "Ada [redacted:github-token]"


def test_odd_names_and_empty_messages_are_taken_as_they_are(history: History) -> None:
    sha = history.commit("", {"--output=x": "1\n", "two\nlines": "1\n", "ünï": "1\n", "M": "1\n", "R100": "1\n"})
    unit = indexed(history.root).units()[sha]
    assert unit.title == sha[:12]
    assert unit.meta["files"] == ("--output=x", "M", "R100", "two\nlines", "ünï")


def test_names_that_are_not_utf8_are_spelled_with_escapes(history: History) -> None:
    blob = history.git("hash-object", "-w", "--stdin", stdin=b"x\n")
    listed = b"100644 blob " + blob.encode() + b"\tcaf\xe9.txt\0"
    tree = history.git("mktree", "-z", stdin=listed)
    sha = history.git("commit-tree", tree, "-m", "odd")
    history.git("reset", "-q", "--soft", sha)
    assert indexed(history.root).units()[sha].meta["files"] == ("caf\\xe9.txt",)


def test_messages_in_legacy_encodings_are_read(history: History) -> None:
    history.commit("first", {"a.py": "1\n"})
    tree = history.git("rev-parse", "HEAD^{tree}")
    head_line = f"tree {tree}\nauthor Jos\xe9 <j@x> 1700000000 +0000\ncommitter Jos\xe9 <j@x> 1700000000 +0000\n"
    declared = (head_line + "encoding ISO-8859-1\n\nGr\xf6\xdfe\n").encode("latin-1")
    silent = (head_line + "\nna\xefve\n").encode("latin-1")
    for raw, title in ((declared, "Größe"), (silent, "naïve")):
        sha = history.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=raw)
        history.git("reset", "-q", "--soft", sha)
        unit = indexed(history.root).units()[sha]
        assert (unit.title, unit.meta["author"]) == (title, "José")


def test_a_commit_without_a_time_has_none(history: History) -> None:
    history.commit("first", {"a.py": "1\n"})
    tree = history.git("rev-parse", "HEAD^{tree}")
    raw = f"tree {tree}\nauthor A <a@x>\ncommitter A <a@x>\n\ntimeless\n".encode()
    sha = history.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=raw)
    history.git("reset", "-q", "--soft", sha)
    unit = indexed(history.root).units()[sha]
    assert unit.title == "timeless"
    assert unit.time in (None, 0.0)


def test_merges_are_units_without_files(history: History) -> None:
    history.commit("first", {"a.py": "1\n"})
    history.git("checkout", "-q", "-b", "side")
    history.commit("side", {"b.py": "1\n"})
    history.git("checkout", "-q", "main")
    history.commit("main", {"c.py": "1\n"})
    history.git("merge", "-q", "--no-ff", "-m", "Merge side", "side")
    sha = history.git("rev-parse", "HEAD")
    unit = indexed(history.root).units()[sha]
    assert (unit.title, unit.meta["files"], unit.text) == ("Merge side", (), "Merge side")


def test_no_commits_no_git_and_a_detached_head(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    assert indexed(plain).known == {}
    history = History(tmp_path / "shop")
    index = indexed(history.root)
    assert index.known == {}
    assert index.problems() == []
    sha = history.commit("one", {"a.py": "1\n"})
    history.git("checkout", "-q", "--detach")
    index.refresh()
    assert set(index.units()) == {sha}
    history.git("checkout", "-q", "--orphan", "empty")
    index.refresh()
    assert index.known == {}


def test_packed_refs_worktrees_and_other_hashes(tmp_path: Path) -> None:
    history = History(tmp_path / "shop", "--object-format=sha256")
    sha = history.commit("one", {"a.py": "1\n"})
    history.git("pack-refs", "--all")
    history.git("worktree", "add", "-q", str(tmp_path / "side"), "-b", "side")
    assert len(sha) == 64
    assert set(indexed(history.root).units()) == {sha}
    assert set(indexed(tmp_path / "side").units()) == {sha}


def test_a_shallow_clone_does_not_take_its_end_for_a_flood_of_files(tmp_path: Path) -> None:
    history = History(tmp_path / "shop")
    history.commit("one", {f"{number}.py": "1\n" for number in range(5)})
    history.commit("two", {"a.py": "2\n"})
    newest = history.commit("three", {"a.py": "3\n"})
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--depth=2", history.root.as_uri(), str(clone)], env=ENVIRONMENT, check=True)
    index = indexed(clone)
    by_title = {unit.title: unit for unit in index.units().values()}
    assert set(by_title) == {"three", "two"}
    assert by_title["three"].qualname == newest
    assert by_title["two"].meta["files"] == ()
    assert by_title["two"].text == "two"
    assert index.problems() == []


def test_a_partial_clone_is_read_without_the_contents_it_lacks(tmp_path: Path) -> None:
    history = History(tmp_path / "shop")
    history.git("config", "uploadpack.allowFilter", "true")
    text = "".join(f"line {number}\n" for number in range(20))
    history.commit("one", {"a.py": text})
    history.commit("two", {"a.py": text + "x\n", "b.py": text + "y\n"})
    (history.root / "a.py").rename(history.root / "c.py")
    history.commit("three", {"c.py": text + "z\n"})
    clone = tmp_path / "clone"
    subprocess.run(
        ["git", "clone", "-q", "--no-checkout", "--filter=blob:none", history.root.as_uri(), str(clone)],
        env=ENVIRONMENT,
        check=True,
    )
    index = indexed(clone)
    assert [unit.title for unit in index.units().values()] == ["three", "two", "one"]
    assert any("some diffs are left out" in problem for problem in index.problems())


@pytest.mark.parametrize("damage", ["garbage\n", "1234567890123456789012345678901234567890\n"])
def test_a_broken_ref_is_a_problem_and_what_was_known_stays(history: History, damage: str) -> None:
    sha = history.commit("one", {"a.py": "1\n"})
    index = indexed(history.root)
    (history.root / ".git" / "refs" / "heads" / "main").write_text(damage)
    index.refresh()
    assert set(index.units()) == {sha}
    assert len(index.problems()) == 1
    assert "git log" in index.problems()[0] or "git rev-list" in index.problems()[0]
    assert index.refresh().changed == ()
    (history.root / ".git" / "refs" / "heads" / "main").write_text(f"{sha}\n")
    index.refresh()
    assert index.problems() == []


def test_history_damaged_half_way_is_read_up_to_the_damage(history: History) -> None:
    lost = history.commit("one", {"a.py": "1\n"})
    middle = history.commit("two", {"a.py": "2\n"})
    later = history.commit("three", {"a.py": "3\n"})
    newest = history.commit("four", {"a.py": "4\n"})
    project = find_project(history.root)
    wanted = [Item(sha, f"d:{newest}") for sha in (newest, later, middle, lost)]
    (history.root / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    readings = list(CommitsSource().read(project, [*wanted, Item("HEAD", f"{newest}:5000:1")]))
    assert [reading.key for reading in readings] == [newest, later, middle, lost, "HEAD"]
    assert [unit.title for reading in readings for unit in reading.units] == ["four"]
    assert readings[-1].problems
    index = Index(project)
    index.refresh()
    assert index.problems()


def test_without_git_the_problem_names_the_way_out(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    history.commit("one", {"a.py": "1\n"})
    monkeypatch.setenv("PATH", "/nonexistent")
    index = indexed(history.root)
    assert any("git is not installed" in problem for problem in index.problems())


def test_a_head_that_is_no_ref_is_left_to_git(history: History) -> None:
    history.commit("one", {"a.py": "1\n"})
    (history.root / ".git" / "HEAD").write_text("ref: ../../outside\n")
    index = indexed(history.root)
    assert index.units() == {}
    repository = head.Repository(history.root, history.root / ".git")
    (history.root / ".git" / "HEAD").write_text("ref: refs/heads/alias\n")
    history.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    assert head.head_of(repository, history.root) == history.git("rev-parse", "main")


# -- several roots ----------------------------------------------------------------------------------------------------


def test_each_root_has_its_history_and_its_prefix(tmp_path: Path) -> None:
    one, two = History(tmp_path / "one"), History(tmp_path / "two")
    first, second = one.commit("in one", {"a.py": "1\n"}), two.commit("in two", {"b.py": "1\n"})
    project = find_project(tmp_path, roots=[one.root, two.root])
    index = indexed(project)
    assert set(index.known) == {f"one:{first}", "one:HEAD", f"two:{second}", "two:HEAD"}
    assert index.units()[second].meta["files"] == ("two/b.py",)
    third = two.commit("more", {"c.py": "1\n"})
    assert [item.key for item in index.refresh().changed] == [f"two:{third}", "two:HEAD"]


def test_a_root_inside_a_repository_has_the_history_of_its_own_files(tmp_path: Path) -> None:
    history = History(tmp_path / "mono")
    history.commit("elsewhere", {"other/b.py": "1\n"})
    inside = history.commit("inside", {"pkg/a.py": "1\n", "other/b.py": "2\n"})
    moved = history.move("pkg/a.py", "pkg/sub/a.py")
    project = find_project(history.root, roots=[history.root / "pkg"])
    units = indexed(project).units()
    assert set(units) == {inside, moved}
    assert units[inside].meta["files"] == ("sub/a.py",)
    assert "other/b.py" not in units[inside].text


def test_a_root_without_history_is_passed_over(tmp_path: Path) -> None:
    history = History(tmp_path / "one")
    sha = history.commit("in one", {"a.py": "1\n"})
    (tmp_path / "plain").mkdir()
    index = indexed(find_project(tmp_path, roots=[history.root, tmp_path / "plain"]))
    assert set(index.units()) == {sha}
