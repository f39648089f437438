"""A unit's ladder: the same material at four prices."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from haversack.model import Level, Span, Unit
from haversack.pack.levels.detailed import detailed
from haversack.pack.levels.full import full
from haversack.pack.levels.leveled import CHARS_PER_TOKEN, LEAST_SAVING, Count, Leveled, Limits, StubInfo
from haversack.pack.levels.material import Material, material
from haversack.pack.levels.stub import stub
from haversack.pack.levels.summary import summary
from haversack.pack.levels.terms import Terms
from haversack.sources.code.outline import Outline

# A summary aims at this share of the full text, within its limit, but not below a short paragraph.
SUMMARY_SHARE: Final = 0.3
LEAST_SUMMARY: Final = 60
NO_LIMIT: Final = 1 << 40
SAMPLE: Final = 16_384  # characters counted to know what the others cost


def ladder(
    unit: Unit,
    text: str,
    *,
    outline: Outline | None,
    first_line: int,
    terms: Terms | Mapping[str, float] | Collection[str],
    limits: Limits,
    count: Count,
    info: StubInfo,
    numbered: bool = False,
) -> tuple[Leveled, ...]:
    """The unit's rungs from full to stub, each at least 15 % cheaper than the one above; others are left out.

    `text` is the unit's full text, redacted, and `first_line` the number of its first line. Pass `Terms.of(terms)` when
    building many ladders for one task.
    """
    rungs: list[Leveled] = []
    if text and not text.isspace():
        found = material(unit, text, outline, first_line, terms, numbered=numbered)
        _add(rungs, full(found, limits.full, count))
        whole, rate = _size(found, rungs)
        for level in (Level.DETAILED, Level.SUMMARY):
            most = int(rungs[-1].tokens * (1 - LEAST_SAVING)) if rungs else NO_LIMIT
            _add(rungs, _at(found, level, limits, most, whole, rate, count))
    _add(rungs, stub(info, unit.span, _limit(limits, Level.STUB), count, limits.include))
    return tuple(rungs)


def summarize_file(
    text: str,
    lang: str,
    level: Level,
    *,
    info: StubInfo,
    count: Count,
    outline: Outline | None = None,
    terms: Terms | Mapping[str, float] | Collection[str] = (),
    limits: Limits | None = None,
    numbered: bool = False,
) -> Leveled:
    """A whole file at the level asked for, even where that saves nothing; empty when not even a word fits its limit."""
    limits = limits or Limits()
    lines = text.count("\n") + (not text.endswith("\n"))
    unit = Unit(id="", source="", kind="file", title=info.path, text="", path=info.path, span=Span(1, lines), lang=lang)
    limit = _limit(limits, level)
    found = material(unit, text, outline, 1, terms, numbered=numbered)
    made: Leveled | None = None
    if level is Level.STUB:
        made = stub(info, None, limit, count, limits.include)
    elif level is Level.FULL:
        made = full(found, limits.full, count)
    elif text and not text.isspace():
        sample = found.text[:SAMPLE]
        rate = max(count(sample), 1) / len(sample)
        made = _at(found, level, limits, limit, int(len(found.text) * rate), rate, count)
    return made or Leveled(level, "", 0, None, elided=True)


def _at(
    found: Material, level: Level, limits: Limits, most: int, whole: int, rate: float, count: Count
) -> Leveled | None:
    """The material at that level; None when it would take more than `most` without the limit being in the way."""
    limit = _limit(limits, level)
    if level is Level.DETAILED:
        drawing = detailed(found, limit, most, count, rate, limits.preserve)
    else:
        drawing = summary(found, limit, max(LEAST_SUMMARY, int(whole * SUMMARY_SHARE)), most, count, rate)
    return Leveled(level, drawing.text, drawing.tokens, found.unit.span, drawing.missing) if drawing.text else None


def _add(rungs: list[Leveled], rung: Leveled | None) -> None:
    if rung is not None and (not rungs or rung.tokens <= rungs[-1].tokens * (1 - LEAST_SAVING)):
        rungs.append(rung)


def _size(found: Material, rungs: list[Leveled]) -> tuple[int, float]:
    """The tokens of the text and what a character of it costs: counted, or estimated where nothing could be."""
    if rungs and rungs[0].text:
        rate = max(rungs[0].tokens, 1) / len(rungs[0].text)
        return max(rungs[0].tokens, int(len(found.text) * rate)), rate
    return int(len(found.text) / CHARS_PER_TOKEN), 1 / CHARS_PER_TOKEN


def _limit(limits: Limits, level: Level) -> int:
    limit = limits.of(level)
    return limit if limit >= 0 else NO_LIMIT
