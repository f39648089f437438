"""A project is found from wherever the user stands in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_cases import repository, run_git, write

from haversack.errors import OutsideProjectError, ProjectError
from haversack.project import Project, find_project
from haversack.project.find import find_repository


def test_a_working_directory_deep_inside_leads_to_the_git_root(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", {"a/b/c.py": "x = 1\n"})
    project = find_project(root / "a" / "b")
    assert project.roots == (root,)
    assert project.git_dirs == (root / ".git",)
    assert project.is_git


def test_a_file_as_starting_point_stands_for_its_folder(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", {"a/c.py": "x = 1\n"})
    assert find_project(root / "a" / "c.py").root == root


def test_a_plain_folder_is_its_own_project(tmp_path: Path) -> None:
    project = find_project(tmp_path)
    assert project.root == tmp_path
    assert project.git_dirs == (None,)
    assert not project.is_git


def test_a_git_folder_without_a_repository_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert not find_project(tmp_path).is_git


def test_a_git_file_that_is_no_link_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("hello\n")
    assert not find_project(tmp_path).is_git


def test_a_worktree_has_its_own_root_and_shares_its_data(tmp_path: Path) -> None:
    main = repository(tmp_path / "main", {"a.py": "x = 1\n"})
    run_git(main, "worktree", "add", "-q", str(tmp_path / "side"), "-b", "side")
    project = find_project(tmp_path / "side")
    assert project.root == tmp_path / "side"
    assert project.git_dirs == (main / ".git" / "worktrees" / "side",)
    found = find_repository(tmp_path / "side")
    assert found is not None
    assert found.common_dir == main / ".git"


def test_a_submodule_is_a_project_of_its_own_when_one_stands_in_it(tmp_path: Path) -> None:
    library = repository(tmp_path / "library", {"lib.py": "x = 1\n"})
    main = repository(tmp_path / "main", {"a.py": "x = 1\n"})
    run_git(main, "submodule", "add", "-q", str(library), "vendored-lib")
    assert find_project(main / "vendored-lib").root == main / "vendored-lib"
    assert find_project(main / "vendored-lib").git_dirs == (main / ".git" / "modules" / "vendored-lib",)


def test_a_missing_folder_is_refused_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="is not a folder"):
        find_project(tmp_path / "nowhere")


def test_links_on_the_way_to_the_root_are_resolved(tmp_path: Path) -> None:
    root = repository(tmp_path / "real", {"a.py": "x = 1\n"})
    (tmp_path / "link").symlink_to(root)
    assert find_project(tmp_path / "link").root == root


def test_the_key_is_the_same_in_every_run_and_differs_between_projects(tmp_path: Path) -> None:
    one, two = Project((Path("/a/b"),), (None,)), Project((Path("/a/c"),), (None,))
    assert one.key == Project((Path("/a/b"),), (None,)).key
    assert one.key != two.key
    assert len(one.key) == 16


def test_several_roots_prefix_their_paths_with_their_names(tmp_path: Path) -> None:
    for name in ("one/app", "two/app", "two/app-2", "lib"):
        (tmp_path / name).mkdir(parents=True)
    names = ["one/app", "two/app", "two/app-2", "lib"]
    project = find_project(tmp_path, roots=[tmp_path / name for name in names])
    assert project.prefixes == ("app/", "app-3/", "app-2/", "lib/")
    assert project.resolve("app-3/x.py") == tmp_path / "two/app/x.py"
    assert project.relative(tmp_path / "two/app/x.py") == "app-3/x.py"
    assert project.relative(tmp_path / "lib") == "lib"
    with pytest.raises(OutsideProjectError):
        project.resolve("other/x.py")


def test_relative_roots_count_from_the_start_and_nested_ones_are_one(tmp_path: Path) -> None:
    write(tmp_path, {"app/inner/x.py": "", "lib/y.py": ""})
    project = find_project(tmp_path / "app", roots=[Path(), Path("inner"), Path("../lib"), Path()])
    assert project.roots == (tmp_path / "app", tmp_path / "lib")


def test_a_root_inside_a_repository_knows_the_repository(tmp_path: Path) -> None:
    root = repository(tmp_path / "mono", {"pkg/x.py": "x = 1\n"})
    project = find_project(root, roots=[root / "pkg"])
    assert project.roots == (root / "pkg",)
    assert project.git_dirs == (root / ".git",)


@pytest.mark.parametrize("path", ["../x", "a/../../x", "/etc/passwd", "a\0b"])
def test_paths_that_leave_the_project_do_not_resolve(tmp_path: Path, path: str) -> None:
    with pytest.raises(OutsideProjectError):
        find_project(tmp_path).resolve(path)


def test_relative_paths_come_back_from_absolute_ones_and_through_links(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", {"a/b.py": ""})
    (tmp_path / "link").symlink_to(root)
    project = find_project(root)
    assert project.relative(root / "a" / "b.py") == "a/b.py"
    assert project.relative(Path("a/b.py")) == "a/b.py"
    assert project.relative(tmp_path / "link" / "a" / "b.py") == "a/b.py"
    assert project.relative(root) == "."
    assert project.relative(tmp_path / "shop-evil" / "b.py") is None
