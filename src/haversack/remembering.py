"""What `Haversack` can do with memory: remember and revise, record experiences, find values, carry it all elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, Unpack

from msgspec.structs import replace

from haversack.errors import NotFoundError

if TYPE_CHECKING:
    from haversack.index.embed import Embedder
    from haversack.memory.exchange import Imported
    from haversack.memory.nouns import Experience, Memory, Remembered
    from haversack.memory.store import MemoryStore
    from haversack.recall.values import Principles


class MemoryOptions(TypedDict, total=False):
    """What can be said about a memory. `sources` are citations in words: `src/app.py:10-20`, `commit:1a2b3c4`."""

    category: str
    importance: float
    scope: str
    within: str
    subject: str
    paths: Sequence[str]
    symbols: Sequence[str]
    tags: Sequence[str]
    sources: Sequence[str]
    session: str
    speaker: str


class Story(TypedDict):
    """How an experience begins."""

    domain: str
    strategy: str
    goal: str
    hypothesis: str
    action: str
    prediction: str


class Revision(TypedDict, total=False):
    """What can change while an experience is under way."""

    hypothesis: str | None
    action: str | None
    prediction: str | None
    strategy: str | None
    note: str | None


class Ending(TypedDict, total=False):
    """How an experience ends, apart from its outcome."""

    result: str
    surprise: str
    root_cause: str
    root_cause_description: str
    what_worked: str
    takeaway: str
    auto_captured: bool
    tier: str | None


class _Opened(Protocol):
    """What these verbs need of an opened project."""

    @property
    def memory(self) -> MemoryStore: ...

    @property
    def embedder(self) -> Embedder | None: ...


class Remembering:
    """The verbs. Every change is on disk when the call returns."""

    def remember(self: _Opened, text: str, *, merge: bool = True, **options: Unpack[MemoryOptions]) -> Remembered:
        """Keep a statement; one that says the same is counted, one that it contradicts is superseded."""
        from haversack.memory.nouns import Memory

        return self.memory.add(_with(Memory(text), options), merge=merge)

    def remember_many(self: _Opened, memories: Iterable[Memory], *, merge: bool = True) -> list[Remembered]:
        """The same for many at once, all or nothing."""
        return self.memory.add_many(memories, merge=merge)

    def edit(
        self: _Opened,
        memory: str,
        *,
        text: str | None = None,
        status: str | None = None,
        **options: Unpack[MemoryOptions],
    ) -> Remembered:
        """Change what is given of a memory; `status` "live" brings back one that was superseded."""
        from haversack.memory.vocabulary import one_of
        from haversack.model import Status

        wanted = None if status is None else Status(one_of("status", status, tuple(Status)))

        def change(before: Memory) -> Memory:
            after = before if text is None else replace(before, text=text)
            if wanted is not None:
                ended = before.superseded_by if wanted is Status.SUPERSEDED else ""
                after = replace(after, status=wanted, superseded_by=ended)
            return _with(after, options)

        return self.memory.edit(memory, change)

    def supersede(self: _Opened, memory: str, text: str, **options: Unpack[MemoryOptions]) -> Remembered:
        """Put a new statement in place of an old one, of the same kind unless said otherwise."""
        from haversack.memory.nouns import Memory

        old = self.memory.get(memory)
        new = Memory(
            text, old.category, old.importance, old.scope, old.within, old.subject, old.paths, old.symbols, old.tags
        )
        return self.memory.supersede(old.id, _with(new, options))

    def forget(self: _Opened, record: str) -> Memory | Experience:
        """Remove a memory or an experience for good; the answer is what it was."""
        try:
            return self.memory.forget(record)
        except NotFoundError as error:
            try:
                return self.memory.forget_experience(record)
            except NotFoundError:
                raise error from None

    def memories(
        self: _Opened,
        *,
        category: str | None = None,
        scope: str | None = None,
        ended: bool = False,
        limit: int | None = None,
    ) -> list[Memory]:
        """What is remembered, oldest first; with a limit the newest of it, with `ended` the superseded, too."""
        from haversack.memory.vocabulary import CATEGORIES, SCOPES, one_of
        from haversack.model import Status

        return self.memory.memories(
            category=None if category is None else one_of("category", category, CATEGORIES),
            scope=None if scope is None else one_of("scope", scope, SCOPES),
            status=None if ended else Status.LIVE,
            limit=limit,
        )

    # -- experiences -----------------------------------------------------------------------------------------------

    def start_experience(self: _Opened, *, session: str = "", **story: Unpack[Story]) -> Experience:
        """Begin an experience: what is wanted, believed, done about it and expected."""
        from haversack.memory.experiences import start

        return start(self.memory, session=session, **story)

    def update_experience(self: _Opened, experience: str | None = None, **revision: Unpack[Revision]) -> Experience:
        """Revise the one named or the newest under way; what was believed before goes into its history."""
        from haversack.memory.experiences import update

        return update(self.memory, experience, **revision)

    def resolve_experience(
        self: _Opened, experience: str | None = None, *, outcome: str, **ending: Unpack[Ending]
    ) -> Experience:
        """End the one named or the newest under way: confirmed, falsified or abandoned, and what it teaches."""
        from haversack.memory.experiences import resolve

        done = resolve(self.memory, experience, status=outcome, **ending)
        _keep_values(self)
        return done

    def experiences(
        self: _Opened,
        *,
        domain: str | None = None,
        strategy: str | None = None,
        outcome: str | None = None,
        limit: int | None = None,
    ) -> list[Experience]:
        """Experiences, oldest first; `outcome` is active, confirmed, falsified or abandoned."""
        from haversack.memory.vocabulary import DOMAINS, OUTCOMES, STRATEGIES, one_of

        return self.memory.experiences(
            domain=None if domain is None else one_of("domain", domain, DOMAINS),
            strategy=None if strategy is None else one_of("strategy", strategy, STRATEGIES),
            status=None if outcome is None else one_of("outcome", outcome, (*OUTCOMES, "active")),
            limit=limit,
        )

    def values(self: _Opened, *, axis: str | None = None) -> Principles:
        """What experiences have in common on each axis, and where there are too few to tell."""
        from haversack.recall.values import find_values

        return find_values(self.memory, self.embedder, axis=axis)

    # -- in and out ------------------------------------------------------------------------------------------------

    def export_memory(self: _Opened, path: str | Path | None = None, *, kind: str | None = None) -> list[str]:
        """Everything remembered as JSON lines; written to a file, too, when one is named."""
        from haversack.memory.exchange import export_lines

        lines = list(export_lines(self.memory, kind=kind))
        if path is not None:
            Path(path).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return lines

    def import_memory(self: _Opened, path: str | Path) -> Imported:
        """Take in an export, a CLAMS or CALM journal, an agentdb or ringmaster database, or Markdown notes."""
        from haversack.memory.exchange import import_from

        done = import_from(self.memory, Path(path))
        if done.added["experience"] or done.changed["experience"]:
            _keep_values(self)
        return done


def _with(memory: Memory, options: MemoryOptions) -> Memory:
    """The memory with what the options say."""
    from haversack.memory.citing import citation_from

    said: dict[str, Any] = dict(options)
    said |= {name: tuple(said[name]) for name in ("paths", "symbols", "tags") if name in said}
    if "sources" in said:
        said["citations"] = tuple(map(citation_from, said.pop("sources")))
    return replace(memory, **said)


def _keep_values(opened: _Opened) -> None:
    """Bring values up to date with what was just learnt; without a model there are none to keep."""
    from haversack.errors import ModelError

    try:
        embedder = opened.embedder
    except ModelError:
        return
    if embedder is not None:
        from haversack.recall.values import refresh_values

        refresh_values(opened.memory, embedder)
