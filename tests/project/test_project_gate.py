"""One function decides what may be read, and nothing leads outside."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from project_cases import repository, write

from haversack.errors import NotFoundError, OutsideProjectError, ProjectError
from haversack.project import Project, find_project, gate
from haversack.project.gate import may_read, open_inside


@pytest.fixture
def project(tmp_path: Path) -> Project:
    write(
        tmp_path,
        {"shop/a.py": "inside", "shop/sub/b.py": "below", "shop-evil/a.py": "outside", "secret.txt": "outside"},
    )
    return find_project(tmp_path / "shop")


def read(project: Project, path: Path | str) -> bytes:
    with open_inside(project, path) as file:
        return file.read()


def test_files_inside_are_read_by_project_path_and_by_absolute_path(project: Project) -> None:
    assert read(project, "a.py") == b"inside"
    assert read(project, "sub/b.py") == b"below"
    assert read(project, Path("sub/b.py")) == b"below"
    assert read(project, project.root / "a.py") == b"inside"
    assert read(project, str(project.root / "a.py")) == b"inside"
    assert may_read(project, "a.py")


@pytest.mark.parametrize("path", ["../secret.txt", "sub/../../secret.txt", "../shop-evil/a.py", "a.py\0.txt"])
def test_dots_and_sibling_prefixes_never_lead_outside(project: Project, path: str) -> None:
    with pytest.raises(OutsideProjectError):
        open_inside(project, path)
    assert not may_read(project, path)


def test_absolute_paths_outside_are_refused_even_when_spelled_through_the_root(project: Project) -> None:
    for path in (
        project.root.parent / "secret.txt",
        project.root.parent / "shop-evil" / "a.py",
        f"{project.root}/../secret.txt",
    ):
        with pytest.raises(OutsideProjectError):
            open_inside(project, path)


def test_links_that_stay_inside_are_followed(project: Project) -> None:
    (project.root / "link.py").symlink_to("sub/b.py")
    (project.root / "folder").symlink_to("sub")
    assert read(project, "link.py") == b"below"
    assert read(project, "folder/b.py") == b"below"


def test_links_that_lead_outside_are_never_followed(project: Project) -> None:
    outside = project.root.parent
    (project.root / "file").symlink_to(outside / "secret.txt")
    (project.root / "folder").symlink_to(outside / "shop-evil")
    (project.root / "twice").symlink_to("file")
    for path in ("file", "folder/a.py", "twice"):
        with pytest.raises(OutsideProjectError, match="leads outside"):
            open_inside(project, path)
        assert not may_read(project, path)


def test_a_link_to_itself_is_refused_and_a_broken_one_is_not_there(project: Project) -> None:
    (project.root / "loop").symlink_to("loop")
    (project.root / "broken").symlink_to("nowhere")
    with pytest.raises(OutsideProjectError, match="back to itself"):
        open_inside(project, "loop")
    with pytest.raises(NotFoundError):
        open_inside(project, "broken")


def test_a_fifo_is_refused_without_waiting_for_a_writer(project: Project) -> None:
    os.mkfifo(project.root / "pipe")
    (project.root / "to-pipe").symlink_to("pipe")
    for path in ("pipe", "to-pipe"):
        with pytest.raises(OutsideProjectError, match="not a regular file"):
            open_inside(project, path)


def test_sockets_folders_and_devices_are_refused(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.root)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("s")  # a short name: socket paths are limited
        with pytest.raises(OutsideProjectError, match="not a regular file"):
            open_inside(project, "s")
    (project.root / "null").symlink_to("/dev/null")
    for path in ("sub", "null"):
        with pytest.raises(OutsideProjectError):
            open_inside(project, path)


def test_git_s_own_folder_is_not_project_material(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", {"a.py": "x = 1\n"})
    (root / "config").symlink_to(".git/config")
    project = find_project(root)
    for path in (".git/config", "config", root / ".git" / "HEAD"):
        assert not may_read(project, path)


def test_what_is_missing_or_below_a_file_is_not_found(project: Project) -> None:
    for path in ("none.py", "a.py/b", "none/x.py"):
        with pytest.raises(NotFoundError, match="does not exist"):
            open_inside(project, path)
        assert not may_read(project, path)


def test_what_the_system_refuses_is_named_with_the_reason(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(gate.os, "open", refuse)
    with pytest.raises(ProjectError, match=r"'a\.py' cannot be read: Permission denied"):
        open_inside(project, "a.py")
    assert not may_read(project, "a.py")


def test_a_file_swapped_for_a_link_between_look_and_open_is_refused(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look sees a file; by the time of the open, its folder leads outside."""
    real_open = os.open

    def swap(path: str, flags: int, *rest: object) -> int:
        (project.root / "sub").rename(project.root / "moved")
        (project.root / "sub").symlink_to(project.root.parent / "shop-evil")
        (project.root.parent / "shop-evil" / "b.py").write_text("outside")
        return real_open(path, flags)

    monkeypatch.setattr(gate.os, "open", swap)
    with pytest.raises(OutsideProjectError):
        open_inside(project, "sub/b.py")


@pytest.mark.parametrize("platform", ["darwin", "linux"])
def test_where_the_system_cannot_name_an_open_file_its_name_is_checked_again(
    project: Project, monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    real_readlink = os.readlink

    def not_mounted(path: str, **rest: object) -> str:
        if path.startswith("/proc/"):
            raise FileNotFoundError(2, "not mounted", path)
        return real_readlink(path)

    monkeypatch.setattr(gate.sys, "platform", platform)
    monkeypatch.setattr(gate.os, "readlink", not_mounted)
    (project.root / "folder").symlink_to(project.root.parent / "shop-evil")
    assert read(project, "sub/b.py") == b"below"
    with pytest.raises(OutsideProjectError):
        open_inside(project, "folder/a.py")


def test_every_root_of_several_may_be_read_and_links_between_them_followed(tmp_path: Path) -> None:
    write(tmp_path, {"one/a.py": "1", "two/b.py": "2", "three/c.py": "3"})
    (tmp_path / "one" / "b.py").symlink_to("../two/b.py")
    (tmp_path / "one" / "c.py").symlink_to("../three/c.py")
    project = find_project(tmp_path, roots=[Path("one"), Path("two")])
    assert read(project, "one/b.py") == b"2"
    assert not may_read(project, "one/c.py")
