"""From candidates to a text within the budget: select, join, render, measure, and again until it fits and is full."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from haversack.assemble.given import left_to_history, unseen
from haversack.assemble.imports import ITS_FILE, imports_alone
from haversack.assemble.joining import joined, shown_beside
from haversack.assemble.reading import left_out
from haversack.assemble.source_caps import select_capped
from haversack.index.ledger import History
from haversack.model import Candidate, Chosen, Omitted, Problem, Selection
from haversack.pack.select import select
from haversack.render import PacketInfo, Rendered, assemble_within, frame_costs, homes_of

if TYPE_CHECKING:
    from haversack.assemble.clock import Clock
    from haversack.assemble.ladders import Ladders
    from haversack.assemble.request import Request
    from haversack.index.ledger import Given

FITS = 6  # rounds of measuring and giving back; the first nearly always fits, because blocks add up
WORTH_ANOTHER = 40  # tokens that joining must save before they are spent again: a short piece with its heading
# What is to be used of a budget while something is left out. With less, other limits are tried: one nearly always does,
# the others are for a text that was over, because what joining saves differs. Each costs packing and rendering again.
FULL = 0.97
FILLS = 3
LEFT_OUT = ("budget", "section cap")


class Packed(Struct, frozen=True):
    """What was chosen, what was left out, and the text."""

    selection: Selection
    omitted: tuple[Omitted, ...]
    rendered: Rendered
    tokens: int
    exceeded: bool
    needed: int = 0
    known: tuple[Chosen, ...] = ()


class _Try(Struct, frozen=True):
    """One selection as it was rendered; `saved` are the tokens that joining won.

    `used` are those of the text and of what was chosen and is not repeated to a session: that leaves no gap to fill.
    """

    selection: Selection
    left: tuple[Omitted, ...]
    shown: tuple[Chosen, ...]
    new: tuple[Chosen, ...]
    known: tuple[Given, ...]
    rendered: Rendered
    tokens: int
    used: int
    saved: int


class Fitting:
    """Packs one request's candidates."""

    def __init__(
        self,
        candidates: Sequence[Candidate],
        omitted: Sequence[Omitted],
        request: Request,
        ladders: Ladders,
        clock: Clock,
        *,
        history: History | None,
        problems: Sequence[Problem],
    ) -> None:
        self._candidates = candidates
        self._omitted = omitted
        self._request = request
        self._ladders = ladders
        self._clock = clock
        self._history = history or History()
        self._homes = {name: home.name for name, home in homes_of(request.sections).items()}
        self._info = PacketInfo(
            task=request.task,
            # A bare packet goes to whoever set the budget, and two of them are to begin alike.
            budget=request.budget.available if request.footer else None,
            counter=request.counter.name,
            not_read=tuple(problem.where for problem in problems) if request.footer else (),
            echo_task=request.footer,
        )
        self._overhead = frame_costs(request.renderer, self._info, request.sections, candidates, request.counter.count)

    def packed(self) -> Packed:
        """The packet within its budget; what the measured text is over is given back, what joining saves is spent."""
        request, available = self._request, self._request.budget.available
        limit = available
        for _ in range(FITS):
            found = self._try(limit)
            if found.tokens <= available or found.selection.overflow or request.soft or limit <= 0:
                break
            limit -= found.tokens - available
        if (
            found.tokens > available
            and not request.soft
            and not any(each.candidate.pinned for each in found.selection.chosen)
        ):
            # Not even the frame fits, and nothing has to be there: nothing is within any budget.
            return Packed(found.selection, found.left, Rendered("", ()), 0, exceeded=False, needed=found.tokens)
        if found.tokens <= available:
            found = self._fuller(found, limit)
        left = (
            *found.left,
            *left_to_history(found.known, found.selection.chosen, found.new),
            *shown_beside(found.shown, found.new),
        )
        had = {each.unit for each in found.known}
        repeated = tuple(each for each in found.selection.chosen if each.candidate.id in had)
        return Packed(found.selection, left, found.rendered, found.tokens, found.tokens > available, known=repeated)

    def _fuller(self, first: _Try, limit: int) -> _Try:
        """The fullest of a few packets of larger limits that fit the budget and hold what was promised to it."""
        available = self._request.budget.available
        best, promised = first, first.selection.promised
        more = first.saved if first.saved >= WORTH_ANOTHER else self._gap(first)
        for _ in range(FILLS):
            if not more:
                break
            limit += more
            tried = self._try(limit, exchange=not promised)
            if best.used <= tried.used <= available and promised <= _shown(tried.selection):
                best = tried
            # Less than nothing where it did not fit.
            more = available - tried.used if self._gap(best) else 0
        return best

    def _gap(self, found: _Try) -> int:
        """The tokens that are missing to the budget, if they are many and something is left that could use them."""
        gap = self._request.budget.available - found.used
        wide = gap > (1 - FULL) * self._request.budget.available
        return gap if wide and any(each.reason in LEFT_OUT for each in found.selection.omitted) else 0

    def _try(self, limit: int, *, exchange: bool = True) -> _Try:
        request, count = self._request, self._request.counter.count
        with self._clock.stage("pack"):
            selection = self._selected(limit, exchange)
        with self._clock.stage("render"):
            new, known = unseen(selection.chosen, self._history, least=request.later_score)
            shown = joined(new, self._homes, self._ladders.price)
            facts = replace(self._info, short_by=selection.shortfall, given=tuple(each.number for each in known))
            left = (*selection.omitted, *self._omitted)
            rendered = assemble_within(
                request.renderer,
                facts,
                request.sections,
                shown,
                left,
                limit=request.budget.available,
                count=count,
                options=request.options,
            )
            if known and not new:
                rendered = Rendered(request.renderer.unchanged(facts.given), ())
            tokens = count(rendered.text)
            used = tokens + _tokens(selection.chosen) - _tokens(new)
            saved = _tokens(new) - _tokens(shown)
        return _Try(selection, left, shown, new, known, rendered, tokens, used, saved)

    def _selected(self, limit: int, exchange: bool) -> Selection:
        """What is chosen once imports that would stand alone are out, for good: at most three, so this ends."""
        selection = self._chosen(limit, exchange)
        while bare := imports_alone(selection.chosen):
            self._omitted = (*self._omitted, *(left_out(each.scored, ITS_FILE) for each in bare))
            ids = {each.id for each in bare}
            self._candidates = [each for each in self._candidates if each.id not in ids]
            selection = self._chosen(limit, exchange)
        return selection

    def _chosen(self, limit: int, exchange: bool) -> Selection:
        request, ladders = self._request, self._ladders
        choose = partial(
            select, sections=request.sections, strategy=request.strategy, fill=request.fill, exchange=exchange
        )
        return select_capped(
            self._candidates,
            request.source_caps,
            choose=lambda offered, cut: choose(
                offered, budget=limit, overhead=self._overhead, item_cap=request.item_cap, excerpt=cut
            ),
            choose_within=lambda offered, cap: choose(offered, budget=cap, excerpt=ladders.excerpt),
            excerpt=ladders.excerpt,
        )


def _shown(selection: Selection) -> set[str]:
    return {one.id for each in selection.chosen for one in (each.candidate, *each.shows)}


def _tokens(chosen: Sequence[Chosen]) -> int:
    return sum(each.rung.tokens for each in chosen)
