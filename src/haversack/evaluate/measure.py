"""What a packet shows of the lines that had to change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct

from haversack.assemble.imports import imports_id
from haversack.assemble.ladders import IMPORTS
from haversack.model import Level
from haversack.project.languages import PROSE, language_of
from haversack.receipt.packet import Packet, PacketItem

if TYPE_CHECKING:
    from haversack.assemble.texts import Texts

REFERRED_TO = ("reference", "history")  # sections of what is there to look things up
# Of a file's pieces: a weak one hardly counts (half for each point of the ranking, as its HALVED_AFTER is 6), and each
# one less than the one before.
SCORE_EXPONENT, NEXT_COUNTS = 6, 0.7
_ELIDED = re.compile(r"lines? (\d+)(?:-(\d+))? elided")


class Shown(Struct, frozen=True):
    """Shares in 0..1: of the changed files and lines that the packet shows, and whether it shows all lines."""

    files: float
    lines: float
    everything: float
    tokens: int
    first: float
    """1 over the place of the first changed file when files are ordered by their pieces; 0 when none is there."""


def shown(packet: Packet, wanted: Mapping[str, frozenset[int]], texts: Texts) -> Shown:
    """How well the packet serves a change of these lines."""
    seen: dict[str, set[int]] = {}
    for item in packet.items:
        for start, end in shown_lines(item, texts):
            seen.setdefault(item.path or "", set()).update(range(start, end + 1))
    total = sum(map(len, wanted.values()))
    hit = sum(len(lines & seen.get(path, set())) for path, lines in wanted.items())
    ranked = files_by_score(packet)
    return Shown(
        files=sum(1 for path in wanted if path in seen) / len(wanted),
        lines=hit / total,
        everything=float(hit == total),
        tokens=packet.tokens,
        first=next((1 / place for place, path in enumerate(ranked, 1) if path in wanted), 0.0),
    )


def files_by_score(packet: Packet) -> list[str]:
    """Files of all candidates, best first: by their best pieces together, whether the budget had room for them or not.

    What a packet only refers to comes last, and before that prose, which is scored on a scale of its own, unless the
    task is about it. That a file has several good pieces says more than that one piece is a
    little better: the first three hold .79 instead of .78 of the changed files of 242 development issues and .78
    instead of .76 of 229 commits. Among ten it makes no difference.
    """
    shown = ((item.path, item.score, item.section) for item in packet.items if item.kind != IMPORTS)
    left = ((each.path, each.score, each.section) for each in packet.omitted if each.id != imports_id(each.path))
    scores: dict[str, list[float]] = {}
    about: set[str] = set()
    for path, score, section in chain(shown, left):
        if path:
            scores.setdefault(path, []).append(score)
            if section not in REFERRED_TO:
                about.add(path)
    prose = {path for path in scores if language_of(path) in PROSE and packet.receipt.task_type != "docs"}
    return sorted(scores, key=lambda path: (path not in about, path in prose, -_together(scores[path]), path))


def _together(scores: list[float]) -> float:
    return float(sum(s**SCORE_EXPONENT * NEXT_COUNTS**n for n, s in enumerate(sorted(scores, reverse=True))))


def shown_lines(item: PacketItem, texts: Texts) -> list[tuple[int, int]]:
    """The lines an item really shows; none for summaries and stubs.

    These are its span without what its marks say is elided. Comments go without a mark: lines are found in the file.
    """
    if not item.path or item.start is None or item.end is None or item.level in (Level.SUMMARY, Level.STUB):
        return []
    file = texts.file(item.path) if item.level is Level.LIGHT else None
    if file is not None:
        kept = [line for line in item.text.split("\n") if not _ELIDED.search(line)]
        return list(_found(kept, file.text.split("\n")[item.start - 1 : item.end], item.start))
    ranges, at = [], item.start
    for start, end in sorted((int(a), int(b or a)) for a, b in _ELIDED.findall(item.text)):
        if start > at:
            ranges.append((at, start - 1))
        at = max(at, end + 1)
    if at <= item.end:
        ranges.append((at, item.end))
    return ranges


def _found(kept: Sequence[str], lines: Sequence[str], first: int) -> Iterator[tuple[int, int]]:
    """Where the kept lines stand, in their order, as ranges of line numbers."""
    start = at = first
    left = iter(kept)
    wanted = next(left, None)
    for at, line in enumerate(lines, first):
        if wanted is not None and line.strip() == wanted.strip():
            wanted = next(left, None)
        else:
            if start < at:
                yield start, at - 1
            start = at + 1
    if lines and start <= at:
        yield start, at
