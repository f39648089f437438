"""Where transcripts lie on this machine, and which working directories are this project's."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from haversack.errors import SourceError
from haversack.project.find import find_repository, read_short
from haversack.sources.outside import declare, open_declared

if TYPE_CHECKING:
    from haversack.project.find import Project

IN_PROJECT = (".aider.chat.history.md", ".specstory")
SMALL_FILE = 8192
MOST_WORKTREES = 200


class Places(Struct, frozen=True, dict=True):
    """The folders of every agent, under one home; with a home given, variables of the environment do not count."""

    project: Project
    home: str
    variables: Mapping[str, str]
    extra: tuple[str, ...] = ()

    @classmethod
    def of(cls, project: Project, home: str | None = None, extra: Sequence[str] = ()) -> Places:
        variables = {} if home else os.environ
        chosen = str(Path(home or "~").expanduser())
        named = (os.path.join(project.root, Path(each).expanduser()) for each in extra)
        return cls(project, chosen, variables, tuple(map(os.path.normpath, named)))

    def _under(self, variable: str, *parts: str) -> str:
        return self.variables.get(variable) or os.path.join(self.home, *parts)

    @property
    def claude(self) -> str:
        return os.path.join(self._under("CLAUDE_CONFIG_DIR", ".claude"), "projects")

    @property
    def codex(self) -> tuple[str, ...]:
        top = self._under("CODEX_HOME", ".codex")
        return os.path.join(top, "sessions"), os.path.join(top, "archived_sessions")

    @property
    def gemini(self) -> str:
        return os.path.join(self._under("GEMINI_CLI_HOME"), ".gemini")

    @property
    def copilot(self) -> str:
        return os.path.join(self._under("COPILOT_HOME", ".copilot"), "session-state")

    @property
    def opencode(self) -> str:
        return os.path.join(self._under("XDG_DATA_HOME", ".local", "share"), "opencode")

    @property
    def cursor(self) -> str:
        """Cursor's folder of user data on this system."""
        if sys.platform == "darwin":
            return os.path.join(self.home, "Library", "Application Support", "Cursor", "User")
        if sys.platform == "win32":
            return os.path.join(self._under("APPDATA", "AppData", "Roaming"), "Cursor", "User")
        return os.path.join(self._under("XDG_CONFIG_HOME", ".config"), "Cursor", "User")

    @property
    def roots(self) -> tuple[str, ...]:
        """The project's own folders."""
        return tuple(map(str, self.project.roots))

    @cached_property
    def declared(self) -> tuple[str, ...]:
        """All that may be read outside the project."""
        return declare(
            self.claude, *self.codex, self.gemini, self.copilot, self.opencode, self.cursor, *self.extra, *self.roots
        )

    def declared_for(self, path: str) -> tuple[str, ...]:
        """What a file at that path may be: one of the project's own is no way, by a link, to those of others."""
        inside = any(path.startswith(os.path.join(root, "")) for root in self.roots)
        return declare(*self.extra, *self.roots) if inside else self.declared

    def any_exist(self) -> bool:
        """Whether there is any place at all where a transcript could lie."""
        agents = (self.claude, *self.codex, self.gemini, self.copilot, self.opencode, self.cursor)
        inside = (os.path.join(root, name) for root in self.roots for name in IN_PROJECT)
        return any(os.path.exists(place) for place in (*agents, *self.extra, *inside))

    @cached_property
    def cwds(self) -> tuple[str, ...]:
        """Directories whose sessions are about this project: roots, the top of their checkouts, and other worktrees."""
        found = dict.fromkeys(self.roots)
        for root in self.project.roots:
            repository = find_repository(root)
            if repository is None:
                continue
            found[str(repository.top)] = None
            common = repository.common_dir
            if common.name == ".git":
                found[str(common.parent)] = None
            found |= dict.fromkeys(_worktrees(common))
        return tuple(found)

    def belongs(self, cwd: str) -> bool:
        """Whether a session in that directory is about this project."""
        plain = os.path.normpath(cwd) if cwd.startswith(os.sep) and "\0" not in cwd else ""
        return bool(plain) and (self._inside(plain) or self._inside(os.path.realpath(plain)))

    def _inside(self, path: str) -> bool:
        return any(path == top or path.startswith(os.path.join(top, "")) for top in self.cwds)

    def read_small(self, path: str, most: int = SMALL_FILE) -> bytes:
        """The beginning of a small declared file; empty when it cannot be read."""
        try:
            with open_declared(path, self.declared, most_bytes=most) as file:
                return file.read(most)
        except (SourceError, OSError):
            return b""


def _worktrees(common: Path) -> list[str]:
    """The other checkouts of a repository, as git notes them."""
    folder = common / "worktrees"
    try:
        names = sorted(os.listdir(folder))[:MOST_WORKTREES]
    except OSError:
        return []
    links = [os.fsdecode(read_short(folder / name / "gitdir").strip()) for name in names]
    return [os.path.dirname(os.path.normpath(link)) for link in links if link.startswith(os.sep)]
