"""Search: one query, one view or all of them, filters, ranked hits that say why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np
from msgspec import Struct

from haversack.errors import UsageError
from haversack.index import relational, scan, symbolic
from haversack.index.lexical import ask, bm25, presence
from haversack.index.prepare import DEFINES, NAME
from haversack.index.records import KIND_CODE
from haversack.index.segment import Array
from haversack.index.semantic import similarities
from haversack.index.snapshot import Snapshot
from haversack.index.terms import keywords, term_hash, terms
from haversack.index.units import UnitReader
from haversack.model import Span, Unit
from haversack.retrieve.fusion import best, fuse, scaled

if TYPE_CHECKING:
    from haversack.index.embed import Embedder
    from haversack.index.store import Store
    from haversack.project import Project

View: TypeAlias = Literal["hybrid", "lexical", "semantic", "symbolic", "relational", "exact", "regex"]
VIEWS: tuple[View, ...] = get_args(View)

NAME_SHARE = 0.5  # what a full match of the name adds to a lexical score
EXACT_NAME_BONUS = 1.0  # a query that is a symbol's name means that symbol
LOOKED_PAST = 4  # hits looked at for each that is wanted, where a time is asked for


class Hit(Struct, frozen=True):
    """A unit that answers, how well, and by which signals."""

    unit: Unit
    score: float
    why: dict[str, float]
    line: int | None = None
    snippet: str = ""


class Filters(Struct, frozen=True):
    """What a hit must be."""

    kind: str | None = None
    path: str | None = None
    lang: str | None = None
    since: float | None = None

    def mask(self, snapshot: Snapshot) -> Array:
        """True for every position that may be shown."""
        allowed = np.ones(max(len(snapshot.items), 1), dtype=bool)
        if self.lang or self.path or self.since is not None:
            matches = _path_test(self.path) if self.path else None
            for number, item in enumerate(snapshot.items):
                allowed[number] = (
                    (not self.lang or item.lang == self.lang)
                    and (matches is None or matches(item.key))
                    and (self.since is None or (item.time is not None and item.time >= self.since))
                )
        mask: Array = snapshot.alive & allowed[snapshot.owners]
        if self.kind:
            if self.kind not in KIND_CODE:
                known = ", ".join(kind for kind in KIND_CODE if kind != "other")
                raise UsageError(f"unknown kind {self.kind!r}", hint=f"known kinds: {known}")
            mask &= snapshot.kinds == KIND_CODE[self.kind]
        return mask


def _path_test(pattern: str) -> Callable[[str], bool]:
    if any(sign in pattern for sign in "*?["):
        return symbolic.glob_matcher(pattern)
    plain = pattern.removeprefix("./").rstrip("/")
    return lambda key: key == plain or key.startswith(plain + "/")


class Searcher:
    """Answers queries from one store."""

    def __init__(self, project: Project, store: Store, embedder: Embedder | None) -> None:
        self._project = project
        self._store = store
        self._embedder = embedder

    def search(
        self, query: str, *, view: View = "hybrid", filters: Filters | None = None, limit: int = 10
    ) -> list[Hit]:
        """The best hits, best first; equal ones by path and line."""
        if not query.strip():
            raise UsageError("the query is empty", hint="say what to look for")
        if view not in VIEWS:
            raise UsageError(f"unknown view {view!r}", hint=f"known views: {', '.join(VIEWS)}")
        snapshot = self._store.snapshot()
        mask = (filters or Filters()).mask(snapshot)
        if view in ("exact", "regex"):
            return self._scan(snapshot, query, view, mask, limit)
        scores, why = self._scores(snapshot, query, view)
        return self._hits(snapshot, scores, mask, why, limit, filters.since if filters else None)

    def _scores(self, snapshot: Snapshot, query: str, view: View) -> tuple[Array, Callable[[int], dict[str, float]]]:
        if view == "symbolic":
            found = self._symbolic(snapshot, query)
            return found, lambda p: {"symbolic": round(float(found[p]), 4)}
        if view == "relational":
            found = self._relational(snapshot, query)
            return found, lambda p: {"relational": round(float(found[p]), 4)}
        weights = dict.fromkeys(terms(query), 1.0)
        called = dict.fromkeys(keywords(query), 1.0)
        if view == "lexical":
            scores = scaled(bm25(snapshot, ask(weights)))
            scores = scores + np.float32(NAME_SHARE) * scaled(presence(snapshot, ask(weights | called, NAME)))
            return scores, lambda p: {"lexical": round(float(scores[p]), 4)}
        vector = self._embedder.embed([query])[0] if self._embedder else None
        if view == "semantic":
            near = similarities(snapshot, vector) if vector is not None else np.zeros(len(snapshot.alive), np.float32)
            return near, lambda p: {"semantic": round(float(near[p]), 4)}
        signals = fuse(snapshot, weights, vector, called=called)
        exact = np.zeros(len(snapshot.alive), dtype=np.float32)
        for units, _ in snapshot.postings([term_hash(word, DEFINES) for word in (query.strip(),)]):
            exact[units] = EXACT_NAME_BONUS
        return signals.fused + exact, lambda p: {**signals.at(p), **({"symbol": 1.0} if exact[p] else {})}

    def _symbolic(self, snapshot: Snapshot, query: str) -> Array:
        scores = np.zeros(len(snapshot.alive), dtype=np.float32)
        query = query.strip()
        for position in symbolic.named_like(snapshot, query):
            scores[position] = 0.5
        for item in (*symbolic.paths(snapshot, query), *symbolic.commit(snapshot, query)):
            first = snapshot.first_position(item)
            if first >= 0:
                scores[first] = 0.9
        for position in symbolic.defined(snapshot, [query])[0]:
            scores[position] = 1.0
        by_id = symbolic.by_id(snapshot, query)
        if by_id is not None:
            scores[by_id] = 1.0
        return scores

    def _relational(self, snapshot: Snapshot, query: str) -> Array:
        """What uses the symbol, what it uses, and its definitions."""
        scores = np.zeros(len(snapshot.alive), dtype=np.float32)
        reader = UnitReader(self._store, snapshot)
        definitions = symbolic.defined(snapshot, [query.strip()])[0]
        for unit in reader.at(definitions[: relational.MOST_EDGES]):
            for found in relational.uses(snapshot, unit).values():
                scores[found] = 0.5
        scores[relational.users(snapshot, [query.strip().rpartition(".")[2]])[0]] = 0.8
        scores[definitions] = 1.0
        return scores

    def _scan(self, snapshot: Snapshot, query: str, view: View, mask: Array, limit: int) -> list[Hit]:
        items = sorted(set(snapshot.item_of[mask].tolist()))
        look = scan.exact if view == "exact" else scan.regex
        result = look(self._project, snapshot, query, items=items, limit=limit)
        reader = UnitReader(self._store, snapshot)
        hits = []
        for line in result.lines:
            position = scan.innermost(snapshot, line.item, Span(line.number, line.number))
            if position is not None and mask[position]:
                (unit,) = reader.at([position])
                hits.append(Hit(unit, 1.0, {view: 1.0}, line.number, line.text.strip()[:200]))
        return hits

    def _hits(
        self,
        snapshot: Snapshot,
        scores: Array,
        mask: Array,
        why: Callable[[int], dict[str, float]],
        limit: int,
        since: float | None,
    ) -> list[Hit]:
        # An item may hold older units beside a new one, such as a page of memories: those are looked past.
        found: Sequence[int] = best(scores, limit if since is None else limit * LOOKED_PAST, mask).tolist()
        units = UnitReader(self._store, snapshot).at(found)
        hits = [
            Hit(u, round(float(scores[p]), 4), why(p))
            for p, u in zip(found, units, strict=True)
            if since is None or u.path is not None or u.time is None or u.time >= since
        ]
        hits.sort(key=lambda h: (-h.score, h.unit.path or "", h.unit.span.start if h.unit.span else 0, h.unit.id))
        return hits[:limit]
