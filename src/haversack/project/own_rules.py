"""Which paths of the past haversack's own rules leave out: settings, `.ignore`, `.haversackignore`, skipped folders.

Git's rules are not asked: what a history holds was tracked, and what is tracked is the project's whatever git ignores.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress

from haversack.errors import HaversackError
from haversack.project.find import Project
from haversack.project.found import Found, Place, below
from haversack.project.gate import open_inside
from haversack.project.ignore import FILE_NAMES, MAX_FILE_BYTES, Kind
from haversack.project.listing import Lister
from haversack.project.skips import TRANSCRIPTS

OWN_FILES = tuple(sorted(name for name, kind in FILE_NAMES.items() if kind > Kind.GITIGNORE))


class OwnRules:
    """The rules as they are now, asked about paths that need not exist any more. One is made for one reading."""

    def __init__(self, project: Project) -> None:
        self._lister = Lister(project, Found())
        self._places: dict[str, Place | None] = {place.path: self._inside(place) for place in self._lister.roots()}
        self._told: dict[str, bool] = {}

    def hides(self, path: str) -> bool:
        """Whether a file at this project path would be left out."""
        told = self._told.get(path)  # a history names the same few files again and again
        if told is None:
            folder, _, name = path.rpartition("/")
            place = self._place(folder)
            told = place is None or name in TRANSCRIPTS or not self._lister.keeps(name, path, place)
            self._told[path] = told
        return told

    def _place(self, folder: str) -> Place | None:
        """What holds in a folder, or None when it is left out as a whole."""
        todo = []
        while folder not in self._places:
            if not folder:  # no root's name begins it: nothing is known to allow it
                return None
            todo.append(folder)
            folder = folder.rpartition("/")[0]
        place = self._places[folder]
        for inner in reversed(todo):
            entered = self._lister.enters(inner.rpartition("/")[2], inner, place) if place else None
            place = self._places[inner] = self._inside(entered) if isinstance(entered, Place) else None
        return place

    def _inside(self, place: Place) -> Place:
        base = self._lister.absolute(below(place.path))
        return self._lister.inside(place, [name for name in OWN_FILES if os.path.lexists(base + name)])


def rules_digest(project: Project, rules: Iterable[str]) -> str:
    """Tells rules from others: the settings, and what stands in those of these ignore files that are not git's."""
    told = hashlib.blake2b(repr((project.ignore, project.include)).encode("utf-8", "surrogateescape"), digest_size=8)
    for path in sorted(rules):
        if path.rpartition("/")[2] in OWN_FILES:
            told.update(f"\0{path}\0".encode("utf-8", "surrogateescape"))
            with suppress(HaversackError), open_inside(project, path) as file:
                told.update(file.read(MAX_FILE_BYTES))
    return told.hexdigest()
