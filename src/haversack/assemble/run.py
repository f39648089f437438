"""Run the path of a task on an open project, on files as they are at this moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from haversack.assemble.clock import Clock
from haversack.assemble.packet import World, make_packet
from haversack.assemble.request import settle
from haversack.assemble.texts import StaleIndexError, Texts
from haversack.config import Config
from haversack.errors import UsageError
from haversack.index import symbolic
from haversack.model import Problem
from haversack.retrieve.knowledge import problems as knowledge_problems

if TYPE_CHECKING:
    from haversack.assemble.writer import Writer
    from haversack.index.build import IndexReport
    from haversack.index.embed import Embedder
    from haversack.index.ledger import History
    from haversack.index.level_cache import LevelCache
    from haversack.index.sqlite import SqliteStore
    from haversack.receipt.packet import Packet
    from haversack.retrieve.rerank import LooksAgain
    from haversack.sources.registry import Sources

TRIES = 3  # a file that changes faster than it can be read is left out of the packet and named
PATTERNS = ("include", "exclude", "pin")


class Opened(Protocol):
    """The parts of an open project that packets are made from."""

    config: Config
    asked: frozenset[str]
    problems: tuple[Problem, ...]

    @property
    def store(self) -> SqliteStore: ...

    @property
    def sources(self) -> Sources: ...

    @property
    def embedder(self) -> Embedder | None: ...

    @property
    def texts(self) -> Texts: ...

    @property
    def learned(self) -> Mapping[str, float]: ...

    @property
    def levels(self) -> LevelCache | None: ...

    @property
    def written(self) -> LevelCache | None: ...

    @property
    def reranker(self) -> LooksAgain | None: ...

    def refresh(self) -> IndexReport: ...

    def uplift(self) -> Mapping[str, float]: ...

    def history(self, session: str, *, repeat: bool = False) -> History | None: ...


def pack_task(opened: Opened, task: str, options: Mapping[str, object]) -> Packet:
    """A packet for the task. `options` override settings of the same name under `pack`, or are patterns."""
    if not task.strip():
        raise UsageError("the task is empty", hint="say in a sentence what is to be done")
    given = {f"pack.{name}": value for name, value in options.items() if name not in PATTERNS}
    patterns = {name: _patterns(options.get(name)) for name in PATTERNS}
    config = opened.config.override(given)
    request = settle(config, task, sources=opened.sources.names, asked=opened.asked, **patterns)
    clock = Clock()
    unsteady: tuple[Problem, ...] = ()
    while True:
        with clock.stage("refresh"):
            report = opened.refresh()
        present, absent = _present(opened.store, request.always)
        problems = (
            *opened.problems,
            *report.problems,
            *knowledge_problems(opened.store, report.examples),
            *absent,
            *unsteady,
        )
        if report.pending:
            what = f"{len(report.pending)} files are still being indexed and not yet here"
            problems += (Problem("index", what, "ask again in a moment"),)
        world = World(
            opened.store,
            opened.embedder,
            opened.texts,
            problems=problems,
            levels=opened.levels,
            uplift=opened.uplift(),
            compressors=opened.sources.compressors,
            writer=writer_of(opened),
            reranker=opened.reranker,
            learned=opened.learned,
            history=opened.history(request.session, repeat=config.pack.repeat),
            unread=frozenset(report.pending),
        )
        try:
            return make_packet(world, replace(request, pin=(*request.pin, *present)), clock)
        except StaleIndexError as stale:
            unsteady += (Problem(stale.path, "kept changing while the packet was made", "ask again"),)
            if len(unsteady) >= TRIES:
                request = replace(request, exclude=(*request.exclude, stale.path))


def writer_of(opened: Opened) -> Writer | None:
    """The language model the user configured, for one packet."""
    if opened.written is None:
        return None
    from haversack.assemble.language_model import LanguageModel
    from haversack.assemble.writer import Writer

    return Writer(LanguageModel(opened.config.levels.writer), opened.written)


def _present(store: SqliteStore, names: Sequence[str]) -> tuple[list[str], list[Problem]]:
    """Which of the documents that every packet starts from are there; those that are not are problems, not errors."""
    snapshot = store.snapshot()
    present = [
        name for name in names if any(snapshot.first_position(item) >= 0 for item in symbolic.paths(snapshot, name))
    ]
    what, fix = "is to be in every packet and is not there", "correct always_include under [sources.docs]"
    return present, [Problem(name, what, fix) for name in names if name not in present]


def _patterns(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(str(each) for each in value) if isinstance(value, list | tuple) else ()
