"""Pieces that follow each other in a file are shown as one: each saves a heading, and nothing is torn apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from msgspec.structs import replace

from haversack.assemble.ladders import IMPORTS
from haversack.model import Candidate, Chosen, Level, Omitted, Rung, Span
from haversack.render.labels import owner_told

# Whoever reads only the beginning is to find the best pieces there: neighbours that are worth much less for a token,
# or too many of them, would push others back. Of 75 pieces in packets of 16,000 tokens 28 follow another one; with
# these limits most are joined, and the first 2,000 to 8,000 tokens hold what they held.
LEAST_SHARE = 0.5
MOST_TOKENS = 600


def joined(
    chosen: Sequence[Chosen], homes: Mapping[str, str], price: Callable[[Candidate, Rung], int]
) -> tuple[Chosen, ...]:
    """The same with neighbours joined: the best of them stands for all and shows the others.

    `homes` says for each section which ones are written as one.
    """

    def place(each: Chosen) -> tuple[str, str, int]:
        span, section = each.rung.span, each.candidate.section
        return homes.get(section, section), each.candidate.scored.unit.path or "", span.start if span else 0

    lone = [each for each in chosen if not _may_be_joined(each)]
    places = [each for each in chosen if _may_be_joined(each)]
    runs = [
        run
        for _, side_by_side in groupby(sorted(places, key=place), key=lambda each: place(each)[:2])
        for run in _runs(list(side_by_side))
    ]
    return (*lone, *(_one(run, price) if len(run) > 1 else run[0] for run in runs))


def shown_beside(shown: Sequence[Chosen], chosen: Sequence[Chosen]) -> list[Omitted]:
    """The account of what was chosen and is now shown as a part of something else."""
    there = {each.candidate.id for each in shown}
    beside = {one.id: each.candidate.id for each in shown for one in each.shows}
    return [
        Omitted.of(one.scored.unit, f"duplicate of {beside[one.id]}", score=one.scored.score, section=one.section)
        for one in (each.candidate for each in chosen)
        if one.id not in there and one.id in beside
    ]


def _may_be_joined(chosen: Chosen) -> bool:
    """Whether it is code that is shown whole, and whose heading says nothing but where it is."""
    candidate, rung = chosen.candidate, chosen.rung
    unit = candidate.scored.unit
    plain = unit.source == "code" and unit.kind not in ("file", IMPORTS) and unit.path is not None
    whole = rung.level is Level.FULL and not rung.truncated and rung.span is not None
    return plain and whole and not candidate.pinned and not candidate.also


def _runs(pieces: Sequence[Chosen]) -> list[list[Chosen]]:
    """Pieces of a file, in its order, in runs of those that are shown together."""
    runs: list[list[Chosen]] = []
    for each in pieces:
        if runs and _follows(each, runs[-1]):
            runs[-1].append(each)
        else:
            runs.append([each])
    return runs


def _follows(piece: Chosen, run: Sequence[Chosen]) -> bool:
    last = run[-1]
    if last.rung.span is None or piece.rung.span is None or piece.rung.span.start != last.rung.span.end + 1:
        return False
    rates = sorted(each.rung.value / max(each.rung.tokens, 1) for each in (last, piece))
    short = sum(each.rung.tokens for each in (*run, piece)) <= MOST_TOKENS
    return short and _scope(piece) == _scope(last) and rates[0] >= LEAST_SHARE * rates[1]


def _scope(chosen: Chosen) -> str:
    """The class or namespace around it, where the heading names it. A block without a name is called as that is."""
    unit = chosen.candidate.scored.unit
    if owner_told(unit, chosen.rung.text):
        return ""
    return unit.qualname if unit.kind == "block" and not unit.name else unit.qualname.rpartition(".")[0]


def _one(run: Sequence[Chosen], price: Callable[[Candidate, Rung], int]) -> Chosen:
    best = max(run, key=lambda each: each.candidate.scored.score)
    spans = [each.rung.span for each in run if each.rung.span is not None]
    rung = replace(
        best.rung,
        text="\n".join(each.rung.text for each in run),
        value=sum(each.rung.value for each in run),
        span=Span(spans[0].start, spans[-1].end),
    )
    others = tuple(one for each in run for one in ((each.candidate,) if each is not best else ()) + each.shows)
    return Chosen(best.candidate, replace(rung, tokens=price(best.candidate, rung)), others)
