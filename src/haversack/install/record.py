"""What was installed where, so that it can be taken back: only our own text, hashes and paths are kept."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field

from haversack.config.places import user_file
from haversack.install.agent import Entry

if TYPE_CHECKING:
    from haversack.install.agent import Machine

FILE = "installed.json"


class Added(Struct, frozen=True):
    """One entry of ours in a file, and the agents it is there for."""

    path: tuple[str, ...]
    value: Any  # any JSON; msgspec cannot follow a type that names itself
    element: bool
    agents: tuple[str, ...]

    @property
    def entry(self) -> Entry:
        """The entry itself."""
        return Entry(self.path, self.value, self.element)


class FileRecord(Struct, frozen=True):
    """What we did to one file. Without entries: all was there before, and stays."""

    made: bool
    """The file did not exist."""

    folders: tuple[str, ...] = ()
    """Folders that were made for it, innermost first."""

    before: str = ""
    after: str = ""
    insertions: tuple[tuple[int, str], ...] = ()
    entries: tuple[Added, ...] = ()
    containers: tuple[tuple[str, ...], ...] = ()
    """Objects and lists that were made to hold the entries."""


class Record(Struct, frozen=True):
    """All files by their real path."""

    files: dict[str, FileRecord] = field(default_factory=dict)


def digest(text: str) -> str:
    """What a text is known by."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def place(machine: Machine) -> Path | None:
    """Where the record is kept: beside the user's own settings; nowhere without a home folder."""
    if machine.home is None:
        return None
    found = user_file({**machine.env, "HOME": str(machine.home)}, machine.platform)
    return found.with_name(FILE) if found else None


def load(machine: Machine) -> Record:
    """The record; a missing or damaged one is empty: then entries are told by what they say."""
    path = place(machine)
    try:
        return msgspec.json.decode(path.read_bytes(), type=Record) if path else Record()
    except (OSError, msgspec.DecodeError):
        return Record()


def save(machine: Machine, record: Record) -> bool:
    """Whether the record could be kept."""
    from haversack.install.files import Content, LeftAloneError, prune, replace

    path = place(machine)
    if path is None:
        return False
    try:
        if not record.files:
            path.unlink(missing_ok=True)
            prune([str(path.parent)])
            return True
        text = msgspec.json.format(msgspec.json.encode(record)).decode() + "\n"
        replace(Content(path, path.read_bytes() if path.exists() else None, ""), text)
    except (OSError, LeftAloneError):
        return False
    return True
