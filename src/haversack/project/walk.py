"""Every file a project may offer, found by names and stat alone; nothing is opened but ignore files.

The second time is cheap: a folder whose modification time has not changed still holds the same names, so only its files
are asked for their size and time. A folder or ignore file touched just before the last sweep could have changed again
within one tick of the clock, and is looked at once more.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from haversack.errors import ProjectError
from haversack.model import Problem
from haversack.project.find import Project, Repository, git_dir_at
from haversack.project.found import (
    EXAMPLES,
    EXCLUDE,
    IGNORED,
    MISSING,
    UNDECODABLE,
    UNLISTED,
    UNREADABLE,
    Aside,
    Found,
    Place,
    Stamp,
    below,
    special_names,
    stamp_at,
    stamp_of,
)
from haversack.project.listing import Lister

__all__ = ["Stamp", "Sweep", "sweep"]

# Modification times come in steps, up to two seconds on old file systems: what is younger may hide a second change.
RACY_NS = 2_000_000_000
# Changes when a sweep's meaning does, so that a stored one from before is not continued.
FORMAT = "1"
Value = TypeVar("Value")


class Sweep(Struct, frozen=True):
    """What one look at a project's folders found. All paths are project paths, sorted; folders set aside end in "/".

    Names that are not UTF-8 cannot be stored or shown: such entries are set aside as "undecodable-name", and a problem
    spells the name with escapes. All other names are kept as they are, line breaks included. A folder set aside counts
    as one.
    """

    files: dict[str, Stamp]
    dirs: dict[str, int]
    skipped: dict[str, int]
    examples: dict[str, tuple[str, ...]]
    taken_ns: int
    problems: tuple[Problem, ...] = ()
    # What the next sweep needs to be cheap; see `found.Found`.
    asides: dict[str, dict[str, Aside]] = field(default_factory=dict)
    special: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rules: dict[str, Stamp] = field(default_factory=dict)
    tracked: dict[str, tuple[str, ...]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    large: dict[str, int] = field(default_factory=dict)
    unruled: tuple[str, ...] = ()
    settings: str = ""

    def may_hide_edits(self, stamp: Stamp) -> bool:
        """Whether a file was so young at this sweep that a later edit could carry the same stamp."""
        return stamp.mtime_ns > self.taken_ns - RACY_NS


def sweep(project: Project, previous: Sweep | None = None) -> Sweep:
    """All candidate files of a project. With the previous sweep, only what changed is listed again."""
    taken_ns = time.time_ns()
    settings = _settings(project)
    if previous is None or previous.settings != settings:
        return _first(project, taken_ns, settings)
    return _Again(project, previous, taken_ns).sweep()


def _first(project: Project, taken_ns: int, settings: str) -> Sweep:
    found = _walked(project, Found())
    if unruled := _emptied_by_gitignore(project, found):
        found = _walked(project, Found(unruled=unruled))
    _require_roots(project, found)
    return _sweep_of(found, taken_ns, settings)


def _walked(project: Project, found: Found) -> Found:
    lister = Lister(project, found)
    for root in lister.roots():
        lister.walk(root)
    return found


def _emptied_by_gitignore(project: Project, found: Found) -> tuple[str, ...]:
    """Roots whose `.gitignore` leaves nothing.

    Such rules are written for repositories that track files all the same; without git nobody can say which.
    """
    return tuple(
        root
        for prefix, git_dir in zip(project.prefixes, project.git_dirs, strict=True)
        if not git_dir
        and ".gitignore" in found.special.get(root := prefix.rstrip("/"), ())
        and IGNORED in found.asides.get(root, ())
        and not any(path.startswith(prefix) for path in found.files)
    )


class _Again:
    """One sweep that starts from another."""

    def __init__(self, project: Project, previous: Sweep, taken_ns: int) -> None:
        self.project = project
        self.previous = previous
        self.taken_ns = taken_ns
        self.absolute = Lister(project, Found()).absolute

    def sweep(self) -> Sweep:
        gone, stale = self._changed_folders()
        fresh = self._folders_with_new_rules(stale)
        if not fresh.isdisjoint(self._roots()):
            return _first(self.project, self.taken_ns, self.previous.settings)
        files, odd = self._stat_files(gone | stale | fresh)
        stale |= odd
        if not (gone or stale or fresh):
            return replace(self.previous, files=files, taken_ns=self.taken_ns)
        found = self._kept(files, gone | stale, fresh)
        self._look_again(found, stale, fresh)
        _require_roots(self.project, found)
        return _sweep_of(found, self.taken_ns, self.previous.settings)

    def _roots(self) -> set[str]:
        return {prefix.rstrip("/") for prefix in self.project.prefixes}

    def _racy(self, mtime_ns: int) -> bool:
        return mtime_ns > self.previous.taken_ns - RACY_NS

    def _changed_folders(self) -> tuple[set[str], set[str]]:
        """Folders that are gone, and folders to list again."""
        gone, stale = set(), set()
        young = self.previous.taken_ns - RACY_NS
        lstat, absolute, is_folder = os.lstat, self.absolute, stat.S_ISDIR  # asked of every folder before every packet
        for path, mtime_ns in self.previous.dirs.items():
            try:
                now = lstat(absolute(path))
            except OSError:
                gone.add(path)
                continue
            if not is_folder(now.st_mode):
                gone.add(path)
            elif now.st_mtime_ns != mtime_ns or mtime_ns > young:
                stale.add(path)
        for path in self.previous.large:
            if stamp_at(self.absolute(path)).size <= self.project.max_file_bytes:
                stale.add(path.rpartition("/")[0])
        return gone, stale - gone

    def _folders_with_new_rules(self, stale: set[str]) -> set[str]:
        """Folders below which every decision is to be made anew."""
        fresh = set()
        for path, stamp in self.previous.rules.items():
            folder, now = self._rule_file(path)
            if now != stamp or self._racy(stamp.mtime_ns):
                fresh.add(folder)
        for path in stale:
            try:
                names = os.listdir(self.absolute(path))
            except OSError:
                names = []
            if special_names(path, names) != self.previous.special.get(path, ()):
                fresh.add(path)
        return fresh

    def _rule_file(self, path: str) -> tuple[str, Stamp]:
        """The folder an ignore file speaks for, and its stamp now."""
        if not path.endswith(EXCLUDE):
            return path.rpartition("/")[0], stamp_at(self.absolute(path))
        folder = path.removesuffix(EXCLUDE).rstrip("/")
        top = Path(self.absolute(folder))
        git_dir = git_dir_at(top)
        return folder, stamp_at(str(Repository(top, git_dir).common_dir / "info" / "exclude")) if git_dir else MISSING

    def _stat_files(self, skip: set[str]) -> tuple[dict[str, Stamp], set[str]]:
        """Files with their stamps now, but for those in `skip`; and folders where more than an edit happened."""
        limit = self.project.max_file_bytes
        lstat = os.lstat  # asked of every file before every packet
        edited: dict[str, Stamp] = {}
        odd: set[str] = set()
        for root, prefix in zip(self.project.roots, self.project.prefixes, strict=True):
            base, cut = os.path.join(str(root), ""), len(prefix)
            for path, stamp in self.previous.files.items():
                if (cut and not path.startswith(prefix)) or (skip and path.rpartition("/")[0] in skip):
                    continue
                try:
                    now = lstat(base + path[cut:] if cut else base + path)
                except OSError:
                    odd.add(path.rpartition("/")[0])
                    continue
                if now.st_mtime_ns != stamp.mtime_ns or now.st_size != stamp.size:
                    if stat.S_ISREG(now.st_mode) and now.st_size <= limit:
                        edited[path] = stamp_of(now)
                    else:
                        odd.add(path.rpartition("/")[0])
        return ({**self.previous.files, **edited} if edited else self.previous.files), odd

    def _kept(self, files: dict[str, Stamp], dropped: set[str], fresh: set[str]) -> Found:
        """What the previous sweep knew about folders that are not looked at again."""
        before = self.previous
        outermost = {path for path in fresh if not _is_below(path, fresh - {path})}
        kept = {path for path in before.dirs if path not in dropped and not _is_below(path, outermost)}
        # Which ignored files are tracked depends on the rules: repositories with new rules are asked again.
        told = {
            top
            for top in before.tracked
            if not any(_is_below(top, {path}) or _is_below(path, {top}) for path in outermost)
        }
        return Found(
            files={path: stamp for path, stamp in files.items() if path.rpartition("/")[0] in kept},
            dirs=_only(before.dirs, kept),
            asides=_only(before.asides, kept),
            special=_only(before.special, kept),
            rules={path: stamp for path, stamp in before.rules.items() if self._rule_file(path)[0] in kept},
            tracked=_only(before.tracked, told),
            failed=_only(before.failed, told),
            large={path: size for path, size in before.large.items() if path.rpartition("/")[0] in kept},
            unruled=before.unruled,
        )

    def _look_again(self, found: Found, stale: set[str], fresh: set[str]) -> None:
        lister = Lister(self.project, found)
        places = _Places(lister, self.previous.special)
        for path in sorted(stale):
            if not _is_below(path, fresh) and (place := places.of(path)):
                for inner in lister.look(place):
                    if inner.path not in found.dirs and inner.path not in stale and inner.path not in fresh:
                        lister.walk(inner)
        for path in sorted(fresh):
            if not _is_below(path, fresh - {path}) and (place := places.of(path)):
                lister.walk(place)


class _Places:
    """The rules that hold in a folder, found again by coming down from its root."""

    def __init__(self, lister: Lister, special: Mapping[str, tuple[str, ...]]) -> None:
        self.lister = lister
        self.special = special
        self.outside: dict[str, Place | None] = {place.path: place for place in lister.roots()}
        self.inside: dict[str, Place] = {}

    def of(self, path: str) -> Place | None:
        """The folder's place, or None when no rule would let it be entered."""
        if path not in self.outside:
            parent, _, name = path.rpartition("/")
            outer = self.of(parent)
            entered = None
            if outer:
                if parent not in self.inside:
                    self.inside[parent] = self.lister.inside(outer, self.special.get(parent, ()))
                entered = self.lister.enters(name, path, self.inside[parent])
            self.outside[path] = entered if isinstance(entered, Place) else None
        return self.outside[path]


def _sweep_of(found: Found, taken_ns: int, settings: str) -> Sweep:
    counts: Counter[str] = Counter()
    examples: dict[str, list[str]] = {}
    for reasons in found.asides.values():
        for reason, aside in reasons.items():
            counts[reason] += aside.number
            examples.setdefault(reason, []).extend(aside.examples)
    first = {reason: tuple(sorted(paths)[:EXAMPLES]) for reason, paths in sorted(examples.items())}
    return Sweep(
        files=dict(sorted(found.files.items())),
        dirs=dict(sorted(found.dirs.items())),
        skipped=dict(sorted(counts.items())),
        examples=first,
        taken_ns=taken_ns,
        problems=_problems(found, first),
        asides=dict(sorted(found.asides.items())),
        special=dict(sorted(found.special.items())),
        rules=dict(sorted(found.rules.items())),
        tracked=dict(sorted(found.tracked.items())),
        failed=dict(sorted(found.failed.items())),
        large=dict(sorted(found.large.items())),
        unruled=found.unruled,
        settings=settings,
    )


def _problems(found: Found, examples: Mapping[str, tuple[str, ...]]) -> tuple[Problem, ...]:
    problems = [
        Problem(path, "the system does not let this folder be listed", "check its permissions, or ignore it")
        for path in examples.get(UNREADABLE, ())
    ]
    problems += [
        Problem(path, "its name is not UTF-8, so it is not read", "rename it, or ignore it")
        for path in examples.get(UNDECODABLE, ())
    ]
    problems += [
        Problem(top or ".", f"git cannot tell which ignored files it tracks: {why}", "they are left out as ignored")
        for top, why in sorted(found.failed.items())
    ]
    problems += [
        Problem(
            below(root) + ".gitignore",
            "it leaves out every file and there is no git to say which are tracked",
            "it is passed over; use .haversackignore",
        )
        for root in found.unruled
    ]
    return tuple(problems)


def _require_roots(project: Project, found: Found) -> None:
    for root, prefix in zip(project.roots, project.prefixes, strict=True):
        if found.dirs.get(prefix.rstrip("/"), UNLISTED) == UNLISTED:
            raise ProjectError(f"{root} cannot be listed", hint="Check that the folder exists and may be read.")


def _settings(project: Project) -> str:
    said = repr((FORMAT, project.roots, project.ignore, project.include, project.max_file_bytes))
    return hashlib.blake2b(said.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()


def _is_below(path: str, folders: set[str]) -> bool:
    """Whether a path is one of the folders or lies in one."""
    return any(path == folder or path.startswith(below(folder)) for folder in folders)


def _only(mapping: Mapping[str, Value], keys: set[str]) -> dict[str, Value]:
    return {key: value for key, value in mapping.items() if key in keys}
