"""What an agent is to the installer: how it is found, which files it reads, what they must hold."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct

Scope = Literal["project", "user"]
SCOPES: tuple[Scope, ...] = get_args(Scope)

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

PROGRAM = "haversack"
"""The command, and the name of our server in every agent's list."""

HOOK_SECONDS = 10
"""How long a host waits for the hook before it goes on without; the hook itself answers within a fraction of that."""


class Entry(Struct, frozen=True):
    """What a file must hold: the value at a path of keys, or, as an element, one item of the list there."""

    path: tuple[str, ...]
    value: Json
    element: bool = False


class Place(Struct, frozen=True):
    """A file of an agent and what it must hold; `blank` is what a new file begins with."""

    path: Path
    entries: tuple[Entry, ...]
    blank: str = "{}\n"


class Machine(Struct, frozen=True):
    """Where the installer works: the project, the home folder (None when there is none), the environment."""

    root: Path
    home: Path | None
    env: Mapping[str, str]
    platform: str = sys.platform

    @classmethod
    def here(cls, root: Path) -> Machine:
        """This machine."""
        try:
            home = Path.home()
        except RuntimeError:
            return cls(root, None, os.environ)
        return cls(root, home if home.is_dir() else None, os.environ)

    def finds(self, program: str) -> str | None:
        """The program's path when it can be run."""
        return shutil.which(program, path=self.env.get("PATH", os.defpath))

    def folder(self, variable: str, *below_home: str) -> Path | None:
        """The folder a variable names, or else one below the home folder."""
        named = self.env.get(variable, "")
        if named and Path(named).is_absolute():
            return Path(named)
        return self.home.joinpath(*below_home) if self.home else None

    def program(self, scope: Scope) -> str:
        """How our program is started: by name where a team shares the file, by path where it is this machine's own."""
        if scope == "project":
            return PROGRAM
        beside = Path(sys.executable).with_name(PROGRAM + (".exe" if self.platform == "win32" else ""))
        return self.finds(PROGRAM) or (str(beside) if beside.exists() else PROGRAM)

    def hook(self, scope: Scope) -> str:
        """The command line of the hook, as a shell reads it."""
        program = self.program(scope)
        if self.platform == "win32":
            return f'"{program}" hook' if " " in program else f"{program} hook"
        import shlex

        return f"{shlex.quote(program)} hook"


class Agent(Struct, frozen=True):
    """One agent: the programs and folders that tell it is used here, and its files for a scope."""

    name: str
    title: str
    programs: tuple[str, ...]
    folders: Callable[[Machine], tuple[Path | None, ...]]
    places: Callable[[Machine, Scope], tuple[Place, ...]]
    after: str = ""
    """What is left for the user to do."""

    def found(self, machine: Machine) -> bool:
        """Whether the agent is used on this machine or in this project."""
        return any(machine.finds(program) for program in self.programs) or any(
            folder is not None and folder.is_dir() for folder in self.folders(machine)
        )


def server(machine: Machine, scope: Scope, **more: Json) -> dict[str, Json]:
    """The MCP server as most agents want it described."""
    return {**more, "command": machine.program(scope), "args": ["mcp"]}


def hooks(events: Mapping[str, str], handler: dict[str, Json]) -> tuple[Entry, ...]:
    """Groups of hooks as Claude Code and those after it write them; an event maps to the tools it is meant for."""
    return tuple(
        Entry(("hooks", event), {**({"matcher": matcher} if matcher else {}), "hooks": [handler]}, element=True)
        for event, matcher in events.items()
    )
