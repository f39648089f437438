"""The text of units as it is on disk at this moment, so that no line number in a packet is ever wrong."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from haversack.model import Unit
from haversack.sources.protocol import TextFile

if TYPE_CHECKING:
    from haversack.index.snapshot import Snapshot
    from haversack.project import Project

KEPT_FILES = 256  # texts kept between packets; typical source files make this about 10 MB
KEPT_PLACES = 4_096  # where files lie: each is asked for by every piece of it, and what a path means does not change


class StaleIndexError(Exception):
    """Files that changed after the index was refreshed."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class Texts:
    """Reads each file once per packet, through the gate, redacted."""

    kept = KEPT_FILES

    def __init__(self, project: Project) -> None:
        self._project = project
        self._locate = lru_cache(maxsize=KEPT_PLACES)(project.locate)
        self._files: OrderedDict[tuple[str, int, int], TextFile] = OrderedDict()
        self._lines: OrderedDict[str, list[str]] = OrderedDict()

    @property
    def project(self) -> Project:
        """The project they are read from."""
        return self._project

    def fill(self, unit: Unit, snapshot: Snapshot) -> Unit:
        """The unit with its whole text; StaleIndexError when its file is no longer the indexed one."""
        if unit.path is None:
            return unit
        file = self.file(unit.path)
        item = snapshot.item(unit.path)
        if file is None or item is None or item.digest != file.digest:
            raise StaleIndexError(unit.path)
        if unit.span is None:
            return replace(unit, text=file.text)
        return replace(unit, text="\n".join(self._lines_of(file)[unit.span.start - 1 : unit.span.end]))

    def blank_after(self, unit: Unit) -> Sequence[str]:
        """The blank lines between the unit and whatever stands next in its file.

        None at the file's end, and none when the file is no longer what the unit was filled with.
        """
        file = self.file(unit.path) if unit.path else None
        if file is None or unit.span is None:
            return ()
        lines = self._lines_of(file)
        start, end = unit.span.start, unit.span.end
        if "\n".join(lines[start - 1 : end]) != unit.text:
            return ()
        while end < len(lines) and not lines[end].strip():
            end += 1
        return lines[unit.span.end : end] if end < len(lines) else ()

    def _lines_of(self, file: TextFile) -> list[str]:
        lines = self._lines.get(file.digest)
        if lines is None:
            while len(self._lines) >= self.kept:
                self._lines.popitem(last=False)
            lines = self._lines[file.digest] = file.text.split("\n")
        return lines

    def file(self, path: str) -> TextFile | None:
        """The file as it is now; None when it cannot be read."""
        from haversack.project import read_text

        try:
            found = os.stat(self._locate(path))  # noqa: PTH116 - runs for every candidate; Path costs more
        except OSError:
            return None
        key = (path, found.st_size, found.st_mtime_ns)
        kept = self._files.get(key)
        if kept is None:
            read = read_text(self._project, path)
            if not isinstance(read, TextFile):
                return None
            kept = self._files[key] = read
            while len(self._files) > self.kept:
                self._files.popitem(last=False)
        else:
            self._files.move_to_end(key)
        return kept
