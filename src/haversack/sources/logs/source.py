"""The logs source: which logs changed, and their units, an append-only one read from where it was left."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, BinaryIO, Final

from haversack.errors import HaversackError
from haversack.model import Citation, Problem, Unit
from haversack.sources.logs.places import Found, find_logs, missing
from haversack.sources.protocol import Changes, Compressor, Item, Reading

if TYPE_CHECKING:
    from haversack.project import Project
    from haversack.sources.logs.reading import Digest

NAME: Final = "logs"
THRESHOLD: Final = 0.7  # seed 002's: logs must be what the task is about
FORMAT: Final = "1"  # changes when the same log would give other units
PIPED: Final = "-"
ABSENT: Final = "absent:"
MOST_OUTSIDE: Final = 1 << 50


class LogsSource:
    """Logs and test reports: usual places in the project, files and patterns of the settings, what is piped in.

    Keys are project paths, absolute paths outside the project, and "-" for what was piped in. `also` and `piped` hold
    for one run: they are not settings, so they do not make the index anew.
    """

    name = NAME
    threshold = THRESHOLD

    def __init__(
        self,
        files: Sequence[str] = (),
        log_window_hours: int = 24,
        filter_noise: bool = True,
        level: str = "all",
    ) -> None:
        self.files = tuple(files)
        self.window_hours = log_window_hours
        self.filter_noise = filter_noise
        self.level = level
        self.also: tuple[str, ...] = ()
        self.piped: bytes | None = None

    def discover(self, project: Project, known: Mapping[str, str]) -> Changes:
        """Compare by size and time; a named file that is not there is an item whose reading says so."""
        files = (*self.files, *self.also)
        found = find_logs(project, files, self.window_hours)
        stamps = {each.key: self._stamp(each) for each in found}
        stamps |= {f"{ABSENT}{name}": ABSENT for name in missing(project, files, found)}
        if self.piped is not None:
            digest = blake2b(self.piped, digest_size=16).hexdigest()
            same = known.get(PIPED, "").startswith(f"{digest}:")
            stamps[PIPED] = known[PIPED] if same else f"{digest}:{int(time.time())}"
        elif PIPED in known and self._is_recent(known[PIPED]):
            stamps[PIPED] = known[PIPED]
        changed = tuple(Item(key, stamp) for key, stamp in stamps.items() if known.get(key) != stamp)
        return Changes(changed, tuple(sorted(known.keys() - stamps.keys())))

    def read(self, project: Project, items: Sequence[Item]) -> Iterator[Reading]:
        """Every log from its beginning."""
        return self.read_on(project, items, lambda _: ())

    def read_on(
        self, project: Project, items: Sequence[Item], before: Callable[[str], Sequence[Unit]]
    ) -> Iterator[Reading]:
        """Logs that only grew from where they were left; `before` has the units of the last reading."""
        files = (*self.files, *self.also)
        found = {each.key: each for each in find_logs(project, files, self.window_hours)}
        for item in items:
            try:
                yield self._reading(project, item, found.get(item.key), before)
            except HaversackError as error:
                yield Reading(item.key, (), (Problem(item.key, error.message, error.hint),))
            except OSError as error:
                yield Reading(item.key, (), (Problem(item.key, f"cannot be read: {error.strerror or error}"),))

    def cite(self, unit: Unit) -> tuple[Citation, ...]:
        """The lines of the log."""
        return unit.citations

    def compressors(self) -> Mapping[str, Compressor]:
        """Without noise, patterns only, errors only."""
        from haversack.sources.logs.compress import COMPRESSORS

        return COMPRESSORS

    def _stamp(self, each: Found) -> str:
        settings = f"{self.window_hours}.{int(self.filter_noise)}.{self.level}"
        return f"{each.size}:{each.mtime_ns}:{each.inode}:{settings}:{FORMAT}"

    def _is_recent(self, stamp: str) -> bool:
        when = stamp.rpartition(":")[2]
        return when.isdecimal() and time.time() - int(when) < self.window_hours * 3600

    def _reading(
        self, project: Project, item: Item, found: Found | None, before: Callable[[str], Sequence[Unit]]
    ) -> Reading:
        if item.key.startswith(ABSENT):
            name = item.key.removeprefix(ABSENT)
            fix = "correct files under [sources.logs], or --logs"
            return Reading(item.key, (), (Problem(name, "is to be read as a log and is not there", fix),))
        if item.key == PIPED and self.piped is not None:
            return self._of_file(item.key, False, io.BytesIO(self.piped), time.time(), None)
        if found is None:
            what = "was there a moment ago and is gone"
            return Reading(item.key, (), (Problem(item.key, what, "it was rotated; ask again"),))
        with _opened(project, found) as file:
            known = None if found.key.endswith((".gz", ".zst")) else _known(before(item.key), file)
            return self._of_file(item.key, found.inside, file, found.mtime_ns / 1e9, known)

    def _of_file(self, key: str, inside: bool, raw: BinaryIO, mtime: float, known: Digest | None) -> Reading:
        """Units of an open log, with the problems met."""
        # All that reads logs is loaded when there is one to read.
        from haversack.sources.logs.digesting import digest_log
        from haversack.sources.logs.pieces import Place, Wanted

        wanted = Wanted(self.window_hours, self.filter_noise, self.level)
        units, problems = digest_log(raw, key, Place(key, inside), mtime, wanted, known)
        return Reading(key, tuple(units), tuple(problems))


def _opened(project: Project, found: Found) -> BinaryIO:
    if found.inside:
        from haversack.project.gate import open_inside

        return open_inside(project, found.key)
    from haversack.sources.outside import declare, open_declared

    return open_declared(str(found.path), declare(str(found.path)), most_bytes=MOST_OUTSIDE)


def _known(units: Sequence[Unit], file: BinaryIO) -> Digest | None:
    """What is known of the log, if the file is still the one it was read from and has only grown."""
    meta = next((unit.meta for unit in units if unit.kind == "log"), None)
    if meta is None:
        return None
    from haversack.sources.logs.state import marks_of, recalled

    digest = recalled(meta)
    if digest is None or os.fstat(file.fileno()).st_size < digest.offset:
        return None
    return digest if marks_of(file, digest.offset) == meta.get("marks") else None
