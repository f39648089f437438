"""Real folders and real git repositories for the tests of `project` and of the commits source."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

# Nothing of the machine's own git settings reaches a test repository.
ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
}


def run_git(folder: Path, *args: str, stdin: bytes | None = None, **environment: str) -> str:
    """Run git as a developer would, in a repository of the test's own."""
    done = subprocess.run(
        ["git", "-c", "protocol.file.allow=always", "-c", "core.fsync=none", *args],
        cwd=folder,
        env=ENVIRONMENT | environment,
        input=stdin,
        capture_output=True,
        check=True,
    )
    return done.stdout.decode("utf-8", "replace").strip()


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder and give the folder back."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def repository(folder: Path, files: Mapping[str, str | bytes] | None = None) -> Path:
    """A new git repository, its files committed."""
    folder.mkdir(parents=True, exist_ok=True)
    run_git(folder, "init", "-q", "-b", "main")
    if files:
        commit(folder, files, "first")
    return folder


def commit(folder: Path, files: Mapping[str, str | bytes], message: str, **environment: str) -> str:
    """Write files, commit everything, give the commit's hash."""
    write(folder, files)
    run_git(folder, "add", "-A", "-f")
    run_git(folder, "commit", "-q", "--allow-empty", "-m", message, **environment)
    return run_git(folder, "rev-parse", "HEAD")


def age(folder: Path, seconds: int = 3600) -> None:
    """Make everything below a folder look old, so that nothing counts as just touched."""
    for path in [folder, *folder.rglob("*")]:
        then = path.lstat().st_mtime_ns - seconds * 10**9
        os.utime(path, ns=(then, then), follow_symlinks=False)
