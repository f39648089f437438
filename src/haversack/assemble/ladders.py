"""What each candidate costs and is worth at each level of detail."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from haversack.assemble.kept import Kept, Step, digest_of
from haversack.model import Candidate, Citation, Level, Rung, Scored, Span, Unit
from haversack.pack.levels import Leveled, Limits, StubInfo, Terms, excerpt
from haversack.render import RenderOptions, item_text
from haversack.retrieve.conversation import VERBATIM
from haversack.sources.code.blocks import MOST_LINES
from haversack.sources.code.stored import stored_outline

if TYPE_CHECKING:
    from haversack.assemble.writer import Writer
    from haversack.index.units import UnitReader
    from haversack.render import Renderer
    from haversack.sources.protocol import Compressor

# What a level tells of a unit, as a share of reading it whole: our choice for prose. Code that is to be changed must be
# read whole: with prose's shares packets of 8,000 tokens held .69 of the changed functions of 21 development commits
# and .65 of 11 issues, with half for what is detailed .76 and .70; with these, on all 63 of that sample, .77 and .71
# where half held .73 and .69. With light at .7 instead of .8 packets of 8,000 tokens hold .769 instead of .761 of the
# functions that all development commits changed, and .733 instead of .729 of those of issues.
LEVEL_SHARE = {Level.FULL: 1.0, Level.LIGHT: 0.8, Level.DETAILED: 0.65, Level.SUMMARY: 0.25, Level.STUB: 0.06}
CODE_SHARE = {Level.FULL: 1.0, Level.LIGHT: 0.7, Level.DETAILED: 0.3, Level.SUMMARY: 0.05, Level.STUB: 0.01}
# A score is a rank more than a probability: the difference between .9 and .8 is worth more than that between .5 and .4.
# With 3 a near-best long piece loses to many weak short ones: packets of 8,000 tokens held .736 of the functions that
# all development commits changed, with 4 .761, those of 16,000 .842 and .864; of issues .728 and .729, .809 and .824.
STEEPNESS = 4.0
# How much a longer unit is worth: 0 counts units, 1 counts lines. Between, so that neither one-liners nor giants win.
SIZE_EXPONENT = 0.5
TO_ITS_END = (Level.FULL, Level.LIGHT)  # steps that show a piece from its first line to its last
IMPORTS = "imports"
IMPORTS_SHARE = 0.3  # what those of a file are worth beside its best piece; a choice
LONGEST_TOKEN = 8  # characters; a choice well above the 3.3 to 4 of code: what is longer than this need not be counted
# A larger class or file is shown whole only when it is asked for: its parts compete on their own. A small file costs
# less than its parts one by one and shows what stands between them: on 129 development tasks 8,000 tokens hold .745
# instead of .725 of the lines that commits changed and .721 instead of .705 of those of issues.
WHOLE_TOKENS = 1500
# A larger one that the task names is shown whole up to this share of the budget. With a quarter it pushed back what it
# is named for: the first 2,000 of 16,000 tokens held .520 of the functions that issues changed, the first 8,000 .764;
# with this, which there is hardly more than for any, .540 and .767.
NAMED_SHARE = 0.1
# Characters of code, some 150 tokens: of what is shorter, whole or not at all. Of 655 packets of 8,000 tokens 32 showed
# such a piece in parts.
LEAST_SHORTENED = 500


def promise(score: float, tokens: int) -> float:
    """What a token of a unit shown whole is worth."""
    return float(score**STEEPNESS / max(tokens, 1) ** (1 - SIZE_EXPONENT))


class Offer(Struct, frozen=True):
    """A unit that may enter the packet, and where."""

    scored: Scored
    section: str
    pinned: bool = False
    also: tuple[Citation, ...] = ()
    budget: int = 0
    shortened: bool = True
    """Whether it may also be shown in parts or as a summary; otherwise whole, or as one line."""

    @property
    def most(self) -> float:
        """Tokens up to which it may be shown whole where it is a file, or its parts are candidates themselves."""
        if not (self.pinned or self.alone or self.scored.explicit):
            return WHOLE_TOKENS
        named = not (self.pinned or self.alone) and has_parts(self.scored.unit)
        return max(WHOLE_TOKENS, NAMED_SHARE * self.budget) if named else inf

    @property
    def whole(self) -> bool:
        """Whether it may be shown whole, if that is not too much."""
        return may_be_whole(self.scored.unit, self.most)

    @property
    def alone(self) -> bool:
        """Whether it stands for its whole file."""
        return any(place.kind == "file" and place.target == self.scored.unit.path for place in self.also)


class Maps:
    """The files and large classes that compete as maps of themselves: a class in a file is on the map of the file."""

    def __init__(self) -> None:
        self._drawn: dict[str, list[Span]] = {}

    def repeats(self, offer: Offer) -> bool:
        """Whether most of its lines are on a better map already; if not, and it is one, it is kept in mind."""
        unit = offer.scored.unit
        if offer.whole or unit.path is None or unit.span is None:
            return False
        drawn = self._drawn.setdefault(unit.path, [])
        if any(2 * unit.span.common(other) >= len(unit.span) for other in drawn):
            return True
        drawn.append(unit.span)
        return False


class Ladders:
    """Builds ladders for one packet; what was built before for the same words and content is taken from there."""

    def __init__(
        self,
        *,
        units: UnitReader,
        renderer: Renderer,
        options: RenderOptions,
        limits: Limits,
        levels: bool,
        terms: Terms,
        count: Callable[[str], int],
        times: Callable[[Unit], float | None],
        blank_after: Callable[[Unit], Sequence[str]],
        kept: Kept,
        compressors: Callable[[str], Mapping[str, Compressor]],
        writer: Writer | None = None,
    ) -> None:
        self._units = units
        self._renderer = renderer
        self._options = options
        self._limits = limits
        self._levels = levels
        self._terms = terms
        self._count = count
        self._times = times
        self._blank_after = blank_after
        self._blanks: dict[str, Sequence[str]] = {}
        self._kept = kept
        self._compressors = compressors
        self._writer = writer

    def candidates(self, offers: Sequence[Offer]) -> list[Candidate]:
        """Each offer as a candidate with every level it may take."""
        keys = [self._key(offer) for offer in offers]
        self._kept.recall(keys)
        made = [self._candidate(offer, key) for offer, key in zip(offers, keys, strict=True)]
        self._kept.write()
        return made

    def _candidate(self, offer: Offer, key: bytes) -> Candidate:
        scored, unit = offer.scored, offer.scored.unit
        steps = self._kept.ladder(key)
        if steps is None:
            steps = [Step.of(rung, unit) for rung in self._build(unit, offer)]
            if self._writer is None or not self._writer.gave_up:
                self._kept.add(key, unit, steps)
        wanted = [step for step in steps if self._levels or step.level == Level.FULL]
        rungs = [(step, self._to_the_next(unit, step.leveled(unit))) for step in wanted]
        rungs = [(step, rung) for step, rung in rungs if not _too_much(unit, rung, offer.most)]
        if unit.meta.get(VERBATIM):
            rungs = [(step, rung) for step, rung in rungs if rung.level in (Level.FULL, Level.STUB)]
        made = Candidate(scored, offer.section, (), pinned=offer.pinned, also=offer.also)
        size = max((rung.tokens for _, rung in rungs), default=1)
        return replace(made, ladder=tuple(self._rung(made, rung, size, step=step) for step, rung in rungs))

    def _to_the_next(self, unit: Unit, rung: Leveled) -> Leveled:
        """Code that is shown to its end, with the blank lines after it: something new goes between two definitions.

        A token for the end of a line may as well be one for the end of three, so they cost nothing.
        """
        if rung.level not in TO_ITS_END or rung.span is None or unit.source != "code" or unit.kind == "file":
            return rung
        if rung.span != unit.span or not (blank := self._blank(unit)):
            return rung
        span = Span(rung.span.start, rung.span.end + len(blank))
        return replace(rung, text="\n".join((rung.text, *blank)), span=span)

    def _blank(self, unit: Unit) -> Sequence[str]:
        """The blank lines after a unit, asked for once: two levels show it to its end."""
        if unit.id not in self._blanks:
            self._blanks[unit.id] = self._blank_after(unit)
        return self._blanks[unit.id]

    def _build(self, unit: Unit, offer: Offer) -> tuple[Leveled, ...]:
        from haversack.pack.levels.ladder import ladder

        shortened = _is_shortened(offer)
        made = ladder(
            unit,
            unit.text,
            outline=stored_outline(self._units.inside(unit)) if unit.anatomy and shortened else None,
            first_line=_first_line(unit),
            terms=self._terms,
            limits=self._limits,
            count=self._count,
            info=self._stub(unit),
            compressors=self._compressors(unit.source),
            whole=offer.whole,
            shortened=shortened,
        )
        return self._writer.rewritten(unit, made, self._count) if self._writer is not None else made

    def _key(self, offer: Offer) -> bytes:
        if not self._kept.in_use:
            return b""
        unit, shortened = offer.scored.unit, _is_shortened(offer)
        # What lies inside a definition is known of its file as it was read.
        file = self._units.snapshot.item(unit.path) if unit.anatomy and unit.path and shortened else None
        digest = file.digest if file else ""
        return self._kept.key(unit, digest, self._stub(unit), whole=offer.whole, shortened=shortened)

    def excerpt(self, candidate: Candidate, tokens: int, now: Rung | None = None) -> Rung | None:
        """As much of the candidate's text as fits into so many rendered tokens; more lines of the rung it has now."""
        if now is not None:
            return self._extended(candidate, tokens, now)
        if not any(rung.level is Level.FULL for rung in candidate.ladder):
            return None  # it competes as a map: its first lines are imports, and its parts are candidates themselves
        unit = candidate.scored.unit
        frame = self._rung(candidate, Leveled(Level.FULL, "", 0, unit.span, elided=True), 1, truncated=True).tokens
        limit = tokens - frame
        for _ in range(3):
            cut = excerpt(
                unit.text, _first_line(unit), limit, self._count, lang=unit.lang, located=unit.span is not None
            )
            if cut is None or not cut.text or not _tells(unit, cut):
                return None
            shown = min(1.0, len(cut.text) / max(len(unit.text), 1))
            rung = self._rung(candidate, cut, tokens, share=shown, truncated=cut.elided)
            if rung.tokens <= tokens:
                return replace(rung, value=max(rung.value, _summarised(candidate) * (1 + shown)))
            limit -= rung.tokens - tokens + 1
        return None

    def price(self, candidate: Candidate, rung: Rung) -> int:
        """The tokens of the candidate's block at a rung, as the packet writes it."""
        return self._count(item_text(self._renderer, candidate, rung, options=self._options))

    def _extended(self, candidate: Candidate, tokens: int, now: Rung) -> Rung | None:
        from haversack.pack.levels.extend import extend

        unit = candidate.scored.unit
        if unit.span is None:
            return None
        limit = self._count(now.text) + tokens - now.tokens
        for _ in range(3):
            made = extend(now.text, unit.text, _first_line(unit), limit, self._count, lang=unit.lang)
            if made is None:
                return None
            # Shown whole it would be worth its share at the level "full".
            value = now.value * (1 + made.share * (1 / _told(unit, now.level) - 1))
            rung = replace(now, text=made.text, value=value)
            rung = replace(rung, tokens=self.price(candidate, rung))
            if rung.tokens <= tokens:
                return rung
            limit -= rung.tokens - tokens + 1
        return None

    def _rung(
        self,
        candidate: Candidate,
        leveled: Leveled,
        size: int,
        *,
        share: float = 1.0,
        truncated: bool = False,
        step: Step | None = None,
    ) -> Rung:
        told = _told(candidate.scored.unit, leveled.level) * share
        worth = candidate.scored.score**STEEPNESS * max(size, 1) ** SIZE_EXPONENT * told
        bare = Rung(leveled.level, leveled.text, 0, worth, leveled.span, truncated)
        block = item_text(self._renderer, candidate, bare, options=self._options)
        return replace(bare, tokens=self._count(block) if step is None else self._counted(block, step))

    def _counted(self, block: str, step: Step) -> int:
        """The tokens of a block, counted only where it is not the one that was counted before."""
        if not self._kept.in_use:
            return self._count(block)
        digest = digest_of(block)
        if step.block != digest:
            step.block, step.block_tokens = digest, self._count(block)
        return step.block_tokens

    def _stub(self, unit: Unit) -> StubInfo:
        where = unit.path or (str(unit.citations[0]) if unit.citations else unit.id)
        lines = len(unit.span) if unit.span else unit.text.count("\n") + 1
        return StubInfo(where, unit.kind, unit.lang, self._times(unit), lines)


def _told(unit: Unit, level: Level) -> float:
    """What a level tells of the unit, as a share of reading it whole."""
    if unit.kind == IMPORTS:
        return IMPORTS_SHARE if level is Level.FULL else CODE_SHARE[Level.STUB]
    return (CODE_SHARE if unit.source == "code" else LEVEL_SHARE)[level]


def _first_line(unit: Unit) -> int:
    return unit.span.start if unit.span else 1


def _tells(unit: Unit, cut: Leveled) -> bool:
    """Whether a cut goes beyond the declaration: the beginning of a comment, or of a line, says nothing of code."""
    anatomy = unit.anatomy if unit.source == "code" and unit.kind != "file" else None
    return anatomy is None or not cut.elided or cut.span is None or cut.span.end > anatomy.head


def _summarised(candidate: Candidate) -> float:
    """What an excerpt of code is worth at the least: it shows the declaration, which is what a summary says, and more.

    Without it a packet of 460 tokens showed 30 tokens of a long function, and nothing in the place of the others.
    """
    unit = candidate.scored.unit
    declared = unit.source == "code" and unit.kind != "file" and unit.anatomy is not None
    return max((rung.value for rung in candidate.ladder if declared and rung.level is Level.SUMMARY), default=0.0)


def may_be_whole(unit: Unit, most: float = WHOLE_TOKENS) -> bool:
    """Whether it may be shown whole; a file, and what has parts, up to some `most` tokens."""
    return len(unit.text) <= most * LONGEST_TOKEN or not _bounded(unit)


def _is_shortened(offer: Offer) -> bool:
    """Whether it is also made shorter with the task's words in mind."""
    unit = offer.scored.unit
    long = unit.source != "code" or len(unit.text) >= LEAST_SHORTENED
    return has_parts(unit) or (offer.shortened and long)


def has_parts(unit: Unit) -> bool:
    """Whether it is code whose parts are candidates themselves: a class, a file that defines something or is long."""
    if unit.source != "code" or unit.kind not in ("class", "file"):
        return False
    return unit.kind == "class" or unit.anatomy is not None or (unit.span is not None and len(unit.span) > MOST_LINES)


def _too_much(unit: Unit, rung: Leveled, most: float) -> bool:
    """A class or a file that is large, at a level that shows all of it."""
    return rung.level in TO_ITS_END and _bounded(unit) and rung.tokens > most


def _bounded(unit: Unit) -> bool:
    return unit.kind == "file" or has_parts(unit)
