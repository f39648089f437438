"""Candidate sets for property tests and for statements about packing."""

from __future__ import annotations

import sys

from hypothesis import strategies as st

from haversack.model import Candidate, Level, Rung, Scored, Section, Span, Unit
from haversack.pack.allocate import NO_CAP
from haversack.pack.overhead import Overhead
from haversack.pack.select import select

Packing = tuple[list[Candidate], list[Section], Overhead]
LEVELS = (Level.FULL, Level.DETAILED, Level.SUMMARY, Level.STUB)


def candidate(
    name: str,
    *rungs: tuple[int, float],
    section: str = "main",
    score: float = 0.5,
    pinned: bool = False,
    explicit: bool = False,
    path: str | None = None,
    span: tuple[int, int] | None = None,
) -> Candidate:
    """A candidate with these (tokens, value) rungs, from full downwards."""
    unit = Unit(name, "code", "function", name, "", path=path, span=Span(*span) if span else None)
    ladder = tuple(Rung(level, "", tokens, value) for level, (tokens, value) in zip(LEVELS, rungs, strict=False))
    return Candidate(Scored(unit, score, {}, explicit=explicit), section, ladder, pinned=pinned)


def section(
    name: str = "main", weight: float = 1, floor: int = 0, cap: int = NO_CAP, threshold: float = 0.0, pool: str = ""
) -> Section:
    return Section(name, name.title(), floor, weight, cap, threshold, pool)


def smooth(one: Candidate, tokens: int, now: Rung | None = None) -> Rung | None:
    """An excerpt of any length, worth its share of the whole; or more of what is shown now, worth a little more."""
    full = one.ladder[0]
    if tokens >= full.tokens:
        return None
    if now is not None:
        return Rung(now.level, "", tokens, now.value + (full.value - now.value) / 10, now.span)
    return Rung(Level.FULL, "", tokens, full.value * tokens / full.tokens, truncated=True)


@st.composite
def candidates(draw: st.DrawFn, sections: list[Section], *, most: int = 12, overlap: bool = True) -> list[Candidate]:
    made = []
    for number in range(draw(st.integers(0, most))):
        score = draw(st.sampled_from([0.1, 0.35, 0.5, 0.7, 0.95]))
        count = draw(st.integers(1, 4))
        tokens = sorted(draw(st.lists(st.integers(1, 400), min_size=count, max_size=count)), reverse=True)
        rungs = [(t, score * draw(st.floats(0, 1))) for t in tokens]
        start = draw(st.integers(1, 60))
        made.append(
            candidate(
                f"u{number:02d}",
                *rungs,
                section=draw(st.sampled_from([s.name for s in sections])),
                score=score,
                pinned=draw(st.integers(0, 9)) == 0,
                explicit=draw(st.integers(0, 9)) == 0,
                path=draw(st.sampled_from(["a.py", "b.py"])) if overlap else None,
                span=(start, start + draw(st.integers(0, 40))),
            )
        )
    return made


@st.composite
def problems(draw: st.DrawFn, *, most: int = 12, overlap: bool = True) -> Packing:
    sections = [
        section(
            f"s{number}",
            weight=draw(st.sampled_from([0, 1, 2, 5])),
            floor=draw(st.sampled_from([0, 0, 60])),
            cap=draw(st.sampled_from([NO_CAP, NO_CAP, 300])),
            threshold=draw(st.sampled_from([0.0, 0.3])),
            pool=draw(st.sampled_from(["", "", "both"])),
        )
        for number in range(draw(st.integers(1, 4)))
    ]
    overhead = Overhead(
        draw(st.integers(0, 40)),
        {s.name: draw(st.integers(0, 12)) for s in sections},
        {s.name: draw(st.integers(0, 30)) for s in sections},
    )
    return draw(candidates(sections, most=most, overlap=overlap)), sections, overhead


def sample() -> list[tuple[str, int]]:
    """One packet with sections, overlaps, similar texts and an excerpt."""
    many = []
    for n in range(80):
        rungs = (n * 37 % 400 + 20, n * 13 % 17 / 17), (15, 0.05)
        many.append(candidate(f"c{n}", *rungs, section="ab"[n % 2], path="p", span=(n, n + 9)))
    alike = {"c1": {"c2": 0.5, "c3": 0.4}, "c5": {"c1": 0.9}}
    made = select(many, [section("a"), section("b", 2)], 1500, similarity=alike, excerpt=smooth)
    return [(chosen.candidate.id, chosen.rung.tokens) for chosen in made.chosen]


if __name__ == "__main__":
    sys.stdout.write(f"{sample()}\n")
