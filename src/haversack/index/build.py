"""Keep the index equal to the files on disk: find what changed, read only that, commit in batches."""

from __future__ import annotations

import contextlib
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec import Struct, field

from haversack.errors import HaversackError, StoreError
from haversack.index.lock import building
from haversack.index.read import UNCLAIMED, Prepared, Wanted, fingerprint, prepare_reading, read_files, uncertain
from haversack.index.store import Batch
from haversack.model import Problem
from haversack.sources.protocol import ComparesFiles, KeepsMemos, ReadsOn

if TYPE_CHECKING:
    from pathlib import Path

    from haversack.index.embed import Embedder
    from haversack.index.sqlite import SqliteStore
    from haversack.model import Unit
    from haversack.project import Project, Stamp, Sweep
    from haversack.sources.protocol import Item, Reading, SourceAdapter
    from haversack.sources.registry import Sources

# Called with a stage, how much is done and of how much; with an empty stage when there is nothing more to tell.
Progress: TypeAlias = Callable[[str, int, int], None]

SIDE_BY_SIDE_BYTES = 4_000_000  # below this, starting processes costs more than they save (0.3 s each)
LARGE_BUILD_FILES = 500  # above this only one process builds at a time
BATCH_BYTES = 600_000  # of text per message to a reading process
BATCH_FILES = 200
SEGMENT_PAIRS = 2_000_000  # postings per segment: about 100 MB while it is sorted
UNITS_PER_READING = 500
MADE_BY = "sources"  # the memo of which sources made the index


class IndexReport(Struct):
    """What one refresh found and did."""

    files: int = 0
    units: int = 0
    read: int = 0
    unchanged_content: int = 0
    gone: int = 0
    bytes_read: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    examples: dict[str, tuple[str, ...]] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    pending: tuple[str, ...] = ()
    rebuilt_because: str = ""
    seconds: float = 0.0
    stages: dict[str, float] = field(default_factory=dict)
    text_bytes: int = 0
    index_bytes: int = 0

    @property
    def changed(self) -> bool:
        """Whether the index is different from before."""
        return bool(self.read or self.gone)


class Builder:
    """Brings one store up to date with one project, again and again."""

    def __init__(
        self,
        project: Project,
        sources: Sources,
        store: SqliteStore,
        *,
        workers: int | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        self.project = project
        self.sources = sources
        self.store = store
        self.workers = workers if workers is not None else min(os.cpu_count() or 1, 8)
        self._sweep: Sweep | None = None
        self._known: tuple[int, dict[str, tuple[str, str, str]]] | None = None
        self._same: tuple[dict[str, Stamp], dict[str, tuple[str, str, str]]] | None = None
        self._stamps: dict[str, tuple[int, dict[str, str]]] = {}
        self._embedder = embedder

    def refresh(self, *, progress: Progress | None = None, wait: bool = False, most: int | None = None) -> IndexReport:
        """Compare by stat, read what differs, commit. Unless told to wait, leave a large build to whoever is at it.

        When more than `most` files differ, none is read: they, and those that are gone, are reported as pending. So are
        they, then, when the index cannot be written: whoever says `most` wants an answer from what there is.
        """
        self._same_sources()
        self.store.snapshot()  # a damaged index shows here and is emptied, so that what follows fills it again
        report = IndexReport(rebuilt_because=self.store.rebuilt_because)
        started = time.perf_counter()
        new, wanted, gone = self._compare(report)
        if most is not None and len(wanted) > most and len(different := self._different(wanted)) > most:
            report.pending = (*different, *(path for _, path in gone))
        else:
            try:
                self._bring_up(report, new, wanted, gone, progress, wait)
            except StoreError as error:
                if most is None:
                    raise
                report.pending = (*self._different(wanted), *(path for _, path in gone))
                report.problems += (Problem("index", error.message, error.hint),)
        report.seconds = time.perf_counter() - started
        return report

    def _bring_up(
        self,
        report: IndexReport,
        new: Sweep,
        wanted: list[Wanted],
        gone: list[tuple[str, str]],
        progress: Progress | None,
        wait: bool,
    ) -> None:
        """Read what differs, unless that is much and another process is at it."""
        if len(wanted) <= LARGE_BUILD_FILES:
            self._apply(report, new, wanted, gone, progress)
            return
        with building(self.store.folder, wait=wait) as mine:
            if not mine:
                report.pending = tuple(w.path for w in wanted)
            else:
                # Whoever held the lock before may have done our work.
                self._apply(report, *self._compare(report), progress)

    def _same_sources(self) -> None:
        """Start over when other sources, or the same ones with other settings, made the index."""
        now = msgspec.json.encode([sorted(self.sources.names), self.sources.options], order="deterministic")
        before = self.store.meta(MADE_BY)
        if before is not None and before != now:
            self.store.reset("the sources or their settings changed")
            self._sweep = self._known = None
            self._stamps.clear()
        if before != now:
            self.store.write(Batch(meta={MADE_BY: now}))

    def compare(self) -> tuple[tuple[str, ...], tuple[str, ...], Sweep]:
        """Files the index does not reflect, files it holds that are gone, and the sweep that told; changes nothing."""
        new, wanted, gone = self._compare(IndexReport())
        return self._different(wanted), tuple(path for _, path in gone), new

    def folders(self) -> tuple[Path, ...]:
        """The folders that the last refresh looked into."""
        return tuple(self.project.resolve(path) for path in self._sweep.dirs) if self._sweep else ()

    # -- what changed ----------------------------------------------------------------------------------------------

    def _different(self, wanted: Sequence[Wanted]) -> tuple[str, ...]:
        known = self._known_files()
        # What was written just before it was read is read again to be sure; that alone is not a difference.
        return tuple(w.path for w in wanted if w.path not in known or known[w.path][1] != uncertain(w.stamp))

    def _compare(self, report: IndexReport) -> tuple[Sweep, list[Wanted], list[tuple[str, str]]]:
        from haversack.project import Sweep, sweep

        clock = time.perf_counter()
        if self._sweep is None:
            stored = self.store.meta("sweep")
            if stored is not None:
                # A memo of another version is no use, and no harm: everything is listed again.
                with contextlib.suppress(msgspec.DecodeError, msgspec.ValidationError):
                    self._sweep = msgspec.msgpack.decode(stored, type=Sweep)
        new = sweep(self.project, self._sweep)
        wanted, gone = self._differences(new)
        report.files = len(new.files)
        report.skipped = dict(new.skipped)
        report.examples = dict(new.examples)
        report.problems = tuple(new.problems)
        report.stages["compare"] = time.perf_counter() - clock
        return new, wanted, gone

    def _differences(self, new: Sweep) -> tuple[list[Wanted], list[tuple[str, str]]]:
        """Files to read, and files of the index that are gone with the source of each."""
        known = self._known_files()
        wanted: list[Wanted] = []
        # A sweep that found no file edited hands on the very files of the one before, and what is known stays, too.
        if self._same is not None and self._same[0] is new.files and self._same[1] is known:
            return wanted, []
        for path, stamp in new.files.items():
            have = known.get(path)
            now = fingerprint(stamp.size, stamp.mtime_ns)
            if have is None or have[1] != now:
                wanted.append(Wanted(path, now, have[2] if have else ""))
        gone = [(have[0], path) for path, have in known.items() if path not in new.files]
        self._same = None if wanted or gone else (new.files, known)
        return wanted, gone

    def _known_files(self) -> dict[str, tuple[str, str, str]]:
        """Path to (source, fingerprint, digest), kept while the store does not change."""
        generation = self.store.generation()
        if self._known is None or self._known[0] != generation:
            known = {
                key: (source, stamp, digest)
                for source in (UNCLAIMED, *(source.name for source in self.sources.files))
                for key, (stamp, digest) in self.store.known(source).items()
            }
            self._known = (generation, known)
        return self._known[1]

    def _known_stamps(self, source: str) -> dict[str, str]:
        """Key to fingerprint of a source that is not files, kept while the store does not change."""
        generation = self.store.generation()
        kept = self._stamps.get(source)
        if kept is None or kept[0] != generation:
            kept = (generation, {key: stamp for key, (stamp, _) in self.store.known(source).items()})
            self._stamps[source] = kept
        return kept[1]

    # -- reading and committing ------------------------------------------------------------------------------------

    def _apply(
        self,
        report: IndexReport,
        new: Sweep,
        wanted: list[Wanted],
        gone: list[tuple[str, str]],
        progress: Progress | None,
    ) -> None:
        clock = time.perf_counter()
        done = 0
        pending = _Pending(self.store)
        try:
            for prepared in self._prepared(new, wanted, report):
                pending.add(prepared)
                for item in prepared.items:
                    # A source may keep a mark of its own, such as where history stood: that is not something read.
                    report.read += item.in_file or item.units > 0
                    report.bytes_read += item.size
                report.unchanged_content += len(prepared.restamped)
                done += len(prepared.items) + len(prepared.restamped)
                if progress:
                    progress("reading", min(done, len(wanted)), len(wanted))
        finally:
            if progress:
                progress("", done, done)
        memo = {}
        before = self._sweep
        if (
            before is None
            or new.dirs != before.dirs
            or (new.files is not before.files and new.files.keys() != before.files.keys())
        ):
            memo["sweep"] = msgspec.msgpack.encode(new)
        self._sweep = new
        report.gone += len(gone)
        pending.flush(gone=tuple(gone), meta=memo)
        report.stages["read"] = time.perf_counter() - clock
        if report.changed:
            self.store.compact()
        self._summarise(report)

    def _prepared(self, new: Sweep, wanted: list[Wanted], report: IndexReport) -> Iterator[Prepared]:
        size = sum(new.files[want.path].size for want in wanted)
        if self.workers > 0 and size > SIDE_BY_SIDE_BYTES:
            from haversack.index.pool import Pool
            from haversack.index.worker import Order

            names = tuple(source.name for source in self.sources.files)
            model = self._embedder.origin if self._embedder else None
            with Pool(Order(self.project, names, self.sources.options, model), self.workers) as pool:
                results = pool.read(list(_batches(wanted, new)))
                # The pool is at work from the first result on; meanwhile this process reads what is not files.
                yield from _interleave(results, self._other_sources(report, new))
        else:
            for batch in _batches(wanted, new):
                yield read_files(self.project, self.sources.files, batch, self._embedder)
            yield from self._other_sources(report, new)

    def _other_sources(self, report: IndexReport, new: Sweep) -> Iterator[Prepared]:
        for source in self.sources.others:
            clock = time.perf_counter()
            try:
                yield from self._one_source(source, report, new)
            except HaversackError as error:
                report.problems += (Problem(source.name, error.message, error.hint),)
            except Exception as error:  # a third party's source may raise anything; the rest goes on without it
                report.problems += (Problem(source.name, f"failed: {error!r}", f"disable it: [sources.{source.name}]"),)
            report.stages[source.name] = time.perf_counter() - clock

    def _one_source(self, source: SourceAdapter, report: IndexReport, new: Sweep) -> Iterator[Prepared]:
        known = self._known_stamps(source.name)
        if isinstance(source, ComparesFiles):
            changes = source.discover_among(self.project, known, new)
        else:
            changes = source.discover(self.project, known)
        if changes.gone:
            self.store.write(Batch(gone=tuple((source.name, key) for key in changes.gone)))
            report.gone += len(changes.gone)
        stamps = {item.key: item.fingerprint for item in changes.changed}
        group, units = [], 0
        for reading in self._readings(source, changes.changed):
            group.append((reading, reading.fingerprint or stamps.get(reading.key, "")))
            units += max(1, len(reading.units))
            if units >= UNITS_PER_READING:
                yield prepare_reading(source.name, group, self._embedder)
                group, units = [], 0
        if group:
            yield prepare_reading(source.name, group, self._embedder)

    def _readings(self, source: SourceAdapter, items: Sequence[Item]) -> Iterator[Reading]:
        if not items:  # no source need open anything to read nothing
            return iter(())
        if not isinstance(source, (ReadsOn, KeepsMemos)):
            return source.read(self.project, items)
        rows = {info.key: info.row for info in self.store.snapshot().items if info.source == source.name}
        if isinstance(source, KeepsMemos):
            return source.read_with(self.project, items, lambda key: self.store.memo(rows.get(key, -1)) or b"")

        def before(key: str) -> Sequence[Unit]:
            row = rows.get(key)
            return self.store.units([row]).get(row, ()) if row is not None else ()

        return source.read_on(self.project, items, before)

    def _summarise(self, report: IndexReport) -> None:
        report.units = self.store.snapshot().count
        # What is wrong with an input is said every time, not only when the input was read.
        report.problems += self.store.problems()
        if not report.changed:
            return
        sizes = self.store.sizes()
        report.text_bytes, report.index_bytes = sizes.text_bytes, sizes.disk_bytes
        found = Counter(report.skipped)
        for reason, keys in self.store.skipped().items():
            found[reason] += len(keys)
            report.examples.setdefault(reason, tuple(keys[:3]))
        report.skipped = dict(found)


class _Pending:
    """Collects prepared rows until a segment is worth writing."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self._parts: list[Prepared] = []
        self._pairs = 0

    def add(self, prepared: Prepared) -> None:
        self._parts.append(prepared)
        self._pairs += len(prepared.rows.pair_terms)
        if self._pairs >= SEGMENT_PAIRS:
            self.flush()

    def flush(self, *, gone: tuple[tuple[str, str], ...] = (), meta: dict[str, bytes] | None = None) -> None:
        from haversack.index.segment import concatenate

        parts, self._parts, self._pairs = self._parts, [], 0
        if not (parts or gone or meta):
            return
        self._store.write(
            Batch(
                items=tuple(item for part in parts for item in part.items),
                rows=concatenate([part.rows for part in parts]) if parts else None,
                gone=gone,
                restamped=tuple(stamp for part in parts for stamp in part.restamped),
                meta=meta or {},
            )
        )


def _batches(wanted: Sequence[Wanted], new: Sweep) -> Iterator[list[Wanted]]:
    batch: list[Wanted] = []
    size = 0
    for want in wanted:
        batch.append(want)
        size += new.files[want.path].size
        if size >= BATCH_BYTES or len(batch) >= BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _interleave(first: Iterable[Prepared], second: Iterable[Prepared]) -> Iterator[Prepared]:
    """All of both; the second is advanced while the first still has results under way."""
    rest = iter(second)
    for item in first:
        yield item
        following = next(rest, None)
        if following is not None:
            yield following
    yield from rest
