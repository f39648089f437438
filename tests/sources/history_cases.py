"""Real histories for the tests of the commits source."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from haversack.model import Unit
from haversack.project import Project, find_project
from haversack.sources.commits import CommitsSource
from haversack.sources.protocol import Changes, Reading

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
}


class History:
    """A repository under the test's hand; every commit is a minute after the one before."""

    def __init__(self, root: Path, *options: str) -> None:
        self.root = root
        self._minutes: Iterator[int] = iter(range(1, 10_000))
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *options)

    def git(self, *args: str, stdin: bytes | None = None) -> str:
        when = f"{1_700_000_000 + 60 * next(self._minutes)} +0000"
        dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        done = subprocess.run(
            ["git", "-c", "core.fsync=none", *args],
            cwd=self.root,
            env=ENVIRONMENT | dates,
            input=stdin,
            capture_output=True,
            check=True,
        )
        return done.stdout.decode("utf-8", "replace").strip()

    def commit(self, message: str, files: Mapping[str, str | bytes | None] | None = None) -> str:
        """Write files (None deletes one), commit everything, give the hash."""
        for name, content in (files or {}).items():
            path = self.root / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.git("add", "-A")
        self.git(
            "commit",
            "-q",
            "--allow-empty",
            "--allow-empty-message",
            "--cleanup=verbatim",
            "-F",
            "-",
            stdin=message.encode(),
        )
        return self.git("rev-parse", "HEAD")

    def move(self, old: str, new: str) -> str:
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        (self.root / old).rename(self.root / new)
        return self.commit(f"move {old} to {new}")


class Index:
    """What a store would remember of the commits source."""

    def __init__(self, project: Project | Path, source: CommitsSource | None = None) -> None:
        self.project = project if isinstance(project, Project) else find_project(project)
        self.source = source or CommitsSource()
        self.known: dict[str, str] = {}
        self.readings: dict[str, Reading] = {}

    def refresh(self) -> Changes:
        changes = self.source.discover(self.project, self.known)
        for key in changes.gone:
            del self.known[key], self.readings[key]
        read = self.source.read_with(self.project, changes.changed, self.memo)
        for item, reading in zip(changes.changed, read, strict=True):
            assert item.key == reading.key
            self.known[item.key] = item.fingerprint
            self.readings[item.key] = reading
        return changes

    def memo(self, key: str = "HEAD") -> bytes:
        return self.readings[key].memo if key in self.readings else b""

    def units(self) -> dict[str, Unit]:
        """Units by hash."""
        return {unit.qualname: unit for reading in self.readings.values() for unit in reading.units}

    def problems(self) -> list[str]:
        return [str(problem) for reading in self.readings.values() for problem in reading.problems]


def indexed(project: Project | Path, **settings: int) -> Index:
    index = Index(project, CommitsSource(**settings))
    index.refresh()
    return index
