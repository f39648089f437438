"""From a task to candidates: ask every view, take the best of each source, walk the graph, describe each in numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct

from haversack.index import relational
from haversack.index.prepare import ID, TOUCHES
from haversack.index.records import KIND_CODE, ROLES
from haversack.index.segment import Array, distinct
from haversack.index.snapshot import Snapshot
from haversack.index.terms import term_hash
from haversack.index.units import UnitReader
from haversack.model import Features, Role, Task, Unit
from haversack.retrieve import mentioned
from haversack.retrieve.company import Past
from haversack.retrieve.evidence import Told, evidence
from haversack.retrieve.fusion import Signals, ViewWeights, best, cosines, fuse, scale_of, scaled
from haversack.retrieve.history import changed_before
from haversack.retrieve.kin import kin
from haversack.retrieve.lately import Changes
from haversack.retrieve.learned import LAST
from haversack.retrieve.logged import with_logged_frames
from haversack.retrieve.named import TEST_TASK, named
from haversack.retrieve.own_past import OwnPast, Ranges, touches_of
from haversack.retrieve.ranking import alignments, first_points, lifted, pool
from haversack.retrieve.rerank import Again
from haversack.retrieve.title import title_of

if TYPE_CHECKING:
    from haversack.index.embed import Embedder
    from haversack.index.store import Store
    from haversack.retrieve.rerank import LooksAgain

# How many candidates each source may bring. Code brings most because a task is mostly about code; the packer decides.
CODE = "code"
MOST_CANDIDATES: Mapping[str, int] = {CODE: 160, "docs": 40, "commits": 24}
MOST_OF_OTHERS = 40
SEEDS = 10  # best units whose neighbours are looked at
NEIGHBOURS = 4  # of one kind per seed
NEIGHBOUR_SHARE = 0.6  # of its seed's alignment that a neighbour inherits
# What stands for no code of its own: its neighbours would be those of the words it happens to use.
NO_SEEDS = frozenset(
    KIND_CODE[kind] for kind in ("commit", "section", "message", "decision", "preference", "correction")
)
HISTORY_SHARE = 0.15  # of what past changes say in a unit's alignment
YEAR = 365 * 86_400.0

# What the words of a file count by its role. With tests at half weight a plain fusion found the changed file among the
# first ten for .85 of a sample of issues instead of .71 (shared benchmark notes); the others are our choice.
ROLE_SHARE: Mapping[Role, float] = {
    Role.SOURCE: 1.0,
    Role.TYPES: 0.9,
    Role.REQUIREMENTS: 0.8,
    Role.CONFIG: 0.7,
    Role.DOCS: 0.65,
    Role.TEST: 0.5,
    Role.EXAMPLE: 0.5,
    Role.GENERATED: 0.4,
    Role.FIXTURE: 0.3,
    Role.CHANGELOG: 0.3,
    Role.VENDORED: 0.3,
}
ROLES_ASKED_FOR: Mapping[str, tuple[Role, ...]] = {
    TEST_TASK: (Role.TEST, Role.FIXTURE),
    "docs": (Role.DOCS, Role.CHANGELOG, Role.EXAMPLE, Role.REQUIREMENTS),
    "infrastructure": (Role.CONFIG,),
    "research": (Role.DOCS, Role.REQUIREMENTS),
}


# What is the same for every task is looked up once for each state of the index.
_changed: WeakKeyDictionary[Snapshot, dict[int, tuple[float | None, float]]] = WeakKeyDictionary()


class Found(Struct, frozen=True):
    """A unit that may matter, and the raw numbers it is scored by."""

    unit: Unit
    features: Features


class _Mark(Struct):
    """What is known of a position beside its signals."""

    explicit: bool = False
    depth: int | None = None
    inherited: float = 0.0


class Gatherer:
    """Finds candidates for tasks in one store."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        weights: ViewWeights | None = None,
        learned: Mapping[str, float] = LAST.weights,
        reranker: LooksAgain | None = None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._weights = weights or ViewWeights()
        self._learned = learned
        self._reranker = reranker
        self.again = Again()

    def gather(
        self, task: Task, *, sources: Iterable[str] | None = None, imports: bool = True, also: Sequence[str] = ()
    ) -> list[Found]:
        """Candidates in a stable order; scoring decides what they are worth.

        Without `imports`, nothing is brought along only because a unit of another file uses it. `also` are ids of units
        that are to compete in any case.
        """
        snapshot = self._store.snapshot()
        if not snapshot.count:
            return []
        reader = UnitReader(self._store, snapshot)
        told = self.told(snapshot, reader, task)
        lexical = told.aligned
        allowed = _allowed(snapshot, sources)
        task, trace = with_logged_frames(task, snapshot, reader, lexical, allowed)
        marks = _marks(snapshot, task)
        if trace is not None:  # what leads to code is shown itself
            marks[trace] = _Mark(explicit=True, depth=0)
        asked = [p for units, _ in snapshot.postings([term_hash(each, ID) for each in also]) for p in units.tolist()]
        marked = [*marks]  # before neighbours are marked, too
        positions = _put_forward(snapshot, reader, told, marks, asked, allowed, imports)
        pieces = [*positions, *pool(snapshot, told, task, allowed)]
        ranked = self._ranked(snapshot, reader, task, told, pieces, marked)
        order = sorted(ranked, key=lambda p: (-ranked[p], snapshot.place(p)))
        if self._reranker is not None:
            self.again = self._reranker.look_again(task, reader, order, ranked)
            ranked |= self.again.alignments
        closest = set(order[: MOST_CANDIDATES[CODE]])
        kept = [p for p in dict.fromkeys((*positions, *closest)) if p not in ranked or p in closest or p in marks]
        return _describe(snapshot, reader, task, told.signals.semantic, lexical, ranked, marks, kept)

    def describe(self, task: Task, positions: Sequence[int]) -> list[Found]:
        """The numbers of units that somebody asks about, whether or not they would be candidates."""
        snapshot = self._store.snapshot()
        reader = UnitReader(self._store, snapshot)
        told = self.told(snapshot, reader, task)
        marks = _marks(snapshot, task)
        pieces = [*positions, *pool(snapshot, told, task, snapshot.alive)]
        ranked = self._ranked(snapshot, reader, task, told, pieces, [*marks])
        return _describe(snapshot, reader, task, told.signals.semantic, told.aligned, ranked, marks, positions)

    def _ranked(
        self,
        snapshot: Snapshot,
        reader: UnitReader,
        task: Task,
        told: Told,
        positions: Sequence[int],
        marked: Sequence[int],
    ) -> dict[int, float]:
        """What the ranking gives the code among these positions, relative to the best of it."""
        code = _code(snapshot, positions)
        if not code:
            return {}
        columns = _columns(snapshot, reader, task, told, code, marked)
        ranked = dict(zip(code, alignments(columns, self._learned).tolist(), strict=True))
        return lifted(snapshot, ranked, task)

    def evidence(
        self, task: Task, reader: UnitReader, changes: Changes | None = None, since: Sequence[Ranges] = ()
    ) -> tuple[list[int], dict[str, Array]]:
        """Code that may matter for the task, and what speaks for each piece of it: what the ranking is fitted on.

        The pieces are those that `gather` ranks: fitted on fewer, it would take whatever is named for good. `changes`
        and `since` are the newest changes where the index ends before the task: files of each, and lines of those that
        it does not hold.
        """
        snapshot = self._store.snapshot()
        told = self.told(snapshot, reader, task)
        marks = _marks(snapshot, task)
        marked = [*marks]
        positions = _put_forward(snapshot, reader, told, marks, (), snapshot.alive, imports=True)
        code = _code(snapshot, [*positions, *pool(snapshot, told, task, snapshot.alive)])
        return code, _columns(snapshot, reader, task, told, code, marked, changes, since) if code else {}

    def told(self, snapshot: Snapshot, reader: UnitReader, task: Task) -> Told:
        """What the views say before anything is looked at closely."""
        text = "\n".join(task.lines) or task.text
        whole, title = self._embedder.embed([text, title_of(task)]) if self._embedder else (None, None)
        signals = fuse(snapshot, task.terms, whole, self._weights)
        history = changed_before(snapshot, reader, signals.body)
        shares = _role_shares(task)
        aligned = _alignment(signals, self._weights, history[snapshot.owners], scale_of(snapshot))
        return Told(
            signals,
            aligned=scaled(aligned * shares[snapshot.roles], scale_of(snapshot)),
            shares=shares,
            history=history,
            history_near=changed_before(snapshot, reader, signals.near),
            title_near=cosines(snapshot, title),
        )


def _code(snapshot: Snapshot, positions: Iterable[int]) -> list[int]:
    """Those of the positions that are code, each once."""
    own = snapshot.sources.get(CODE)
    return [] if own is None else [p for p in dict.fromkeys(positions) if own[p]]


def _columns(
    snapshot: Snapshot,
    reader: UnitReader,
    task: Task,
    told: Told,
    code: Sequence[int],
    marked: Sequence[int],
    changes: Changes | None = None,
    since: Sequence[Ranges] = (),
) -> dict[str, Array]:
    """What speaks for each piece on its own, then how it is related to the best by that."""
    here = np.asarray(code, dtype=np.int64)
    past = Past(snapshot, distinct(snapshot.item_of[here]))
    own_past = OwnPast(snapshot, touches_of(snapshot, reader), here, since)
    columns = evidence(snapshot, reader, task, told, code, marked, past, own_past, changes)
    return columns | kin(snapshot, reader, here, first_points(columns), past, own_past)


def _put_forward(
    snapshot: Snapshot,
    reader: UnitReader,
    told: Told,
    marks: dict[int, _Mark],
    asked: Iterable[int],
    allowed: Array,
    imports: bool,
) -> dict[int, None]:
    """Positions that are marked, asked for, or the best of their source by words, and the neighbours of the best."""
    best_ones = _quota(snapshot, told.signals.fused + told.aligned, allowed)
    positions = dict.fromkeys(p for p in (*marks, *best_ones, *asked) if allowed[p])
    _walk(snapshot, reader, told.aligned, marks, positions, allowed, imports)
    return positions


def _marks(snapshot: Snapshot, task: Task) -> dict[int, _Mark]:
    return {position: _Mark(explicit=True, depth=0) for position in named(snapshot, task)}


def _role_shares(task: Task) -> Array:
    """What each role's words count: a test says the same words as the code it tests, and is seldom what is meant."""
    shares = {**ROLE_SHARE, **dict.fromkeys(ROLES_ASKED_FOR.get(task.type, ()), 1.0)}
    return np.asarray([shares[role] for role in ROLES], dtype=np.float32)


def _alignment(signals: Signals, weights: ViewWeights, history: Array, among: Array | None) -> Array:
    """What the words say, 0..1, without the vectors: those are a factor of their own."""
    total = weights.body + weights.item + weights.name + weights.path
    words = (
        weights.body * signals.body
        + weights.item * signals.item
        + weights.name * signals.name
        + weights.path * signals.path
    ) / total
    aligned: Array = scaled(((1 - HISTORY_SHARE) * words + HISTORY_SHARE * history).astype(np.float32), among)
    return aligned


def _allowed(snapshot: Snapshot, sources: Iterable[str] | None) -> Array:
    if sources is None:
        return snapshot.alive
    allowed: Array = np.zeros(len(snapshot.alive), dtype=bool)
    for source in set(sources) & snapshot.sources.keys():
        allowed |= snapshot.sources[source]
    return allowed


def _quota(snapshot: Snapshot, scores: Array, allowed: Array) -> Iterable[int]:
    for source, own in snapshot.sources.items():
        yield from best(scores, MOST_CANDIDATES.get(source, MOST_OF_OTHERS), allowed & own).tolist()


def _walk(
    snapshot: Snapshot,
    reader: UnitReader,
    alignment: Array,
    marks: dict[int, _Mark],
    positions: dict[int, None],
    allowed: Array,
    imports: bool,
) -> None:
    """Add what the best units call, what calls and tests them, one step away, with a share of their alignment."""
    code = [p for p in positions if snapshot.kinds[p] not in NO_SEEDS]
    if len(code) > SEEDS:  # only what may be a seed is read
        aligned = alignment[code]
        least = np.partition(aligned, len(code) - SEEDS)[len(code) - SEEDS]
        code = [p for p, value in zip(code, aligned.tolist(), strict=True) if value >= least]
    pairs = sorted(zip(code, reader.at(code), strict=True), key=lambda p: (-float(alignment[p[0]]), p[1].id))
    for position, unit in pairs[:SEEDS]:
        seed_depth = marks[position].depth if position in marks else 1
        depth = (seed_depth if seed_depth is not None else 1) + 1
        inherited = NEIGHBOUR_SHARE * float(alignment[position])
        own = int(snapshot.item_of[position])
        for neighbour in _neighbours(snapshot, unit, alignment, None if imports else own):
            if neighbour == position or not allowed[neighbour]:
                continue
            positions[neighbour] = None
            have = marks.setdefault(neighbour, _Mark())
            have.inherited = max(have.inherited, inherited)
            have.depth = depth if have.depth is None else min(have.depth, depth)


def _neighbours(snapshot: Snapshot, unit: Unit, alignment: Array, only_in: int | None) -> Iterable[int]:
    """What the unit uses (of every item, or only of one), what uses it and what tests it, a few of each."""
    used = [p for found in relational.uses(snapshot, unit).values() for p in found]
    callees = [p for p in used if only_in is None or snapshot.item_of[p] == only_in]
    callers = relational.users(snapshot, [unit.name])[0] if unit.name else []
    if len(callers) > relational.MOST_EDGES:
        callers = []
    tests = [p for p in callers if relational.is_test(snapshot, p)]
    others = [p for p in callers if not relational.is_test(snapshot, p)]
    for group in (callees, others, tests):
        yield from sorted(group, key=lambda p: (-float(alignment[p]), snapshot.place(p)))[:NEIGHBOURS]


def _describe(
    snapshot: Snapshot,
    reader: UnitReader,
    task: Task,
    semantic: Array,
    alignment: Array,
    ranked: Mapping[int, float],
    marks: Mapping[int, _Mark],
    positions: Sequence[int],
) -> list[Found]:
    now = snapshot.newest
    changed = changes_of(snapshot, snapshot.item_of[positions].tolist())
    words = [term_hash(term) for term in task.terms]
    hits = _hits(snapshot, words, positions)
    units = dict(zip(positions, reader.at(positions), strict=True))
    mentions = mentioned.mention_counts(snapshot, units)
    described = []
    places = list(units)
    numbers = (snapshot.item_of[places].tolist(), alignment[places].tolist(), semantic[places].tolist())
    for (position, unit), item, aligned, near in zip(units.items(), *numbers, strict=True):
        mark = marks.get(position) or _Mark()
        touched, changes = changed.get(item, (None, 0.0))
        latest = unit.time if unit.time is not None else touched
        features = Features(
            source=unit.source,
            keyword=min(1.0, max(aligned, mark.inherited)),
            hits=hits[position],
            ranked=ranked.get(position),
            semantic=near or None,
            age_seconds=None if latest is None else max(0.0, now - latest),
            mentions=mentions[position],
            depth=mark.depth,
            role=unit.role,
            explicit=mark.explicit,
            importance=_share(unit, "importance"),
            confidence=_share(unit, "confidence"),
            changes=changes,
            status=unit.status,
        )
        described.append(Found(unit, mentioned.shared_with_task(unit, features, task)))
    described.sort(key=lambda found: (-found.features.keyword, found.unit.path or "", found.unit.id))
    return _once_each(described)


def _share(unit: Unit, name: str) -> float | None:
    """A number in 0..1 that the unit's source knows of it."""
    value = unit.meta.get(name)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _once_each(described: Sequence[Found]) -> list[Found]:
    """The same, an experience that was found on several axes only where it fits best."""
    seen: set[object] = set()
    kept = []
    for found in described:
        record = found.unit.meta.get("record") if found.unit.meta.get("axis") else None
        if record is None or record not in seen or found.features.explicit:
            kept.append(found)
            seen.add(record)
    return kept


def changes_of(snapshot: Snapshot, items: Iterable[int]) -> Mapping[int, tuple[float | None, float]]:
    """Item to when it was changed last, and how often: half as much for every year, for what was busy long ago."""
    known = _changed.setdefault(snapshot, {})
    unknown = sorted({item for item in items if item not in known})
    files = [item for item in unknown if snapshot.items[item].in_file]
    found = snapshot.postings([term_hash(snapshot.items[item].key, TOUCHES) for item in files]) if files else ()
    for item, (units, _) in zip(files, found, strict=True):
        # In order of time: the last digits of a sum depend on the order, and that of the index on how it came about.
        times = np.sort(snapshot.times[snapshot.item_of[units]])
        times = times[~np.isnan(times)]
        often = float((0.5 ** ((snapshot.newest - times) / YEAR)).sum())
        known[item] = (float(times[-1]) if len(times) else None), often
    return known


def _hits(snapshot: Snapshot, hashes: Sequence[int], positions: Sequence[int]) -> dict[int, int]:
    """How many of the task's terms stand in each unit: the seeds' formulas count them."""
    present = np.zeros(len(snapshot.alive), dtype=np.int32)
    for units, _ in snapshot.postings(hashes):
        present[units] += 1
    return {p: int(present[p]) for p in positions}
