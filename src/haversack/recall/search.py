"""Layer 1, `search_memory`: as deep as the question is complex, cited, certified, wider when that is not enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from haversack.errors import UsageError
from haversack.index.prepare import USES
from haversack.index.terms import term_hash
from haversack.index.units import UnitReader
from haversack.memory.vocabulary import SCOPES, one_of
from haversack.model import Candidate, Chosen, Level, Omitted, Rung, Scored, Status, Unit
from haversack.recall.answer import Answer, Metadata, Result, citations_of, fitted
from haversack.recall.question import Question, subjects
from haversack.recall.rank import ALPHA, BETA, SOURCES, THRESHOLD, Ranked, Ranker, Weighing, record_id, space_of
from haversack.recall.sizes import SEARCH_TOKENS, Count, one_line
from haversack.receipt.certificate import ENOUGH, Certificate, certify

if TYPE_CHECKING:
    from haversack.index.embed import Embedder
    from haversack.index.store import Store

MOST_RESULTS: Final = 1_000
WIDEN_BELOW: Final = 0.6  # seed 003: what covers less of the question is searched more widely
WIDE_ALPHA, WIDE_BETA, WIDE_LIMIT = 0.5, 0.5, 20
# Seed 003's estimate of what reading the results in full would take.
DETAILED_FROM, DETAILED_TOKENS, SUMMARY_TOKENS = 0.5, 500, 100
GRAPH_ROOTS: Final = 5  # best results from which a complex question walks on
GRAPH_DECAY: Final = 0.6  # of the score of the result that led there
GRAPH_MOST: Final = 10
LEFT_SHOWN: Final = 60  # of what was left out that a gap's cause is looked for in


class Wanted(Struct, frozen=True):
    """What is asked of a search beside the question."""

    intent: str | None = None
    limit: int | None = None
    scope: str | None = None
    within: str | None = None
    sources: tuple[str, ...] = SOURCES
    alpha: float = ALPHA
    beta: float = BETA
    max_tokens: int | None = None
    requires_citations: bool = False
    widen: bool = True

    def check(self) -> Wanted:
        """The same, or a UsageError that names what is wrong."""
        if self.limit is not None and not 1 <= self.limit <= MOST_RESULTS:
            raise UsageError(f"a limit is from 1 to {MOST_RESULTS}, not {self.limit}")
        for name in ("alpha", "beta"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise UsageError(f"{name} is a number from 0 to 1, not {getattr(self, name)}")
        if self.max_tokens is not None and self.max_tokens < 0:
            raise UsageError("a number of tokens cannot be negative")
        for source in self.sources:
            one_of("source", source, SOURCES)
        return replace(self, scope=one_of("scope", self.scope, SCOPES)) if self.scope else self

    def admits(self, unit: Unit) -> bool:
        """Whether a unit may be shown: cited if that is required, of the scope asked for or a wider one."""
        if self.requires_citations and not citations_of(unit):
            return False
        scope = unit.meta.get("scope")
        if self.scope is None or scope not in SCOPES:
            return True
        if SCOPES.index(str(scope)) < SCOPES.index(self.scope):
            return False
        return not (self.within and scope == self.scope and unit.meta.get("within") not in ("", None, self.within))


class MemorySearch:
    """Searches what is remembered in one store."""

    def __init__(
        self, store: Store, embedder: Embedder | None, count: Count, uplift: Callable[[], Mapping[str, float]]
    ) -> None:
        self._store = store
        self._ranker = Ranker(store, embedder)
        self._count = count
        self._uplift = uplift

    def search(self, query: str, wanted: Wanted) -> Answer:
        """The answer; UsageError for an empty query or a wrong option."""
        wanted = wanted.check()
        asked = self._ranker.ask(query, sources=wanted.sources, intent=wanted.intent)
        task = asked.task
        limit = wanted.limit or task.k
        weighing = Weighing(task.intent, wanted.alpha, wanted.beta, self._uplift())
        results, left = self._found(asked, weighing, wanted, limit, graph=task.strategy == "complex")
        certificate = _certify(asked, results, left)
        widened = wanted.widen and _below(certificate, WIDEN_BELOW)
        if widened:
            wider = replace(weighing, alpha=WIDE_ALPHA, beta=WIDE_BETA)
            more, left = self._found(asked, wider, wanted, max(WIDE_LIMIT, limit), graph=True)
            merged = _merged(results, more)
            most = wanted.limit or len(merged)
            results = merged[:most]
            left = [*((each.unit, _omitted(each, "budget")) for each in merged[most:]), *left]
            certificate = _certify(asked, results, left)
        kept = self._sized(results, wanted.max_tokens)
        if len(kept) < len(results):
            shown = {each.id for each in kept}
            cut = [(each.unit, _omitted(each, "budget")) for each in results if each.id not in shown]
            results, left = kept, [*cut, *left]
            certificate = _certify(asked, results, left)
        told = sorted(results, key=_in_time) if task.intent == "what_happened" else results
        lines = tuple(self._line(each) for each in told)
        return Answer(
            packet=_name(query, lines),
            query=query,
            intent=task.intent,
            results=lines,
            certificate=certificate,
            metadata=Metadata(
                complexity=task.complexity,
                factors=dict(task.complexity_factors),
                strategy=task.strategy,
                k=limit,
                result_count=len(lines),
                estimated_tokens=len(lines) * (DETAILED_TOKENS if task.complexity > DETAILED_FROM else SUMMARY_TOKENS),
                tokens=sum(each.tokens for each in lines),
                alpha=WIDE_ALPHA if widened else wanted.alpha,
                beta=WIDE_BETA if widened else wanted.beta,
                widened=widened,
            ),
            suggestion=_suggestion(certificate, results),
        )

    def _found(
        self, asked: Question, weighing: Weighing, wanted: Wanted, limit: int, *, graph: bool
    ) -> tuple[list[Ranked], list[tuple[Unit, Omitted]]]:
        """The best, and what was left out with the reason, best first."""
        ranked = self._ranker.rank(asked, weighing, sources=wanted.sources, limit=limit, admit=wanted.admits)
        relevant = [each for each in ranked if each.relevance >= THRESHOLD]
        results = relevant[:limit]
        if graph and results:
            room = GRAPH_MOST if wanted.limit is None else wanted.limit - len(results)
            results += self._linked(results, weighing, wanted)[: max(room, 0)]
        left = [(each.unit, _omitted(each, "budget")) for each in relevant[limit:]]
        left += [(each.unit, _omitted(each, "below threshold")) for each in ranked if each.relevance < THRESHOLD]
        return results, left[:LEFT_SHOWN]

    def _linked(self, results: Sequence[Ranked], weighing: Weighing, wanted: Wanted) -> list[Ranked]:
        """What speaks of the same files and symbols as the best results: the walk along the graph."""
        snapshot = self._store.snapshot()
        space = space_of(snapshot, wanted.sources)
        known = {each.id for each in results}
        reader = UnitReader(self._store, snapshot)
        found: dict[str, Ranked] = {}
        for root in results[:GRAPH_ROOTS]:
            for units, _ in snapshot.postings(_links(root.unit)):
                near = [position for position in units.tolist() if space[position]]
                for unit in reader.at(near[: GRAPH_MOST * 4]):
                    name = record_id(unit)
                    if name in known or name in found or unit.status is Status.SUPERSEDED or not wanted.admits(unit):
                        continue
                    relevance = round(GRAPH_DECAY * root.relevance, 6)
                    uplift = weighing.uplift.get(name, 0.0)
                    score = round(weighing.alpha * relevance + weighing.beta * uplift, 6)
                    found[name] = Ranked(unit, score, relevance, uplift, {"linked": GRAPH_DECAY})
        return sorted(found.values(), key=lambda each: (-each.score, each.id))[:GRAPH_MOST]

    def _sized(self, results: list[Ranked], max_tokens: int | None) -> list[Ranked]:
        """The best whose lines fit into the tokens allowed."""
        if max_tokens is None:
            return results
        kept, used = [], 0
        for each in results:
            cost = self._line(each).tokens + 1  # the line's end
            if used + cost <= max_tokens:
                kept.append(each)
                used += cost
        return kept

    def _line(self, found: Ranked) -> Result:
        unit = found.unit
        cited = citations_of(unit)
        body = one_line(unit.text or unit.title)
        speaker = unit.meta.get("speaker")
        if speaker:
            body = f"{speaker}: {body}"
        text = fitted(f"{found.id} {unit.kind}: ", body, cited, SEARCH_TOKENS, self._count)
        summary = text.removeprefix(f"{found.id} {unit.kind}: ")
        return Result(
            id=found.id,
            summary=summary,
            score=found.score,
            relevance=found.relevance,
            uplift=found.uplift,
            type=unit.kind,
            source=unit.source,
            citations=cited,
            time=unit.time,
            text=text,
            tokens=self._count(text),
            why=found.why,
        )


def _links(unit: Unit) -> list[int]:
    return [term_hash(name, USES) for name in subjects(unit)]


def _omitted(ranked: Ranked, reason: str) -> Omitted:
    return Omitted.of(ranked.unit, reason, score=ranked.score)


def _certify(asked: Question, results: Sequence[Ranked], left: Sequence[tuple[Unit, Omitted]]) -> Certificate:
    chosen = [
        Chosen(
            Candidate(Scored(replace(each.unit, id=each.id), each.score, each.why), "memory", ()),
            Rung(Level.FULL, each.unit.text, 0, each.score),
        )
        for each in results
    ]
    shown = {each.id for each in results}
    return certify(asked.task, chosen, [pair for pair in left if pair[1].id not in shown])


def _below(certificate: Certificate, limit: float) -> bool:
    return certificate.completeness is not None and certificate.completeness < limit


def _merged(first: Sequence[Ranked], more: Sequence[Ranked]) -> list[Ranked]:
    """What was found first, then what the wider search adds."""
    known = {each.id for each in first}
    return [*first, *(each for each in more if each.id not in known)]


def _suggestion(certificate: Certificate, results: Sequence[Ranked]) -> str:
    if not _below(certificate, ENOUGH):
        return ""
    missing = ", ".join(f'"{one_line(gap.text)[:40]}"' for gap in certificate.gaps[:5])
    ask = f"ask the user about {missing}" if missing else "ask the user"
    if not results:
        return f"Nothing remembered answers this: {ask}."
    return f"This may not be enough: look at what happened around {results[0].id} (timeline), or {ask}."


def _in_time(ranked: Ranked) -> tuple[bool, float, float, str]:
    when, number = ranked.unit.time, ranked.unit.meta.get("number")
    return when is None, when or 0.0, float(number) if isinstance(number, int | float) else 0.0, ranked.id


def _name(query: str, lines: Sequence[Result]) -> str:
    whole = "\0".join([query, *(each.text for each in lines)])
    return "a" + blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
