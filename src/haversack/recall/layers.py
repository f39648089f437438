"""Layers 2 and 3: what happened around a record, and the whole of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from haversack.errors import NotFoundError, UsageError
from haversack.index import symbolic
from haversack.index.prepare import USES
from haversack.index.terms import term_hash
from haversack.index.units import UnitReader
from haversack.model import Status, Unit
from haversack.recall.answer import Details, MetaValue, Moment, citations_of, fitted, iso
from haversack.recall.question import subjects
from haversack.recall.rank import record_id, space_of
from haversack.recall.sizes import DETAIL_TOKENS, TIMELINE_TOKENS, Count, one_line
from haversack.safe import sanitize

if TYPE_CHECKING:
    from haversack.index.snapshot import Snapshot
    from haversack.index.store import Store

DAY: Final = 86_400.0
WINDOW_DAYS: Final = 7.0
LONGEST_WINDOW: Final = 36_500.0
MOST_MOMENTS: Final = 20
MOST_PAGES: Final = 48  # of memory that are read for a timeline, nearest in time first
MOST_RELATED: Final = 10
TIMED: Final = ("memories", "experiences")
# What an experience's end is worth when nobody reported a reward.
WORTH: Final[Mapping[str, float]] = {"confirmed": 1.0, "falsified": 0.0}


class Known(Struct, frozen=True):
    """One record as the index has it, and where."""

    unit: Unit
    position: int


class Layers:
    """Reads records of one store."""

    def __init__(self, store: Store, count: Count) -> None:
        self._store = store
        self._count = count

    def find(self, record: str) -> Known:
        """The record with that id or a beginning of it; NotFoundError that says where ids come from."""
        snapshot = self._store.snapshot()
        position = symbolic.by_id(snapshot, record) if record else None
        if position is None and record:
            # An experience is known by its own name, which its units do not have as id.
            position = next(iter(symbolic.defined(snapshot, [record])[0]), None)
        if position is None:
            raise NotFoundError(f"nothing remembered is called {record!r}", hint="haversack recall QUERY prints ids")
        (unit,) = UnitReader(self._store, snapshot).at([position])
        return Known(unit, position)

    def timeline(
        self, record: str, *, window: float = WINDOW_DAYS, limit: int = MOST_MOMENTS, rewards: Mapping[str, float]
    ) -> tuple[Moment, ...]:
        """What was remembered within `window` days of a record, in the order of time, the record itself among it."""
        if not 0 < window <= LONGEST_WINDOW:
            raise UsageError(f"a window is a number of days above 0 and at most {LONGEST_WINDOW:.0f}, not {window}")
        if limit < 1:
            raise UsageError(f"a limit is at least 1, not {limit}")
        centre = self.find(record).unit
        moments: dict[str, tuple[float, Unit]] = {}
        for unit in self._around(centre, window):
            if _is_whole(unit) and unit.status is not Status.SUPERSEDED:
                moments.setdefault(record_id(unit), (abs((unit.time or 0.0) - (centre.time or 0.0)), unit))
        moments[record_id(centre)] = (-1.0, centre)
        same = centre.meta.get("session")
        # Of the same session first, then what is nearest in time.
        nearest = sorted(
            moments.values(),
            key=lambda pair: (pair[0] >= 0 and not _same(pair[1], same), pair[0], _order(pair[1])),
        )[:limit]
        told = sorted((unit for _, unit in nearest), key=lambda unit: (unit.time or 0.0, _order(unit)))
        return tuple(self._moment(unit, centre, rewards) for unit in told)

    def _around(self, centre: Unit, window: float) -> Iterator[Unit]:
        snapshot = self._store.snapshot()
        if centre.time is None:
            return
        low, high = centre.time - window * DAY, centre.time + window * DAY
        pages = [
            (abs(item.time - centre.time), item.key, number)
            for number, item in enumerate(snapshot.items)
            # An item's time is that of its newest record: older ones stand in it, too.
            if item.source in TIMED and item.time is not None and item.time >= low and item.segment >= 0
        ]
        reader = UnitReader(self._store, snapshot)
        for _, _, number in sorted(pages)[:MOST_PAGES]:
            for unit in reader.of_item(number):
                if unit.time is not None and low <= unit.time <= high:
                    yield unit

    def _moment(self, unit: Unit, centre: Unit, rewards: Mapping[str, float]) -> Moment:
        name = record_id(unit)
        when = iso(unit.time)
        if name == record_id(centre) or _same(unit, centre.meta.get("session")):
            relation = "same_task"
        else:
            earlier = ((unit.time or 0.0), _order(unit)) < ((centre.time or 0.0), _order(centre))
            relation = "before" if earlier else "after"
        reward = rewards.get(name, WORTH.get(str(unit.meta.get("outcome"))))
        cited = citations_of(unit)
        body = said(unit)
        text = fitted(f"{when[:16]} {relation} {name} {unit.kind}: ", body, cited, TIMELINE_TOKENS, self._count)
        return Moment(name, one_line(body)[:400], reward, when, relation, cited, text, self._count(text))

    def details(self, record: str) -> Details:
        """The whole record, within its size; the rest is named as cut."""
        known = self.find(record)
        unit = known.unit
        if unit.parent is not None:  # one axis of an experience: the whole story is its parent
            known = self.find(unit.parent)
            unit = known.unit
        return self.whole(unit, self._related(known))

    def whole(self, unit: Unit, related: tuple[str, ...]) -> Details:
        """A record that is at hand, within its size."""
        name = record_id(unit)
        cited = citations_of(unit)
        head = f"{name} {unit.kind} {iso(unit.time)}\n".replace(" \n", "\n")
        body = f"{unit.meta['speaker']}: {unit.text}" if unit.meta.get("speaker") else unit.text
        text = fitted(head, body, cited, DETAIL_TOKENS, self._count)
        shown = text.removeprefix(head)
        return Details(
            id=name,
            full_content=shown,
            metadata=_metadata(unit),
            citations=cited,
            related=related,
            truncated=sanitize(body) not in shown,
            text=text,
            tokens=self._count(text),
        )

    def _related(self, known: Known) -> tuple[str, ...]:
        """What belongs to it: the experiences behind a value, its neighbours in the session, what shares its files."""
        snapshot = self._store.snapshot()
        unit, own = known.unit, record_id(known.unit)
        behind = unit.meta.get("experiences")
        found: dict[str, None] = dict.fromkeys(behind if isinstance(behind, tuple) else ())
        positions = [*_neighbours(snapshot, known), *_sharing(snapshot, unit)]
        for other in UnitReader(self._store, snapshot).at(positions[: 8 * MOST_RELATED]):
            near = other.source == unit.source and _same(other, unit.meta.get("session"))
            if other.status is not Status.SUPERSEDED and (near or not set(subjects(unit)).isdisjoint(subjects(other))):
                found.setdefault(record_id(other))
        found.pop(own, None)
        return tuple(found)[:MOST_RELATED]


def said(unit: Unit) -> str:
    """What a unit says, with who said it, on one line."""
    body = one_line(unit.text or unit.title)
    speaker = unit.meta.get("speaker")
    return f"{speaker}: {body}" if speaker else body


def _is_whole(unit: Unit) -> bool:
    return unit.meta.get("axis", "full") == "full"


def _same(unit: Unit, session: object) -> bool:
    return bool(session) and unit.meta.get("session") == session


def _order(unit: Unit) -> float:
    number = unit.meta.get("number")
    return float(number) if isinstance(number, int | float) else 0.0


def _neighbours(snapshot: Snapshot, known: Known) -> list[int]:
    item = snapshot.item_of[known.position]
    near = (known.position + step for step in (-1, 1, -2, 2))
    return [at for at in near if 0 <= at < len(snapshot.alive) and snapshot.item_of[at] == item]


def _sharing(snapshot: Snapshot, unit: Unit) -> list[int]:
    names = subjects(unit)
    if not names:
        return []
    space = space_of(snapshot, ("memories", "experiences", "values"))
    found = snapshot.postings([term_hash(name, USES) for name in names])
    return [at for units, _ in found for at in units.tolist() if space[at]]


def _metadata(unit: Unit) -> dict[str, MetaValue]:
    """What the record knows of itself beside its text, by name."""
    found: dict[str, MetaValue] = {"source": unit.source, "kind": unit.kind, "status": str(unit.status)}
    if unit.time is not None:
        found["timestamp"] = iso(unit.time)
    for name, value in sorted(unit.meta.items()):
        if name not in ("record", "cited"):
            found[name] = list(value) if isinstance(value, tuple) else value
    return found


def mean_rewards(pairs: Sequence[tuple[str, float]]) -> dict[str, float]:
    """Record to the mean of the rewards of packets that used it."""
    sums: dict[str, list[float]] = {}
    for record, reward in pairs:
        sums.setdefault(record, []).append(reward)
    return {record: round(sum(values) / len(values), 4) for record, values in sums.items()}
