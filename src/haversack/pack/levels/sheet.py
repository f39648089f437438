"""A text with a rank for every line: the lowest ranks go first when it has to be shorter."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import Struct, field

from haversack.pack.levels.fit import cut_lines, cut_text
from haversack.pack.levels.leveled import Count
from haversack.pack.levels.marks import ELLIPSIS, Marks
from haversack.pack.levels.numbers import numbered_line

# Ranks, cheapest to lose first. Headings and the signatures of a module's own definitions go last.
ELIDED: Final = 0
CONTEXT: Final = 1
DETAIL: Final = 2
INNER: Final = 3
MEMBER: Final = 4
TOP: Final = 5

# A mark costs some eleven tokens, as do this many characters of code; a gap that is not much longer is better shown.
MARK_CHARS: Final = 38
WORTH_ELIDING: Final = 64
# Share of the limit that must be free before lower-ranked lines are added one by one.
SLACK: Final = 0.08
# An estimate this far over the limit is not worth counting: tokens per character vary little within one text.
MARGIN: Final = 1.1
TOP_UP_TRIES: Final = 3
CHUNK: Final = 4  # lines added at once, where lines stand on their own
DEEPEST_INDENT: Final = 40  # a mark follows the indentation of what it stands for up to here


class Drawing(NamedTuple):
    """A sheet's text, its tokens (0 when nothing fits), and whether lines of the sheet are missing."""

    text: str
    tokens: int
    missing: bool


NOTHING: Final = Drawing("", 0, True)


class Sheet(Struct):
    """Lines of a text, what to show for each, and which matter. A line whose `shown` is None is told by the one above.

    `more` is how many lines follow that were not looked at; `partial` says that some line is not shown whole.
    """

    lines: Sequence[str]
    first: int
    marks: Marks
    ranks: list[int]
    scores: Mapping[int, float] = field(default_factory=dict)
    shown: Sequence[str | None] | None = None
    more: int = 0
    partial: bool = False
    numbered: bool = False

    def fitted(self, limit: int, count: Count, rate: float, *, aim: int | None = None, floor: int = TOP) -> Drawing:
        """The most that fits in the limit; when not even the highest rank does, the beginning of that.

        `aim` asks for less than the limit: ranks up to `floor` stay for its sake, and rather nothing is drawn than
        without them. `rate` is the tokens per character this text is known to have.
        """
        aim = limit if aim is None else min(aim, limit)
        entries: list[str] = []
        ends: list[int] = []
        chars = self._chars()
        for least in range(CONTEXT, TOP + 1):
            # With marks between its lines it is longer still: what is too long without them need not be drawn.
            shortest = chars[least] * rate
            answered = least >= floor and aim < limit and shortest <= limit
            if shortest > aim * MARGIN and least < TOP and not answered:
                continue
            entries, ends, missing = self._drawn(least)
            text = "\n".join(entries)
            estimate = len(text) * rate
            if estimate <= aim * MARGIN:
                tokens = count(text)
                if tokens <= aim:
                    drawing = Drawing(text, tokens, missing)
                    slack = least > CONTEXT and tokens < aim * (1 - SLACK)
                    return self._topped_up(least, drawing, aim, count, rate) if slack and text else drawing
            if least >= floor and aim < limit and estimate <= limit:
                return NOTHING
        return self._cut(entries, ends, limit, count) if entries else NOTHING

    def _chars(self) -> list[int]:
        """The characters of the lines of at least each rank."""
        chars = [0] * (TOP + 1)
        for rank, text in zip(self.ranks, self.shown or self.lines, strict=False):
            if text is not None:
                chars[rank] += len(text) + 1
        for rank in range(TOP, 0, -1):
            chars[rank - 1] += chars[rank]
        return [max(0, number - 1) for number in chars]

    def _drawn(self, least: int, extra: Collection[int] = ()) -> tuple[list[str], list[int], bool]:
        """The lines of at least that rank with marks between, where each entry ends, whether any line is missing."""
        lines, ranks = self.lines, self.ranks
        shown: Sequence[str | None] = self.shown or lines
        width = len(str(self.first + len(lines) + self.more)) if self.numbered else 0
        entries: list[str] = []
        ends: list[int] = []
        missing = self.partial
        done = 0
        # Most lines of what is drawn shorter are not drawn: they are passed over at once.
        for index in [at for at, rank in enumerate(ranks) if rank >= least or at in extra]:
            if index > done:
                missing |= self._bridge(entries, ends, done, index, width)
            done = index + 1
            text = shown[index]
            if text is None:
                ends[-1] = index + 1
            else:
                entries.append(numbered_line(self.first + index, text, width) if width else text)
                ends.append(index + 1)
        if done < len(lines) or self.more:
            missing |= self._bridge(entries, ends, done, len(lines), width)
        return entries, ends, missing

    def _bridge(self, entries: list[str], ends: list[int], start: int, end: int, width: int) -> bool:
        """Adds lines `start` up to `end`: as a mark, or as they are when that is cheaper. Whether any is missing."""
        lines = self.lines
        last = end + self.more if end == len(lines) else end
        if last == end:
            size = sum(map(len, lines[start:end])) + end - start
            if size <= WORTH_ELIDING or size == end - start:
                for at in range(start, end):
                    entries.append(numbered_line(self.first + at, lines[at], width) if width else lines[at])
                    ends.append(at + 1)
                return False
        while start < end - 1 and not lines[start]:
            start += 1
        while last == end > start + 1 and not lines[end - 1]:
            end = last = end - 1
        indent = min(_indent(lines[min(start, len(lines) - 1)]), _indent(lines[end - 1]), key=len)
        mark = self.marks.elided(self.first + start, self.first + last - 1, indent)
        entries.append(f"{' ' * width}| {mark}" if width else mark)
        ends.append(last)
        return True

    def _topped_up(self, least: int, base: Drawing, limit: int, count: Count, rate: float) -> Drawing:
        """The drawing with the best runs of lines of the next rank below, as far as the limit allows."""
        waiting = self._runs(least - 1)
        extra: set[int] = set()
        room = float(limit - base.tokens)
        for _ in range(TOP_UP_TRIES):
            added: list[range] = []
            spent = 0.0
            for run in waiting:
                cost = (sum(len(self.lines[at]) + 1 for at in run) + MARK_CHARS) * rate
                if spent + cost <= room:
                    spent += cost
                    added.append(run)
            if not added:
                break
            more = extra.union(*added)
            entries, _, missing = self._drawn(least, more)
            text = "\n".join(entries)
            tokens = count(text)
            if tokens <= limit:
                base, extra, room = Drawing(text, tokens, missing), more, float(limit - tokens)
                waiting = [run for run in waiting if run not in added]
            else:
                room = spent / 2
        return base

    def _runs(self, rank: int) -> list[range]:
        """Lines of that rank that follow each other, the task's first: a signature goes whole or not at all."""
        shown: Sequence[str | None] = self.shown or self.lines
        longest = len(shown) if rank > DETAIL else CHUNK
        runs: list[range] = []
        start = -1
        for at, other in enumerate([*self.ranks, -1]):
            if start >= 0 and (other != rank or (at - start >= longest and shown[at] is not None)):
                runs.append(range(start, at))
                start = -1
            if other == rank and start < 0:
                start = at
        scores = self.scores
        worth = {run.start: sum(scores.get(at, 0.0) for at in run) / len(run) if scores else 0.0 for run in runs}
        return sorted(runs, key=lambda run: (-worth[run.start], run.start))

    def _cut(self, entries: Sequence[str], ends: Sequence[int], limit: int, count: Count) -> Drawing:
        """The first entries, and a mark for the lines that come after them."""
        last = self.first + len(self.lines) + self.more - 1

        def mark(kept: int) -> str:
            return self.marks.elided(self.first + ends[kept - 1], last)

        text, tokens, kept = cut_lines(entries[:-1], limit, count, mark)
        if not kept and f"{self.marks.before}{ELLIPSIS} " in entries[0]:
            return NOTHING  # part of a mark says nothing
        if not kept:
            line = self.first + ends[0] - 1
            text, tokens = cut_text(entries[0], limit, count, f"\n{self.marks.cut_inside(line, max(line, last))}")
        return Drawing(text, tokens, True) if text else NOTHING


def _indent(line: str) -> str:
    return line[: min(len(line) - len(line.lstrip()), DEEPEST_INDENT)]
