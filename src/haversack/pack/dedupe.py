"""One thing once: the same unit, the same lines, or text at least 90 % alike. The more relevant stays and cites both.

Units of one file are not duplicates for being in one file, and a commit that touched a file is not a duplicate of it:
only what they say counts. Definitions of one file that are nearly alike are variants, not copies: packets of 8,000
tokens that showed one for all held .66 of the changed functions of 49 development commits, with all of them .68. A
class and its method share lines without being the same thing; both stay, and `coverage` sees to it that the shared
lines count once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from haversack.model import Citation, Omitted, Scored, Span, Unit

ALIKE = 0.9  # seed 004
VARIANTS = 4  # of one thing that a file may show; with more it is a pattern, and the others are cited. A choice
# Shorter texts are alike by accident: every empty constructor says the same. A choice.
SHORTEST = 40
# Longer texts are compared by their lines: letter by letter would take their product in time.
LONGEST = 10_000
# As many letters are told apart when texts are sorted out before the comparison; the rest share these places.
LETTERS = 128
TOGETHER = 8  # texts compared with their neighbours at a time: more take more memory and no less time
BEGINNING = 400  # characters that tell most texts apart: those that are alike so far are split into words


class Deduped(Struct, frozen=True):
    """What stays, most relevant first, what each of them also stands for, and what went."""

    kept: tuple[Scored, ...]
    also: Mapping[str, tuple[Citation, ...]]
    dropped: tuple[Omitted, ...]


def dedupe(scored: Sequence[Scored]) -> Deduped:
    """Drop what repeats something more relevant. What the task names stays unless it is the very same lines."""
    ranked = sorted(scored, key=lambda one: (not one.explicit, -one.score, one.unit.id))
    stands_for = list(range(len(ranked)))
    _same_lines(ranked, stands_for)
    _same_text(ranked, stands_for)
    return _result(ranked, stands_for)


def _same_lines(ranked: list[Scored], stands_for: list[int]) -> None:
    """Join the same units and the same lines; lines that partly overlap become one unit that spans both."""
    by_id: dict[str, int] = {}
    by_path: dict[str, list[int]] = {}
    for place, one in enumerate(ranked):
        unit = one.unit
        first = by_id.setdefault(unit.id, place)
        if first != place:
            stands_for[place] = first
            continue
        if unit.path is None or unit.span is None:
            continue
        others = by_path.setdefault(unit.path, [])
        for other in others:
            joined = _joined(ranked[other].unit, unit)
            if joined is not None:
                ranked[other] = replace(ranked[other], unit=joined)
                stands_for[place] = other
                break
        else:
            others.append(place)


def _joined(stays: Unit, goes: Unit) -> Unit | None:
    """The unit that stays, widened to the lines of both; None when they are different things."""
    one, other = stays.span, goes.span
    if one is None or other is None or not one.overlaps(other):
        return None
    if one == other:
        return stays
    inside = (one.start <= other.start and other.end <= one.end) or (other.start <= one.start and one.end <= other.end)
    if inside:
        # A class and its method: coverage counts their common lines once. A file that is one function is the function.
        return stays if _say_the_same(stays.text, goes.text) else None
    whole = Span(min(one.start, other.start), max(one.end, other.end))
    return replace(stays, span=whole, text=_joined_text(stays, goes, whole))


def _say_the_same(one: str, other: str) -> bool:
    """Whether two texts differ in white space alone; nearly all that are asked about differ in their first words."""
    first = zip(one[:BEGINNING].split()[:-1], other[:BEGINNING].split()[:-1], strict=False)  # the last may be cut
    return all(mine == yours for mine, yours in first) and one.split() == other.split()


def _joined_text(stays: Unit, goes: Unit, whole: Span) -> str:
    lines: dict[int, str] = {}
    for unit in (goes, stays):
        own = unit.text.splitlines()
        if unit.span is None or len(own) != len(unit.span):
            return stays.text  # a text that is not its lines cannot be joined line by line
        lines |= dict(enumerate(own, start=unit.span.start))
    return "\n".join(lines[number] for number in range(whole.start, whole.end + 1))


def _same_text(ranked: list[Scored], stands_for: list[int]) -> None:
    """Join texts that are alike, white space aside."""
    texts = {place: " ".join(one.unit.text.split()) for place, one in enumerate(ranked) if stands_for[place] == place}
    places = [place for place, text in texts.items() if len(text) >= SHORTEST]
    variants: Counter[int] = Counter()
    for first, second in _possible([texts[place] for place in places]):
        one, other = places[first], places[second]
        # Pairs come most relevant first, so a text stands for those alike to it, not for those alike to them; and a
        # text that is gone is not compared again, however many copies there are.
        if stands_for[one] != one or stands_for[other] != other or ranked[other].explicit:
            continue
        if not _are_alike(texts[one], texts[other], ranked[one].unit.text, ranked[other].unit.text):
            continue
        differ = texts[one] != texts[other] and _variants(ranked[one].unit, ranked[other].unit)
        if differ and variants[one] < VARIANTS - 1:
            variants[one] += 1
        else:
            stands_for[other] = one


def _variants(one: Unit, other: Unit) -> bool:
    """Whether these are definitions of one file: `put` beside `post`. Who changes one has to see the other."""
    return one.source == other.source == "code" and one.path is not None and one.path == other.path


def _possible(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Every pair that can be alike, and few others: of similar length, made of nearly the same letters."""
    if len(texts) < 2:
        return []
    import numpy as np

    # Turning one text into another takes at least as many insertions and deletions as their letters differ, and a
    # pair is alike when these are at most a tenth of their letters together. So no pair is missed.
    order = sorted(range(len(texts)), key=lambda place: (len(texts[place]), place))
    letters = np.zeros((len(texts), LETTERS), dtype=np.int32)
    for row, place in enumerate(order):
        codes = np.frombuffer(texts[place].encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        letters[row] = np.bincount(codes % LETTERS, minlength=LETTERS)
    lengths = letters.sum(axis=1)
    last = np.searchsorted(lengths, lengths * (2 - ALIKE) / ALIKE, side="right").tolist()
    used = np.ascontiguousarray(letters[:, letters.any(axis=0)].T)  # most scripts use a few dozen
    pairs = []
    for start in range(0, len(texts), TOGETHER):
        end = min(start + TOGETHER, len(texts))
        window = slice(start + 1, last[end - 1])
        differ = used[:, start:end, None] - used[:, None, window]
        allowed = (1 - ALIKE) * (lengths[start:end, None] + lengths[window]) + 1e-6
        for row, offset in np.argwhere(np.abs(differ, out=differ).sum(axis=0) <= allowed).tolist():
            if row <= offset:  # each pair once, and none with itself
                one, other = order[start + row], order[start + 1 + offset]
                pairs.append((one, other) if one < other else (other, one))
    return sorted(pairs)


def _are_alike(one: str, other: str, one_raw: str, other_raw: str) -> bool:
    if one == other:
        return True
    if max(len(one), len(other)) > LONGEST:
        first, second = (Counter(line.strip() for line in raw.splitlines()) for raw in (one_raw, other_raw))
        return 2 * (first & second).total() >= ALIKE * (first.total() + second.total())
    from rapidfuzz.fuzz import ratio

    return ratio(one, other, score_cutoff=100 * ALIKE) > 0


def _result(ranked: list[Scored], stands_for: list[int]) -> Deduped:
    kept: list[Scored] = []
    also: dict[str, list[Citation]] = {}
    dropped: list[Omitted] = []
    for place, one in enumerate(ranked):
        root = stands_for[place]
        while stands_for[root] != root:
            root = stands_for[root]
        if root == place:
            kept.append(one)
            continue
        stays, goes = ranked[root].unit, one.unit
        known = also.setdefault(stays.id, [])
        own = (*stays.citations, *known)
        cited = goes.citations or ((Citation.of_file(goes.path, goes.span),) if goes.path else ())
        known.extend(citation for citation in cited if citation not in own)
        reason = f"duplicate of {stays.id}"
        if goes.id != stays.id:
            dropped.append(Omitted.of(goes, reason, score=one.score))
    kept.sort(key=lambda one: (-one.score, one.unit.id))
    return Deduped(tuple(kept), {id_: tuple(found) for id_, found in also.items() if found}, tuple(dropped))
