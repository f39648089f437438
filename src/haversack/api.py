"""The library: everything haversack can do for one project, behind one class."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, TypeVar, Unpack

from msgspec import Struct

from haversack.config import Config, load
from haversack.errors import StoreError, UsageError
from haversack.measuring import Measuring
from haversack.model import Problem
from haversack.remembering import Remembering
from haversack.sessions import Sessions

if TYPE_CHECKING:
    from haversack.assemble.agent import AgentPacket
    from haversack.assemble.rate import ScoredFile, Summary
    from haversack.assemble.texts import Texts
    from haversack.doctor import Finding
    from haversack.index.build import Builder, IndexReport, Progress
    from haversack.index.embed import Embedder
    from haversack.index.journal import Assembly, Journal
    from haversack.index.level_cache import LevelCache
    from haversack.index.sqlite import SqliteStore
    from haversack.index.store import Sizes
    from haversack.memory.store import MemoryStore
    from haversack.project import Project
    from haversack.recall.verbs import Recall
    from haversack.receipt.packet import Packet
    from haversack.receipt.report import Report
    from haversack.retrieve.graph import Neighbourhood
    from haversack.retrieve.knowledge import Entry
    from haversack.retrieve.rerank import LooksAgain
    from haversack.retrieve.search import Hit, View
    from haversack.retrieve.show import Shown
    from haversack.retrieve.trace import Edge
    from haversack.sources.registry import Sources


Answer = TypeVar("Answer")
TRIES = 4  # another process that writes all the time cannot starve a reader for longer than this


class PackOptions(TypedDict, total=False):
    """What `pack` and `budget` can be told; what is not given comes from the settings."""

    budget: int | None
    format: str | None
    type: str | None
    profile: str | None
    preset: str | None
    overflow: str | None
    model: str | None
    counter: str | None
    soft: bool | None
    fill: bool | None
    strict: bool | None
    show_scores: bool | None
    session: str | None
    later_score: float | None
    repeat: bool | None
    footer: bool | None
    ask: Sequence[str] | None
    include: Sequence[str]
    exclude: Sequence[str]
    pin: Sequence[str]


class Status(Struct, frozen=True):
    """How the index stands against the files on disk."""

    roots: tuple[str, ...]
    folder: str
    files: int
    changed: tuple[str, ...]
    gone: tuple[str, ...]
    sizes: Sizes
    skipped: Mapping[str, int]
    sources: Mapping[str, int]
    problems: tuple[Problem, ...]

    @property
    def fresh(self) -> bool:
        """Whether the index reflects every file."""
        return not (self.changed or self.gone)


class Haversack(Remembering, Measuring, Sessions):
    """One project. Every answer comes from an index brought up to date first; `progress` is told how far that is."""

    def __init__(
        self,
        path: str | Path = ".",
        *,
        data_dir: str | Path | None = None,
        config: Config | None = None,
        flags: Mapping[str, object] | None = None,
        progress: Progress | None = None,
    ) -> None:
        from haversack.project import find_project
        from haversack.sources.logs.places import left_to_logs

        found = find_project(Path(path))
        given = dict(flags or {})
        if data_dir is not None:
            given["index.data_dir"] = str(data_dir)
        self.config = config or load(found.root, flags=given)
        project, logs = self.config.project, self.config.source("logs")
        self.project: Project = find_project(
            Path(path),
            roots=[Path(root) if Path(root).is_absolute() else found.root / root for root in project.roots],
            # One file is read by one source.
            ignore=(*project.ignore, *(left_to_logs(logs.options["files"]) if logs.enabled else ())),
            include=project.include,
            max_file_bytes=project.max_file_bytes,
        )
        self.problems: tuple[Problem, ...] = ()
        self.progress = progress
        self.asked: frozenset[str] = frozenset()
        """Sources somebody asked for, whatever the task is."""

    # -- parts, opened when first needed ---------------------------------------------------------------------------

    @cached_property
    def folder(self) -> Path:
        """Where this project's index and receipts live; a temporary folder when that place cannot be written."""
        wanted = self.config.data_folder() / self.project.key
        try:
            wanted.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=wanted):
                return wanted
        except OSError as error:
            if self.config.index.data_dir is not None:
                raise StoreError(
                    f"cannot write to the data folder {wanted}: {error.strerror}", hint="choose another --data-dir"
                ) from error
            instead = Path(tempfile.gettempdir()) / "haversack" / self.project.key
            instead.mkdir(parents=True, exist_ok=True, mode=0o700)
            what = f"{wanted} cannot be written ({error.strerror}); the index is kept in {instead} for now"
            self.problems += (Problem("data folder", what, "set HAVERSACK_DATA_DIR to a folder that can be written"),)
            return instead

    @cached_property
    def store(self) -> SqliteStore:
        """The index. Each semantic model has one of its own, since vectors of two models do not compare."""
        from haversack.index.sqlite import SqliteStore

        return SqliteStore(self.folder / (self.embedder.name if self.embedder else "words-only"))

    @cached_property
    def journal(self) -> Journal:
        """Receipts."""
        from haversack.index.journal import Journal

        return Journal(self.folder)

    @cached_property
    def memory(self) -> MemoryStore:
        """What is remembered."""
        from haversack.memory.store import MemoryStore

        return MemoryStore(self.memory_folder)

    @cached_property
    def memory_folder(self) -> Path:
        """Where this project's memory lives; with the index when that place cannot be written."""
        wanted = self.config.memory_folder() / self.project.key
        try:
            wanted.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError:
            return self.folder
        return wanted if os.access(wanted, os.W_OK) else self.folder

    @cached_property
    def recall(self) -> Recall:
        """What can be asked of memory: search in layers, lessons, skills, context, and reporting what came of it."""
        from haversack.recall.verbs import Recall

        return Recall(self)

    def uplift(self) -> Mapping[str, float]:
        """What carrying an item did for reported outcomes, by id; nothing is read before something was remembered."""
        from haversack.memory.database import DATABASE

        return self.recall.uplifts() if (self.memory_folder / DATABASE).exists() else {}

    @cached_property
    def sources(self) -> Sources:
        """The sources that are enabled."""
        from haversack.sources.registry import load_sources

        disabled = {name for name, settings in self.config.sources.items() if not settings.enabled}
        about = self.config.source("deployment")
        offered = {name: about.options[name] for name in ("include_env_configs", "include_k8s")}
        talk = self.config.source("conversation").options
        logs = self.config.source("logs").options
        disabled |= {"environments", "ci"} if not about.enabled else set()
        disabled |= {"ci"} if not about.options["ci_runs"] else set()
        options: dict[str, dict[str, object]] = {
            "deployment": offered,
            "environments": offered,
            "commits": {"limit": self.config.index.commits_limit},
            "research": {"folders": self.config.source("research").options.get("folders", ())},
            "logs": {key: logs[key] for key in ("log_window_hours", "filter_noise", "files", "level")},
            "conversation": {key: talk[key] for key in ("agents", "files", "home")},
        }
        options |= {name: {"folder": str(self.memory_folder)} for name in ("memories", "experiences", "values")}
        return load_sources(disabled=disabled, options=options)

    @cached_property
    def embedder(self) -> Embedder | None:
        """The semantic model, or None when vectors are switched off."""
        if not self.config.index.semantic:
            return None
        from haversack.index.embed_folder import load_embedder

        return load_embedder(self.config.index.embedding)

    @cached_property
    def texts(self) -> Texts:
        """Texts of files, read through the gate and kept while they do not change."""
        from haversack.assemble.texts import Texts

        return Texts(self.project)

    @cached_property
    def levels(self) -> LevelCache | None:
        """Levels made for earlier packets, or None when none are to be kept."""
        cache = self.config.levels.cache
        if not cache.enabled or cache.max_age_hours <= 0:
            return None
        from haversack.index.level_cache import LevelCache

        return LevelCache(
            Path(cache.path) if cache.path else self.folder,
            max_age_hours=cache.max_age_hours,
            drop_changed=cache.invalidate_on_change,
        )

    @cached_property
    def written(self) -> LevelCache | None:
        """What a language model wrote, by content; None unless the user configured one."""
        from haversack.index.level_cache import written_cache

        return written_cache(self.folder) if self.config.levels.writer.configured else None

    @cached_property
    def reranker(self) -> LooksAgain | None:
        """What looks at the first candidates of a task again; None unless the user asks for it."""
        from haversack.assemble.reranking import reranker_of

        return reranker_of(self)

    @cached_property
    def builder(self) -> Builder:
        """What keeps the index fresh."""
        from haversack.index.build import Builder

        return Builder(
            self.project,
            self.sources,
            self.store,
            workers=self.config.index.workers or None,
            embedder=self.embedder,
        )

    # -- the index -------------------------------------------------------------------------------------------------

    def index(self, *, rebuild: bool = False, progress: Progress | None = None) -> IndexReport:
        """Bring the index up to date with the files on disk; waits for another process that is at it."""
        if rebuild:
            self.store.reset("a rebuild was asked for")
        report = self.builder.refresh(progress=progress or self.progress, wait=True)
        report.problems += self.problems
        return report

    def refresh(self, progress: Progress | None = None) -> IndexReport:
        """The same without waiting: what another process is reading right now is reported as pending."""
        return self.builder.refresh(progress=progress or self.progress)

    def fresh(self, answer: Callable[[], Answer], *, refreshes: bool = False) -> Answer:
        """An answer from an index brought up to date; asked again when another process changed it meanwhile."""
        from haversack.index.units import SnapshotGoneError

        for _ in range(TRIES):
            if not refreshes:
                self.refresh()
            try:
                return answer()
            except SnapshotGoneError:
                continue
        return answer()

    def search(
        self,
        query: str,
        *,
        kind: str | None = None,
        path: str | None = None,
        lang: str | None = None,
        since: float | None = None,
        view: View = "hybrid",
        limit: int = 10,
    ) -> tuple[Hit, ...]:
        """Units that answer the query, best first."""
        from haversack.retrieve.search import Filters, Searcher

        searcher = Searcher(self.project, self.store, self.embedder)
        filters = Filters(kind, path, lang, since)

        def found() -> list[Hit]:
            if lang is not None:
                _known_language(lang, self.store)
            return searcher.search(query, view=view, filters=filters, limit=limit)

        return tuple(self.fresh(found))

    def show(self, target: str) -> Shown:
        """One thing in full: a unit by id, `path:lines`, a path, a symbol, a commit."""
        from haversack.assemble.imports import place_of_imports
        from haversack.retrieve.show import show

        # A file's imports are made for a packet and are no unit of the index, but their id opens like any other.
        return self.fresh(
            lambda: show(self.project, self.store, place_of_imports(self.store, target.strip()) or target)
        )

    def graph(self, symbol: str) -> Neighbourhood:
        """Definitions, callers, callees, imports, tests and co-changes of a symbol or file."""
        from haversack.retrieve.graph import neighbourhood

        return self.fresh(lambda: neighbourhood(self.store, symbol))

    def trace(self, target: str) -> tuple[Edge, ...]:
        """Decisions, learnings, records, tasks, requirements and commits that bear on `path` or `path:lines`."""
        from haversack.retrieve.trace import trace

        return self.fresh(lambda: trace(self.project, self.store, target))

    def commits_of(self, target: str) -> int:
        """How many commits changed a file: a trace shows the newest of them."""
        from haversack.retrieve.trace import commits_of

        return self.fresh(lambda: commits_of(self.store, target))

    def status(self) -> Status:
        """How the index stands, without changing it."""
        changed, gone, sweep = self.builder.compare()
        return Status(
            roots=tuple(str(root) for root in self.project.roots),
            folder=str(self.folder),
            files=len(sweep.files),
            changed=changed,
            gone=gone,
            sizes=self.store.sizes(),
            skipped={**sweep.skipped, **{reason: len(keys) for reason, keys in self.store.skipped().items()}},
            sources=self.store.counts(),
            problems=(*self.problems, *sweep.problems, *self.store.problems()),
        )

    def add_logs(self, *names: str, piped: bytes | None = None) -> None:
        """Read these logs, too, while this object lives: paths, patterns, what was piped in. Packets ask for them."""
        from haversack.sources.logs import LogsSource

        for source in self.sources.others:
            if isinstance(source, LogsSource):
                source.also, source.piped = (*source.also, *names), piped
        self.asked |= {"logs"}

    # -- the packet ------------------------------------------------------------------------------------------------

    def pack(self, task: str, **options: Unpack[PackOptions]) -> Packet:
        """What a model should read for the task, within the budget, with its receipt stored."""
        packet = self.budget(task, **options)
        self.keep(packet)
        return packet

    async def apack(self, task: str, **options: Unpack[PackOptions]) -> Packet:
        """`pack` for async callers; the work runs in a thread."""
        import asyncio

        return await asyncio.to_thread(lambda: self.pack(task, **options))

    def budget(self, task: str, **options: Unpack[PackOptions]) -> Packet:
        """The same packet without storing its receipt: to look at how a budget would be spent."""
        from haversack.tokens import counter

        said = self.config.pack
        if not (said.counter or said.model or options.get("counter") or options.get("model")):
            counter()  # its vocabulary is loaded while the rest is imported
        from haversack.assemble.run import pack_task

        return self.fresh(lambda: pack_task(self, task, options), refreshes=True)

    def score(self, path: str, task: str, *, profile: str | None = None) -> tuple[ScoredFile, ...]:
        """Every unit of a file with its score for the task and what each factor adds, best first."""
        from haversack.assemble.rate import rate_file

        return self.fresh(lambda: rate_file(self, path, task, profile), refreshes=True)

    def summarize(self, path: str, level: str | None = None, *, tokens: int | None = None) -> Summary:
        """A file at a level of detail, or as strongly compressed as so many tokens need."""
        from haversack.assemble.rate import summarize_path

        return summarize_path(self, path, level, tokens)

    def agent(
        self,
        *,
        budget: int | None = None,
        format: str = "md",  # noqa: A002 - as in `pack`
        task: str | None = None,
        session: str | None = None,
        cooldown: float = 0.0,
        profile: str | None = None,
        strict: bool = False,
    ) -> AgentPacket:
        """The project's knowledge within a budget; no text if the session had the same within `cooldown` minutes."""
        from msgspec.structs import replace

        from haversack.assemble.agent import agent_packet

        packet = agent_packet(
            self, budget=budget, format=format, task=task, profile=profile, session=session, strict=strict
        )
        if self.had_within(packet, cooldown * 60):
            return replace(packet, text="", repeated=True)
        self.keep(packet)
        return packet

    def knowledge(
        self, *, kind: str | None = None, since: float | None = None, ended: bool = False
    ) -> tuple[Entry, ...]:
        """Every entry of the project's knowledge that still holds, or with `ended` those that do not, too."""
        from haversack.retrieve.knowledge import listed

        return self.fresh(lambda: listed(self.project, self.store, kind=kind, since=since, ended=ended))

    def why(self, packet: str = "last", target: str | None = None) -> str:
        """Why something is in a packet, or is not, in a sentence or two."""
        from haversack.receipt.codec import decode
        from haversack.receipt.why import why

        return why(decode(self.journal.receipt(packet)), target)

    def report(self, session: str | None = None) -> Report:
        """What the packets made so far have in common."""
        from haversack.receipt.codec import decode
        from haversack.receipt.report import report

        return report([decode(body) for body in reversed(self.journal.receipts(session=session))])

    def assemblies(self, session: str | None = None) -> tuple[Assembly, ...]:
        """How packets were made, newest first: sources, candidates, items, tokens, levels, time."""
        return tuple(self.journal.assemblies(session=session))

    def doctor(self) -> tuple[Finding, ...]:
        """What is configured, found and broken, with the fix for each."""
        from haversack.doctor import examine

        return examine(self)

    def close(self) -> None:
        """Let go of files; the object can be used again."""
        for name in ("store", "journal", "ledger", "levels", "written", "reranker", "memory"):
            part = self.__dict__.pop(name, None)
            if part is not None:
                part.close()
        for name in ("builder", "recall"):
            self.__dict__.pop(name, None)

    def __enter__(self) -> Haversack:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _known_language(lang: str, store: SqliteStore) -> None:
    """UsageError for a word that is no language; that there are no files in one is an answer like any other."""
    from haversack.project.languages import LANGUAGES

    if lang not in LANGUAGES:
        here = sorted({item.lang for item in store.snapshot().items if item.lang})
        if lang not in here:
            raise UsageError(f"unknown language {lang!r}", hint=f"known here: {', '.join(here)}")
