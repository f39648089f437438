"""A sweep finds every candidate by stat, says what it left out and why, and the next one costs what changed."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from project_cases import age, commit, repository, run_git, write

from haversack.errors import ProjectError
from haversack.project import Project, Stamp, Sweep, find_project, listing, sweep, walk


def same(again: Sweep, fresh: Sweep) -> None:
    """The incremental sweep says what a sweep from nothing says."""
    for field in ("files", "dirs", "skipped", "examples", "problems", "asides", "special", "rules", "large", "failed"):
        assert getattr(again, field) == getattr(fresh, field), field
    assert list(again.files) == sorted(again.files)


def names(project: Project) -> list[str]:
    return list(sweep(project).files)


def test_files_come_with_their_stamps_in_order(tmp_path: Path) -> None:
    write(tmp_path, {"b.py": "xy", "a/c.py": "x", "a.py": ""})
    found = sweep(find_project(tmp_path))
    assert list(found.files) == ["a.py", "a/c.py", "b.py"]
    assert found.files["b.py"] == Stamp(2, (tmp_path / "b.py").stat().st_mtime_ns)
    assert found.dirs.keys() == {"", "a"}


def test_ignore_files_hold_below_their_folder_and_later_kinds_win(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "*.log\nbuild/\n",
            ".ignore": "!kept.log\nnotes/\n",
            ".haversackignore": "!notes/\nsecret.py\n",
            "a.log": "", "kept.log": "", "build/x.py": "", "notes/n.md": "", "secret.py": "",
            "sub/.gitignore": "!b.log\n", "sub/b.log": "", "sub/c.log": "",
        },
    )  # fmt: skip
    found = sweep(find_project(tmp_path))
    assert [name for name in found.files if "ignore" not in name] == ["kept.log", "notes/n.md", "sub/b.log"]
    assert found.skipped["ignored"] == 4
    assert found.examples["ignored"] == ("a.log", "build/", "secret.py")


def test_settings_ignore_and_include_overrule_the_files(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "build/\n*.gen.py\n", "build/keep/api.md": "", "build/keep/deep/more.md": "",
            "build/out.txt": "", "src/a.gen.py": "", "src/b.gen.py": "", "docs/x.md": "", "node_modules/mine/i.js": "",
            "node_modules/y/i.js": "",
        },
    )  # fmt: skip
    project = find_project(tmp_path, ignore=["docs/"], include=["build/keep/**/*.md", "a.gen.py", "node_modules/mine/"])
    assert names(project) == [
        ".gitignore", "build/keep/api.md", "build/keep/deep/more.md", "node_modules/mine/i.js", "src/a.gen.py",
    ]  # fmt: skip


def test_git_s_own_exclude_file_holds_and_ends_at_an_inner_repository(tmp_path: Path) -> None:
    root = repository(tmp_path / "outer", {".gitignore": "*.txt\n", "a.py": ""})
    (root / ".git" / "info").mkdir(exist_ok=True)
    (root / ".git" / "info" / "exclude").write_text("local.py\n")
    write(root, {"local.py": "", "b.txt": ""})
    repository(root / "inner", {"c.txt": "", ".gitignore": "d.txt\n"})
    write(root, {"inner/d.txt": "", "inner/local.py": ""})
    assert names(find_project(root)) == [".gitignore", "a.py", "inner/.gitignore", "inner/c.txt", "inner/local.py"]


def test_files_git_tracks_although_it_ignores_them_belong_to_the_project(tmp_path: Path) -> None:
    root = repository(tmp_path, {".gitignore": "dist/\n*.gen\n", "dist/kept.js": "", "a.gen": "", "b.py": ""})
    write(root, {"dist/made.js": "", "b.gen": ""})
    found = sweep(find_project(root))
    assert list(found.files) == [".gitignore", "a.gen", "b.py", "dist/kept.js"]
    assert found.tracked == {"": ("a.gen", "dist/kept.js")}
    write(root, {".haversackignore": "dist/\n"})
    assert names(find_project(root)) == [".gitignore", ".haversackignore", "a.gen", "b.py"]


def test_a_checked_out_submodule_s_files_belong_to_the_project(tmp_path: Path) -> None:
    library = repository(tmp_path / "library", {"lib.py": "x = 1\n", ".gitignore": "t.gen\n", "t.gen": ""})
    main = repository(tmp_path / "main", {"a.py": "x = 1\n", ".gitignore": "*.py\n"})
    run_git(main, "submodule", "add", "-q", str(library), "lib")
    found = sweep(find_project(main))
    assert list(found.files) == [".gitignore", ".gitmodules", "a.py", "lib/.gitignore", "lib/lib.py", "lib/t.gen"]


def test_when_git_cannot_be_asked_ignored_files_stay_out_and_a_problem_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path, {".gitignore": "*.gen\n", "a.gen": "", "b.py": ""})
    monkeypatch.setenv("PATH", "/nonexistent")
    found = sweep(find_project(root))
    assert list(found.files) == [".gitignore", "b.py"]
    assert any("git is not installed" in problem.what for problem in found.problems)


def test_only_the_first_of_many_checkouts_are_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "MAX_REPOSITORIES_ASKED", 1)
    for name in ("one", "two"):
        repository(tmp_path / name, {".gitignore": "*.gen\n", "a.gen": ""})
    assert sum(map(len, sweep(find_project(tmp_path)).tracked.values())) == 1


def test_a_gitignore_that_leaves_nothing_in_a_folder_without_git_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "/*\n!/debian/\n", "a.py": "", "src/b.py": "", ".haversackignore": "src/\n"})
    project = find_project(tmp_path)
    found = sweep(project)
    assert list(found.files) == [".gitignore", ".haversackignore", "a.py"]
    assert "no git" in found.problems[0].what
    write(tmp_path, {"c.py": ""})
    same(sweep(project, found), sweep(project))
    write(tmp_path, {".gitignore": "c.py\n"})
    assert list(sweep(project, found).files) == [".gitignore", ".haversackignore", "a.py"]
    assert not sweep(project, found).problems


def test_folders_that_are_never_a_project_s_own_are_left_out(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "node_modules/x/i.js": "", "__pycache__/a.pyc": "", "env/pyvenv.cfg": "", "env/lib/x.py": "",
            ".hg/store": "",
            "target/CACHEDIR.TAG": "", "target/o.rs": "", "vendor/modules.txt": "", "vendor/m/x.go": "", "a.py": "",
            "lib/vendor/own.py": "", ".idea/x.xml": "",
        },
    )  # fmt: skip
    found = sweep(find_project(tmp_path))
    assert list(found.files) == ["a.py", "lib/vendor/own.py"]
    assert found.skipped == {"cache": 3, "vendored": 3}
    assert found.examples["vendored"] == ("env/", "node_modules/", "vendor/")


def test_a_root_is_read_even_if_it_looks_like_a_cache(tmp_path: Path) -> None:
    write(tmp_path, {"CACHEDIR.TAG": "", "a.py": ""})
    assert "a.py" in names(find_project(tmp_path))


def test_every_reason_is_counted_with_examples(tmp_path: Path) -> None:
    root = write(
        tmp_path / "shop", {"a.py": "", "big.txt": "x" * 50, "logo.PNG": "", "lib.min.js": "", "app.js.map": ""}
    )
    write(tmp_path, {"outside.txt": "", "out/x": ""})
    os.mkfifo(root / "pipe")
    (root / "inside").symlink_to("a.py")
    (root / "to-root").symlink_to(".")
    (root / "outside").symlink_to("../outside.txt")
    (root / "folder").symlink_to("../out")
    (root / "broken").symlink_to("nowhere")
    found = sweep(find_project(root, max_file_bytes=40))
    assert list(found.files) == ["a.py"]
    assert found.skipped == {
        "binary-extension": 1, "minified": 2, "oversized": 1, "special-file": 1, "symlink": 2, "symlink-broken": 1,
        "symlink-outside": 2,
    }  # fmt: skip
    assert found.examples["symlink-outside"] == ("folder", "outside")


def test_at_most_three_examples_of_a_reason_are_kept(tmp_path: Path) -> None:
    write(tmp_path, {f"d{n}/p{m}.png": "" for n in range(3) for m in range(3)})
    found = sweep(find_project(tmp_path))
    assert found.skipped == {"binary-extension": 9}
    assert found.examples == {"binary-extension": ("d0/p0.png", "d0/p1.png", "d0/p2.png")}


def test_names_with_line_breaks_are_kept_and_names_that_are_not_utf8_are_spelled_out(tmp_path: Path) -> None:
    write(tmp_path, {"two\nlines.py": "", "ünïcode.py": "", "-dash.py": ""})
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.py"))).write_text("")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/d\xff")).mkdir()
    found = sweep(find_project(tmp_path))
    assert list(found.files) == ["-dash.py", "two\nlines.py", "ünïcode.py"]
    assert found.skipped == {"undecodable-name": 2}
    assert found.examples["undecodable-name"] == ("caf\\xe9.py", "d\\xff")
    assert [problem.where for problem in found.problems] == ["caf\\xe9.py", "d\\xff"]
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(found), type=Sweep) == found


def test_a_sweep_survives_being_stored(tmp_path: Path) -> None:
    root = repository(tmp_path, {".gitignore": "*.gen\n", "a.gen": "", "b.py": "", "c.png": "", "d/e.py": ""})
    found = sweep(find_project(root))
    stored = msgspec.msgpack.encode(found)
    assert msgspec.msgpack.decode(stored, type=Sweep) == found
    assert msgspec.convert(msgspec.msgpack.decode(stored), Sweep) == found


def test_a_folder_that_cannot_be_listed_is_named_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"a.py": "", "closed/b.py": ""})
    age(tmp_path)
    project = find_project(tmp_path)
    real = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    with monkeypatch.context() as patch:
        patch.setattr(listing.os, "scandir", refuse)
        found = sweep(project)
    assert list(found.files) == ["a.py"]
    assert found.skipped == {"unreadable": 1}
    assert found.problems[0].where == "closed/"
    assert list(sweep(project, found).files) == ["a.py", "closed/b.py"]


def test_a_root_that_is_gone_is_an_error(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", {"a.py": ""})
    project = find_project(root)
    before = sweep(project)
    (root / "a.py").unlink()
    root.rmdir()
    with pytest.raises(ProjectError, match="cannot be listed"):
        sweep(project)
    with pytest.raises(ProjectError, match="cannot be listed"):
        sweep(project, before)


def test_several_roots_are_swept_as_one(tmp_path: Path) -> None:
    write(tmp_path, {"one/a.py": "1", "one/.gitignore": "x.py\n", "one/x.py": "", "two/b.py": "2", "two/s/c.py": ""})
    project = find_project(tmp_path, roots=[Path("one"), Path("two")], ignore=["/s/"], include=["x.py"])
    found = sweep(project)
    assert list(found.files) == ["one/.gitignore", "one/a.py", "one/x.py", "two/b.py"]
    write(tmp_path, {"one/a.py": "changed", "two/d.py": ""})
    again = sweep(project, found)
    same(again, sweep(project))
    assert "two/d.py" in again.files


# -- the second time -------------------------------------------------------------------------------------------------


@pytest.fixture
def settled(tmp_path: Path) -> tuple[Project, Sweep]:
    """A project nobody has touched for an hour, and its sweep."""
    root = repository(
        tmp_path / "shop",
        {
            ".gitignore": "*.log\n", "a.py": "a", "b/c.py": "c", "b/d/e.py": "e", "b/d/.gitignore": "skip.py\n",
            "b/d/skip.py": "", "x.png": "",
        },
    )  # fmt: skip
    age(tmp_path)
    project = find_project(root)
    return project, sweep(project)


def test_nothing_changed_lists_no_folder(settled: tuple[Project, Sweep], monkeypatch: pytest.MonkeyPatch) -> None:
    project, before = settled

    def never(*_: object) -> object:
        raise AssertionError("a folder was listed")

    monkeypatch.setattr(listing.os, "scandir", never)
    monkeypatch.setattr(walk.os, "listdir", never)
    again = sweep(project, before)
    assert again.files is before.files
    assert again.taken_ns > before.taken_ns


def test_an_edit_is_seen_without_listing_its_folder(settled: tuple[Project, Sweep]) -> None:
    project, before = settled
    (project.root / "b" / "c.py").write_text("longer")
    again = sweep(project, before)
    assert again.files["b/c.py"].size == 6
    assert {path for path in again.files if again.files[path] != before.files[path]} == {"b/c.py"}
    assert before.files["b/c.py"].size == 1


def change_add(root: Path) -> None:
    write(root, {"b/new.py": "", "b/new/deep/x.py": "", "y.log": ""})


def change_delete(root: Path) -> None:
    (root / "b" / "d" / "e.py").unlink()


def change_delete_folder(root: Path) -> None:
    run_git(root, "rm", "-rqf", "b/d")


def change_rename(root: Path) -> None:
    (root / "b" / "d").rename(root / "moved")


def change_rules(root: Path) -> None:
    write(root, {"b/d/.gitignore": "e.py\n"})


def change_root_rules(root: Path) -> None:
    write(root, {".gitignore": "b/\n", "n.log": ""})


def change_new_rules(root: Path) -> None:
    write(root, {"b/.ignore": "c.py\n"})


def change_no_rules(root: Path) -> None:
    (root / "b" / "d" / ".gitignore").unlink()


def change_exclude(root: Path) -> None:
    (root / ".git" / "info").mkdir(exist_ok=True)
    (root / ".git" / "info" / "exclude").write_text("a.py\n")


def change_to_environment(root: Path) -> None:
    write(root, {"b/d/pyvenv.cfg": ""})


def change_to_repository(root: Path) -> None:
    repository(root / "b" / "d")


def change_to_link(root: Path) -> None:
    (root / "b" / "d").rename(root.parent / "elsewhere")
    (root / "b" / "d").symlink_to(root.parent / "elsewhere")


def change_to_fifo(root: Path) -> None:
    (root / "a.py").unlink()
    os.mkfifo(root / "a.py")


def change_nothing(root: Path) -> None:
    (root / "b").touch()


CHANGES = [change for name, change in sorted(globals().items()) if name.startswith("change_")]


@pytest.mark.parametrize("change", CHANGES)
def test_after_any_change_the_next_sweep_says_what_a_new_one_would(
    settled: tuple[Project, Sweep], change: object
) -> None:
    project, before = settled
    assert callable(change)
    change(project.root)
    again = sweep(project, before)
    same(again, sweep(project))
    same(sweep(project, again), sweep(project))


def test_a_file_that_grows_past_the_limit_leaves_and_one_that_shrinks_comes_back(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": "x", "b.txt": "x" * 50})
    age(tmp_path)
    project = find_project(tmp_path, max_file_bytes=40)
    first = sweep(project)
    (tmp_path / "a.txt").write_text("x" * 50)
    (tmp_path / "b.txt").write_text("x")
    again = sweep(project, first)
    assert list(again.files) == ["b.txt"]
    same(again, sweep(project))


def test_other_settings_start_from_nothing(settled: tuple[Project, Sweep]) -> None:
    project, before = settled
    other = find_project(project.root, ignore=["a.py"])
    assert "a.py" not in sweep(other, before).files


def test_a_change_within_the_clock_s_tick_is_not_missed(tmp_path: Path) -> None:
    """A folder touched just before a sweep is listed again, even though its time is the same."""
    write(tmp_path, {"a.py": ""})
    project = find_project(tmp_path)
    before = sweep(project)
    then = tmp_path.stat().st_mtime_ns
    write(tmp_path, {"b.py": ""})
    os.utime(tmp_path, ns=(then, then))
    assert list(sweep(project, before).files) == ["a.py", "b.py"]
    assert before.may_hide_edits(before.files["a.py"])
    assert not before.may_hide_edits(Stamp(0, before.taken_ns - 10 * 10**9))


def test_a_file_that_vanishes_while_it_is_listed_is_no_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"a.py": "", "b.py": "", "d/c.py": ""})
    real = listing.Lister.keeps

    def vanish(self: listing.Lister, name: str, path: str, place: Any) -> bool:
        (tmp_path / "b.py").unlink(missing_ok=True)
        if (tmp_path / "d").exists():
            (tmp_path / "d" / "c.py").unlink()
            (tmp_path / "d").rmdir()
        return real(self, name, path, place)

    monkeypatch.setattr(listing.Lister, "keeps", vanish)
    assert set(sweep(find_project(tmp_path)).files) <= {"a.py"}


def test_a_long_random_walk_of_changes_never_drifts_from_the_truth(tmp_path: Path) -> None:
    choose = random.Random(7)
    root = repository(tmp_path / "shop", {"a.py": "", "d0/b.py": ""})
    project = find_project(root)
    known = sweep(project)
    for step in range(60):
        folder = root / choose.choice(["", "d0", "d1", "d0/e", "d1/f/g"])
        folder.mkdir(parents=True, exist_ok=True)
        name = choose.choice(["x.py", "y.log", "z.txt", ".gitignore", ".ignore", "pyvenv.cfg", "n.md"])
        content = choose.choice(["*.log\n", "x.py\n", "d*/\n", "!z.txt\n*.txt\n", f"step {step}\n"])
        if choose.random() < 0.3 and (folder / name).exists():
            (folder / name).unlink()
        else:
            (folder / name).write_text(content)
        if choose.random() < 0.5:
            age(root)
        known = sweep(project, known)
        same(known, sweep(project))


def test_more_commits_do_not_disturb_a_sweep(settled: tuple[Project, Sweep]) -> None:
    project, before = settled
    commit(project.root, {"new.py": ""}, "second")
    same(sweep(project, before), sweep(project))
