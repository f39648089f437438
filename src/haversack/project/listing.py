"""Lists folders: which entries are candidates, which are set aside and why, which folders lie below."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

from haversack.errors import HaversackError, SourceError
from haversack.project.find import Project, Repository, git_dir_at, read_short
from haversack.project.found import (
    EXAMPLES,
    EXCLUDE,
    IGNORED,
    UNDECODABLE,
    UNLISTED,
    UNREADABLE,
    Aside,
    Found,
    Place,
    below,
    is_storable,
    special_names,
    spelled,
    stamp_at,
    stamp_of,
)
from haversack.project.gate import is_inside, open_inside
from haversack.project.ignore import FILE_NAMES, MAX_FILE_BYTES, Kind, Layer, Scope, matcher
from haversack.project.skips import (
    BINARY_EXTENSIONS,
    MARKERS,
    MINIFIED_ENDINGS,
    SKIPPED_FOLDERS,
    TRANSCRIPT,
    TRANSCRIPTS,
    UNCOUNTED,
    VENDOR_MARKERS,
    VENDORED,
)

# Asking a repository which ignored files it tracks takes 20 ms; in a folder of many checkouts only the first are asked.
MAX_REPOSITORIES_ASKED = 20
TRACKED_SECONDS = 20.0


class Lister:
    """Lists folders of one project into `found`."""

    def __init__(self, project: Project, found: Found) -> None:
        self.project = project
        self.found = found
        self._bases = {
            prefix.rstrip("/"): os.path.join(root, "")
            for root, prefix in zip(project.roots, project.prefixes, strict=True)
        }
        self._include = matcher("\n".join(project.include))
        self._include_below = _literal_folders(project.include)
        self._tracked_files: set[str] = set()
        self._tracked_folders: set[str] = set()
        for paths in found.tracked.values():
            self._remember_tracked(paths)

    def roots(self) -> list[Place]:
        """The project's roots, where the settings' rules begin to hold."""
        rules = "\n".join(self.project.ignore).encode("utf-8", "surrogateescape")
        return [Place(root, Scope(_layers(rules, Kind.SETTINGS, below(root)))) for root in self._bases]

    def absolute(self, path: str) -> str:
        """Where a project path lies on disk. Asked of every folder before every packet, so nothing is looked at."""
        if "" in self._bases:
            return self._bases[""] + path
        root, _, rest = path.partition("/")
        return self._bases[root] + rest

    def walk(self, place: Place) -> None:
        """List a folder and everything below it that is not yet found."""
        todo = [place]
        while todo:
            todo.extend(inner for inner in self.look(todo.pop()) if inner.path not in self.found.dirs)

    def look(self, place: Place) -> list[Place]:
        """List one folder; the folders in it that are worth listing come back."""
        folder = self.absolute(place.path)
        try:
            mtime_ns = os.lstat(folder).st_mtime_ns
            with os.scandir(folder) as entries:
                listed = [*entries]
        except OSError:
            if os.path.lexists(folder):
                self.found.dirs[place.path] = UNLISTED
                self.found.asides[place.path] = {UNREADABLE: Aside(1, (f"{place.path}/",))}
            return []
        self.found.dirs[place.path] = mtime_ns
        special = special_names(place.path, [entry.name for entry in listed])
        if special:
            self.found.special[place.path] = special
            reason = self._whole_folder_aside(place.path, special)
            if reason and not self._included(place.path, True):
                self.found.asides[place.path] = {reason: Aside(1, (f"{place.path}/",))}
                return []
            place = self.inside(place, special)
        return self._take(listed, place)

    def inside(self, place: Place, special: Sequence[str]) -> Place:
        """What holds in a folder, given what holds around it and the special names in it."""
        scope = place.scope
        base = below(place.path)
        layers: list[Layer] = []
        if ".git" in special:
            scope = scope.without_git()
            layers += self._enter_repository(place.path, base)
        for name in special:
            if name in FILE_NAMES:
                layers += self._read_rules(base + name, FILE_NAMES[name], base)
        return Place(place.path, scope.with_layers(layers), place.buried)

    def enters(self, name: str, path: str, place: Place) -> Place | str:
        """A folder's place when it is to be listed, the reason when it is set aside."""
        reason = SKIPPED_FOLDERS.get(name)
        kind = Kind.SETTINGS if reason else place.buried
        if kind is None and place.scope.layers:
            kind = place.scope.ignored_by(name, path, True)
        if kind is None or self._included(path, True):
            return Place(path, place.scope)
        if (kind <= Kind.GITIGNORE and path in self._tracked_folders) or self._may_include_below(path):
            return Place(path, place.scope, kind)
        return reason or IGNORED

    def keeps(self, name: str, path: str, place: Place) -> bool:
        """Whether no rule leaves out a file, or something overrules the rule."""
        kind = place.buried
        if kind is None:
            if not place.scope.layers:
                return True
            kind = place.scope.ignored_by(name, path, False)
            if kind is None:
                return True
        if kind <= Kind.GITIGNORE and path in self._tracked_files:
            return True
        return self._included(path, False)

    def _included(self, path: str, is_folder: bool) -> bool:
        """Whether the settings ask for a path whatever the rules say."""
        if self._include is None:
            return False
        return self._include.verdict(path.rpartition("/")[2], self._in_root(path), is_folder) is True

    def _may_include_below(self, path: str) -> bool:
        inside = self._in_root(path)
        return any(
            f"{folder}/".startswith(f"{inside}/") or inside.startswith(f"{folder}/") for folder in self._include_below
        )

    def _root_of(self, path: str) -> str:
        return "" if "" in self._bases else path.partition("/")[0]

    def _in_root(self, path: str) -> str:
        """A project path without its root's name."""
        return path if "" in self._bases else path.partition("/")[2]

    def _whole_folder_aside(self, path: str, special: Sequence[str]) -> str | None:
        """The reason to leave out a folder as a whole, told by a file in it. A root stays: the user asked for it."""
        if path in self._bases:
            return None
        for name in special:
            if name in MARKERS:
                return MARKERS[name]
            if name in VENDOR_MARKERS:
                return VENDORED
        return None

    def _read_rules(self, path: str, kind: Kind, base: str) -> list[Layer]:
        """The rules of one ignore file, opened through the gate like any other; unreadable ones have none."""
        try:
            with open_inside(self.project, path) as file:
                self.found.rules[path] = stamp_of(os.fstat(file.fileno()))
                text = file.read(MAX_FILE_BYTES)
        except HaversackError:
            return []
        if kind is Kind.GITIGNORE and self._root_of(path) in self.found.unruled:
            return []
        return _layers(text, kind, base)

    def _enter_repository(self, path: str, base: str) -> list[Layer]:
        top = Path(self.absolute(path))
        git_dir = git_dir_at(top)
        if git_dir is None:
            return []
        if path not in self.found.tracked:
            self._ask_tracked(path, base, top)
        exclude = Repository(top, git_dir).common_dir / "info" / "exclude"
        self.found.rules[base + EXCLUDE] = stamp_at(str(exclude))
        return _layers(read_short(exclude, MAX_FILE_BYTES), Kind.GIT_EXCLUDE, base)

    def _ask_tracked(self, path: str, base: str, top: Path) -> None:
        """Which files git tracks although its own rules ignore them: those are the project's after all."""
        from haversack.project.git import git

        self.found.tracked[path] = ()
        if len(self.found.tracked) > MAX_REPOSITORIES_ASKED:
            return
        try:
            listed = git(
                top, ["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"], timeout=TRACKED_SECONDS
            )
        except SourceError as error:
            self.found.failed[path] = error.message
            return
        names = (os.fsdecode(name) for name in listed.split(b"\0") if name)
        self.found.tracked[path] = tuple(sorted(base + name for name in names if is_storable(name)))
        self._remember_tracked(self.found.tracked[path])

    def _remember_tracked(self, paths: Sequence[str]) -> None:
        self._tracked_files.update(paths)
        for path in paths:
            folder = path.rpartition("/")[0]
            while folder and folder not in self._tracked_folders:
                self._tracked_folders.add(folder)
                folder = folder.rpartition("/")[0]

    def _take(self, entries: Sequence[os.DirEntry[str]], place: Place) -> list[Place]:
        """Sort a folder's entries into files, folders below, and what is set aside."""
        base = below(place.path)
        asides: dict[str, list[str]] = {}
        folders = []
        for entry in entries:
            path = base + entry.name
            if entry.name in UNCOUNTED:
                continue
            try:
                if not is_storable(entry.name):
                    asides.setdefault(UNDECODABLE, []).append(spelled(path))
                elif entry.is_symlink():
                    asides.setdefault(self._link(entry.path), []).append(path)
                elif entry.is_dir(follow_symlinks=False):
                    found = self.enters(entry.name, path, place)
                    if isinstance(found, Place):
                        folders.append(found)
                    else:
                        asides.setdefault(found, []).append(f"{path}/")
                elif reason := self._file(entry, path, place):
                    asides.setdefault(reason, []).append(path)
            except OSError:  # it vanished since it was listed, or the file system cannot tell what it is
                continue
        if asides:
            self.found.asides[place.path] = {
                reason: Aside(len(paths), tuple(sorted(paths)[:EXAMPLES])) for reason, paths in sorted(asides.items())
            }
        return folders

    def _file(self, entry: os.DirEntry[str], path: str, place: Place) -> str | None:
        """Take a file, or say why not."""
        if not entry.is_file(follow_symlinks=False):
            return "special-file"
        name = entry.name
        if name.rpartition(".")[2].lower() in BINARY_EXTENSIONS:
            return "binary-extension"
        if not self.keeps(name, path, place):
            return IGNORED
        if name.endswith(MINIFIED_ENDINGS):
            return "minified"
        if name in TRANSCRIPTS:
            return TRANSCRIPT
        stamp = stamp_of(entry.stat(follow_symlinks=False))
        if stamp.size > self.project.max_file_bytes:
            self.found.large[path] = stamp.size
            return "oversized"
        self.found.files[path] = stamp
        return None

    def _link(self, link: str) -> str:
        """Links are never followed here: what they lead to inside the project is found under its own name."""
        try:
            real = os.path.realpath(link, strict=True)
        except OSError:
            return "symlink-broken"
        # A link to a root itself is inside as well.
        inside = is_inside(self.project, real) or os.path.join(real, "") in self._bases.values()
        return "symlink" if inside else "symlink-outside"


def _layers(raw: bytes, kind: Kind, base: str) -> list[Layer]:
    found = matcher(raw.decode("utf-8", "surrogateescape"))
    return [Layer(kind, base, found)] if found else []


def _literal_folders(patterns: Sequence[str]) -> tuple[str, ...]:
    """The folders that patterns name before their first wildcard: they are entered even when a rule ignores them."""
    named = (
        takewhile(lambda part: not set(part) & set("*?["), pattern.strip("/").split("/")[:-1]) for pattern in patterns
    )
    return tuple(folder for parts in named if (folder := "/".join(parts)))
