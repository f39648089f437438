"""Git is run so that a hostile repository runs nothing, and its failures are one clear sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hostile_cases import Trap, hostile_repository, run_git_without_care
from project_cases import ENVIRONMENT, commit, repository, run_git, write

from haversack.errors import SourceError
from haversack.project import find_project, read_text, sweep
from haversack.project.git import find_git, git, stream
from haversack.sources.commits import CommitsSource


@pytest.fixture
def hostile(tmp_path: Path) -> tuple[Path, Trap]:
    trap = Trap(tmp_path / "trap")
    root = hostile_repository(tmp_path / "shop", trap)
    run_git_without_care(root)
    # The traps work: a careless tool springs them. What it does is undone before ours is tried.
    assert {"fsmonitor", "gpg", "diff-driver", "textconv", "process", "remote"} <= set(trap.ran())
    trap.reset()
    return root, trap


def test_a_hostile_repository_runs_nothing(
    hostile: tuple[Path, Trap], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, trap = hostile
    for name in ("GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_EDITOR"):
        monkeypatch.setenv(name, trap.program(f"environment-{name}"))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", trap.program("environment-fsmonitor"))
    project = find_project(root)
    swept = sweep(project)
    for path in swept.files:
        read_text(project, path)
    source = CommitsSource()
    changes = source.discover(project, {})
    readings = list(source.read(project, changes.changed))
    git(root, ["ls-files", "-z"])
    git(root, ["rev-list", "--all"])
    with pytest.raises(SourceError):
        git(root, ["cat-file", "blob", "HEAD:gone.txt"])
    assert trap.ran() == []
    assert not (root / "pwned").exists()
    titles = [reading.units[0].title for reading in readings if reading.units]
    assert titles == ["third", "second", "first"]
    assert {"-rf", "--output=pwned", "new\nline.txt"} <= set(swept.files)


def test_a_git_program_inside_the_project_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trap = Trap(tmp_path / "trap")
    root = repository(tmp_path / "shop", {"a.py": ""})
    (root / "bin").mkdir()
    (root / "bin" / "git").write_bytes(Path(trap.program("git")).read_bytes())
    (root / "bin" / "git").chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(root / "bin"), "bin", ".", ENVIRONMENT["PATH"]]))
    monkeypatch.chdir(root)
    assert not find_git(root).startswith(str(root))
    git(root, ["rev-parse", "HEAD"])
    assert trap.ran() == []


def test_without_git_the_way_out_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path, {"a.py": ""})
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SourceError, match="git is not installed") as caught:
        git(root, ["rev-parse", "HEAD"])
    assert "Install git" in caught.value.hint


def test_a_folder_without_a_repository_is_said_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is not in a git repository"):
        git(tmp_path, ["log"])


def test_what_git_complains_about_is_passed_on(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": ""})
    with pytest.raises(SourceError, match="bad revision 'nowhere'"):
        git(root, ["log", "nowhere", "--"])
    with pytest.raises(SourceError, match="exit code 1"):
        git(root, ["rev-parse", "--verify", "--quiet", "nowhere"])


def test_input_is_given_and_output_comes_back(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": "content\n"})
    assert b"content" in git(root, ["cat-file", "--batch"], input=b"HEAD:a.py\n")


def test_git_that_ends_before_reading_its_input_is_no_trouble(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": ""})
    assert (
        git(root, ["rev-parse", "HEAD"], input=b"x" * 1_000_000).strip() == run_git(root, "rev-parse", "HEAD").encode()
    )


def test_output_past_the_limit_is_an_error_and_not_held(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.txt": "x" * 10_000})
    with pytest.raises(SourceError, match="printed more than 100 bytes"):
        git(root, ["cat-file", "blob", "HEAD:a.txt"], max_bytes=100)


def test_git_that_hangs_is_ended(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": ""})
    os.mkfifo(tmp_path / "pipe")
    with (root / ".git" / "config").open("a") as config:
        config.write(f"[include]\n\tpath = {tmp_path}/pipe\n")
    with pytest.raises(SourceError, match=r"took longer than 0\.2 s"):
        git(root, ["log"], timeout=0.2)


def test_leaving_a_stream_early_ends_git_without_complaint(tmp_path: Path) -> None:
    root = repository(tmp_path, {f"{number}.txt": "x" * 1000 for number in range(300)})
    with stream(root, ["log", "-p"]) as chunks:
        assert next(chunks)
    with pytest.raises(ZeroDivisionError), stream(root, ["log", "-p"]) as chunks:
        raise ZeroDivisionError


def test_a_repository_of_another_user_is_read(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", {"a.py": ""})
    if os.geteuid() == 0:
        for path in [root, *root.rglob("*")]:
            os.chown(path, 65534, 65534)
    assert git(root, ["log", "--format=%s"]).strip() == b"first"


def test_worktrees_and_submodules_are_read_through_their_git_file(tmp_path: Path) -> None:
    library = repository(tmp_path / "library", {"lib.py": ""})
    main = repository(tmp_path / "main", {"a.py": ""})
    run_git(main, "submodule", "add", "-q", str(library), "lib")
    run_git(main, "worktree", "add", "-q", str(tmp_path / "side"), "-b", "side")
    commit(tmp_path / "side", {"b.py": ""}, "on the side")
    assert git(main / "lib", ["log", "--format=%s"]).strip() == b"first"
    assert git(tmp_path / "side", ["log", "-n1", "--format=%s"]).strip() == b"on the side"
    assert git(tmp_path / "side", ["ls-files"]).split() == [b"a.py", b"b.py"]


def test_a_bare_repository_planted_in_the_project_is_not_taken_for_its_git(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", {"a.py": ""})
    bare = root / "planted"
    run_git(root, "clone", "-q", "--bare", str(root), str(bare))
    write(bare, {"config": "[core]\n\tbare = true\n\tfsmonitor = false; touch pwned\n"})
    assert git(bare, ["log", "--format=%s"]).strip() == b"first"
    assert git(bare, ["rev-parse", "--git-dir"]).strip() == os.fsencode(root / ".git")
