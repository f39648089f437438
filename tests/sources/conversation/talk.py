"""A project, a home with transcripts in it, and the source that reads them: for every test of conversations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from haversack.model import Unit
from haversack.project import find_project
from haversack.sources.conversation import ConversationSource
from haversack.sources.conversation.formats.claude import slug
from haversack.sources.protocol import Changes, Reading


def when(minute: int) -> str:
    """A time, some minutes into a day."""
    return f"2026-11-01T{minute // 60:02}:{minute % 60:02}:00.000Z"


def claude(
    root: Path, said: Sequence[tuple[str, object]], *, start: int = 0, parent: str | None = None, **more: object
) -> str:
    """Lines of a Claude Code session, each following the one before."""
    lines = []
    for number, (role, content) in enumerate(said, start):
        record = {
            "parentUuid": parent,
            "uuid": f"u{number}",
            "sessionId": "s",
            "cwd": str(root),
            "type": role,
            "message": {"role": role, "content": content},
            "timestamp": when(number),
            **more,
        }
        parent = f"u{number}"
        lines.append(json.dumps(record) + "\n")
    return "".join(lines)


def jsonl(*records: object) -> str:
    """Records, one a line."""
    return "".join(json.dumps(record) + "\n" for record in records)


@dataclass
class Talk:
    """What the index would keep, without an index."""

    root: Path
    home: Path
    files: tuple[str, ...] = ()
    known: dict[str, str] = field(default_factory=dict)
    units: dict[str, tuple[Unit, ...]] = field(default_factory=dict)
    problems: dict[str, tuple[str, ...]] = field(default_factory=dict)
    readings: list[Reading] = field(default_factory=list)
    changes: Changes = field(default_factory=Changes)

    @classmethod
    def at(cls, folder: Path, *files: str) -> Talk:
        """A project and a home, both empty."""
        for name in ("shop", "home"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        return cls(folder / "shop", folder / "home", files)

    def claude_file(self, name: str = "s.jsonl", root: Path | None = None) -> Path:
        """Where Claude Code keeps a session of the project."""
        path = self.home / ".claude" / "projects" / slug(str(root or self.root)) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def write(self, path: str, text: str | bytes) -> Path:
        """A file under the home."""
        target = self.home / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)
        return target

    def refresh(self) -> Talk:
        """Discover and read, as the index does."""
        source = ConversationSource(files=self.files, home=str(self.home))
        project = find_project(self.root)
        self.changes = source.discover(project, self.known)
        for key in self.changes.gone:
            for kept in (self.known, self.units, self.problems):
                kept.pop(key, None)
        stamps = {item.key: item.fingerprint for item in self.changes.changed}
        self.readings = list(source.read_on(project, self.changes.changed, lambda key: self.units.get(key, ())))
        for reading in self.readings:
            self.known[reading.key] = reading.fingerprint or stamps.get(reading.key, "")
            self.units[reading.key] = reading.units
            self.problems[reading.key] = tuple(map(str, reading.problems))
        return self

    @property
    def all(self) -> list[Unit]:
        """Every unit, oldest first."""
        found = [unit for units in self.units.values() for unit in units]
        place = [unit.citations[0] for unit in found]
        order = sorted(
            range(len(found)), key=lambda at: (found[at].time or 0.0, place[at].target, place[at].start or 0)
        )
        return [found[at] for at in order]

    @property
    def messages(self) -> list[str]:
        """What was said, without times."""
        return [unit.text.partition("] ")[2] or unit.text for unit in self.all if unit.kind == "message"]

    def of(self, kind: str) -> list[Unit]:
        """Units of one kind."""
        return [unit for unit in self.all if unit.kind == kind]

    @property
    def trouble(self) -> str:
        """All problems as one text."""
        return "\n".join(line for lines in self.problems.values() for line in lines)
