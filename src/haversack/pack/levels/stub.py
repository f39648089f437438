"""The level "stub": one line that says the unit exists."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Final

from haversack.model import Level, Span
from haversack.pack.levels.fit import cut_text
from haversack.pack.levels.leveled import LINES, MODIFIED, PATH, TYPE, Count, Leveled, StubInfo
from haversack.safe import one_line

# Characters of a path shown, longest first: its end says more than its beginning.
PATH_LENGTHS: Final = (400, 120, 60, 30)
LATEST: Final = 253402300799.0  # the last second of the year 9999: later ones are no date


def stub(info: StubInfo, span: Span | None, limit: int, count: Count, include: Collection[str]) -> Leveled | None:
    """Path and lines, language and kind, number of lines, day of the last change; None when not even a word fits."""
    line = ""
    for length in PATH_LENGTHS:
        line = _line(info, span, length, include)
        tokens = count(line)
        if line and tokens <= limit:
            return Leveled(Level.STUB, line, tokens, span, elided=True)
    line, tokens = cut_text(line, limit, count, "…")
    return Leveled(Level.STUB, line, tokens, span, elided=True) if line else None


def _line(info: StubInfo, span: Span | None, length: int, include: Collection[str]) -> str:
    said: list[str] = []
    if PATH in include:
        path = one_line(info.path[-2 * PATH_LENGTHS[0] :])
        path = f"…{path[-length:]}" if len(path) > length else path
        said.append(f"{path}:{span}" if span else path)
    if TYPE in include:
        said.append(f"{one_line(info.lang)} {one_line(info.kind)}".strip())
    if LINES in include and info.lines > 0:
        said.append(f"{info.lines} line{'s' if info.lines != 1 else ''}")
    if MODIFIED in include and info.modified is not None and 0 <= info.modified <= LATEST:
        said.append(f"modified {datetime.fromtimestamp(info.modified, UTC).date().isoformat()}")
    return " · ".join(filter(None, said))
