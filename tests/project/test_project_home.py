"""Nobody's home is read because an agent was started there."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sample import git

from haversack.errors import ProjectError
from haversack.project import find_project
from haversack.project.home import refuse_home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "home" / "ann"
    (place / "work").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(place))
    return place


def test_a_home_and_what_holds_it_are_refused(home: Path) -> None:
    for folder in (home, home.parent, Path("/")):
        with pytest.raises(ProjectError, match="home folder"):
            refuse_home(find_project(folder))


def test_what_lies_in_a_home_or_elsewhere_is_not(home: Path, tmp_path: Path) -> None:
    (tmp_path / "srv").mkdir()
    for folder in (home / "work", tmp_path / "srv"):
        refuse_home(find_project(folder))


def test_a_home_that_is_a_repository_or_has_settings_is_a_project(home: Path) -> None:
    (home / "haversack.toml").touch()
    refuse_home(find_project(home))
    (home / "haversack.toml").unlink()
    git(home, "init", "--quiet")
    refuse_home(find_project(home))


def test_without_a_home_nothing_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "nowhere")
    refuse_home(find_project(home))
