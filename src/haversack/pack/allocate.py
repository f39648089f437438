"""One allocator for every preset: floor, weight, cap, and what one section leaves goes to the others by weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from haversack.model import Section

NO_CAP = 1_000_000_000  # a cap no packet reaches


def allocate(sections: Sequence[Section], available: int, demand: Mapping[str, int] | None = None) -> dict[str, int]:
    """Tokens per section, summing to at most `available`, and to exactly that when the sections can use it.

    Each section gets its weight's share, raised to its floor and cut at its cap and its demand; what is cut off goes to
    the others (water-filling). Floors that do not fit together shrink in proportion. A section without weight gets its
    floor. Rounding is by largest remainder, ties to the earlier section.
    """
    room = max(0, available)
    most = [section.cap if demand is None else min(section.cap, demand.get(section.name, 0)) for section in sections]
    least = [min(section.floor, limit) for section, limit in zip(sections, most, strict=True)]
    if sum(least) > room:
        return _whole(sections, [floor * room / sum(least) for floor in least], least, room)
    # A section without weight is out of the flood: it keeps its floor.
    most = [limit if section.weight > 0 else floor for section, limit, floor in zip(sections, most, least, strict=True)]

    def shares(level: float) -> list[float]:
        return [min(max(s.weight * level, low), high) for s, low, high in zip(sections, least, most, strict=True)]

    # The shares rise in straight lines between the levels where a section leaves its floor or meets its limit, so the
    # level that fills the room is found exactly.
    weighted = [(s.weight, low, high) for s, low, high in zip(sections, least, most, strict=True) if s.weight > 0]
    level = 0.0
    for bend in sorted({limit / weight for weight, low, high in weighted for limit in (low, high)}):
        before, after = sum(shares(level)), sum(shares(bend))
        if after >= room:
            level += (bend - level) * (room - before) / (after - before) if after > before else 0.0
            break
        level = bend
    return _whole(sections, shares(level), most, min(room, sum(most)))


def _whole(sections: Sequence[Section], shares: list[float], most: list[int], room: int) -> dict[str, int]:
    """The shares as whole tokens: rounded down, then the largest remainders up, never past a limit or the room."""
    # A hair is added because 0.3 of 10 is 2.9999999999999996.
    whole = [min(int(share + 1e-6), limit) for share, limit in zip(shares, most, strict=True)]
    left = room - sum(whole)
    for i in sorted(range(len(shares)), key=lambda i: (whole[i] - shares[i], i)):
        if left > 0 and whole[i] < most[i] and shares[i] > 0:
            whole[i] += 1
            left -= 1
    return {section.name: tokens for section, tokens in zip(sections, whole, strict=True)}
