"""A unit's ladder: the same material at five prices, by its source's own compressors or by what kind of text it is."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from msgspec.structs import replace

from haversack.model import Level, Span, Unit
from haversack.pack.levels.compressed import compressed
from haversack.pack.levels.detailed import detailed
from haversack.pack.levels.full import full
from haversack.pack.levels.leveled import (
    CHARS_PER_TOKEN,
    LEAST_SAVING,
    LIGHT_ABOVE,
    LIGHT_FROM,
    MEDIUM_ABOVE,
    STRENGTHS,
    Count,
    Leveled,
    Limits,
    StubInfo,
    level_for,
)
from haversack.pack.levels.material import Material, material
from haversack.pack.levels.stub import stub
from haversack.pack.levels.summary import summary
from haversack.pack.levels.terms import Terms
from haversack.sources.code.outline import Outline
from haversack.sources.protocol import Compressor

# No step aims below a short paragraph.
LEAST_SUMMARY: Final = 60
NO_LIMIT: Final = 1 << 40
SAMPLE: Final = 16_384  # characters counted to know what the others cost
NO_COMPRESSORS: Final[Mapping[str, Compressor]] = {}


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
    compressors: Mapping[str, Compressor] = NO_COMPRESSORS,
    numbered: bool = False,
    whole: bool = True,
    shortened: bool = True,
) -> tuple[Leveled, ...]:
    """The unit's rungs from full to stub, each at least 15 % cheaper than the one above; others are left out.

    `text` is the unit's full text, redacted, and `first_line` the number of its first line. `compressors` are those of
    its source, by strength. Without `whole` the ladder begins with the level "detailed"; without `shortened` nothing
    between "light" and "stub" is made. Pass `Terms.of(terms)` when building many ladders for one task.
    """
    rungs: list[Leveled] = []
    if text and not text.isspace():
        # What tells the lines of the task apart is needed only to leave others out.
        found = material(unit, text, outline, first_line, terms if shortened else (), numbered=numbered)
        if whole:
            _add(rungs, full(found, limits.full, count))
        size = _size(found, rungs) if whole else _sampled(found, count)
        light = (Level.LIGHT,) if whole and size[0] >= LIGHT_FROM else ()
        for level in (*light, *((Level.DETAILED, Level.SUMMARY) if shortened else ())):
            most = int(rungs[-1].tokens * (1 - LEAST_SAVING)) if rungs else NO_LIMIT
            _add(rungs, _at(found, level, limits, most, size, count, compressors))
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
    unit: Unit | None = None,
    compressors: Mapping[str, Compressor] = NO_COMPRESSORS,
    numbered: bool = False,
) -> Leveled:
    """A whole file at the level asked for, even where that saves nothing; empty when not even a word fits its limit."""
    limits = limits or Limits()
    lines = text.count("\n") + (not text.endswith("\n"))
    whole = Unit(
        id="", source="", kind="file", title=info.path, text="", path=info.path, span=Span(1, lines), lang=lang
    )
    limit = _limit(limits, level)
    found = material(unit or whole, text, outline, 1, terms, numbered=numbered)
    made: Leveled | None = None
    if level is Level.STUB:
        made = stub(info, None, limit, count, limits.include)
    elif level is Level.FULL:
        made = full(found, limits.full, count)
    elif text and not text.isspace():
        made = _at(found, level, limits, limit, _sampled(found, count), count, compressors)
        if made is None and level is Level.LIGHT:  # nothing decorates it: as much of it as fits
            made = full(found, limits.light, count)
    return replace(made, level=level) if made else Leveled(level, "", 0, None, elided=True)


def shortened_file(
    text: str,
    lang: str,
    level: Level | None,
    tokens: int | None,
    *,
    info: StubInfo,
    count: Count,
    outline: Outline | None = None,
    limits: Limits,
    unit: Unit | None = None,
    compressors: Mapping[str, Compressor] = NO_COMPRESSORS,
) -> Leveled:
    """A whole file at a level, within so many tokens if they are given; without a level as strongly as they need.

    Where that leaves nothing, the next stronger step is taken.
    """
    steps = [level] if level is not None else []
    if level is None and tokens is not None:
        shown = text.removesuffix("\n")
        whole = count(shown) if len(text) <= SAMPLE else int(len(text) * max(count(text[:SAMPLE]), 1) / SAMPLE)
        steps = list(Level)[list(Level).index(level_for(tokens / max(whole, 1))) :]
        limits = replace(limits, detailed=-1, summary=-1)
    made = Leveled(Level.STUB, "", 0, None, elided=True)
    for step in steps:
        made = summarize_file(
            text,
            lang,
            step,
            info=info,
            count=count,
            outline=outline,
            limits=limits if tokens is None else limits.within(tokens),
            unit=unit,
            compressors=compressors,
        )
        if made.text:
            break
    return made


def _at(
    found: Material,
    level: Level,
    limits: Limits,
    most: int,
    size: tuple[int, float],
    count: Count,
    compressors: Mapping[str, Compressor],
) -> Leveled | None:
    """The material at that level; None when it would take more than `most` without the limit being in the way."""
    limit = _limit(limits, level)
    whole, rate = size
    aim = max(LEAST_SUMMARY, int(whole * MEDIUM_ABOVE))
    compress = compressors.get(STRENGTHS[level])
    if compress is not None:
        share = {Level.DETAILED: LIGHT_ABOVE, Level.SUMMARY: MEDIUM_ABOVE}.get(level, 1.0)
        wanted = min(limit, most, max(LEAST_SUMMARY, int(whole * share)))
        made = compressed(compress, found, level, wanted, count)
        if made is not None:
            return made if made.text.strip() else None
    if level is Level.LIGHT:
        return None
    if level is Level.DETAILED:
        drawing = detailed(found, limit, most, count, rate, limits.preserve)
    else:
        drawing = summary(found, limit, aim, most, count, rate)
    return Leveled(level, drawing.text, drawing.tokens, found.unit.span, drawing.missing) if drawing.text else None


def _sampled(found: Material, count: Count) -> tuple[int, float]:
    """The tokens of the text and what a character of it costs, from its beginning."""
    sample = found.text[:SAMPLE]
    rate = max(count(sample), 1) / len(sample)
    return int(len(found.text) * rate), rate


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
