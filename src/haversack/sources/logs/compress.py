"""How pieces of logs are made shorter: without noise, patterns only, errors only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from haversack.model import Unit
from haversack.sources.logs.severity import ERROR_RANK, RANK
from haversack.sources.protocol import Compressor
from haversack.tokens import counter
from haversack.units.frames import is_frame

# Frames of what is installed, not written here: noise in a trace, its innermost one aside.
_INSTALLED: Final = re.compile(
    r"site-packages|dist-packages|node_modules|/lib/python|<frozen |node:internal|/go/pkg/mod|\.cargo/registry|/rustc/"
    r"|/usr/(?:local/)?(?:lib|go)/|\bat (?:java|javax|jdk|sun|kotlin|scala|org\.junit|org\.gradle)\.[\w.$]+\("
)
_COUNTED: Final = re.compile(r"(?P<count>\d+)× (?P<level>\S+) ")
_LEFT_OUT: Final = "…"


def light(unit: Unit, text: str, limit: int) -> str:
    """Without noise: no frames of installed packages, no repeated lines, no patterns below a warning if need be."""
    lines = list(_without_installed(text.split("\n"))) if unit.kind in {"trace", "failure"} else text.split("\n")
    return _fitted(_without_repeats(lines), limit, _least_severe_last)


def medium(unit: Unit, text: str, limit: int) -> str:
    """The pattern: of a trace the error and the frames without their source lines, of a pattern no example."""
    lines = text.split("\n")
    if unit.kind in {"trace", "failure"}:
        lines = [line for line in _without_installed(lines) if _says_something(line)]
    elif unit.kind == "pattern":
        lines = lines[:2]
    return _fitted(_without_repeats(lines), limit, _least_severe_last)


def heavy(unit: Unit, text: str, limit: int) -> str:
    """Errors only: of a trace the error and where it was raised; of a log its errors; of a quiet pattern nothing."""
    lines = text.split("\n")
    if unit.kind in {"trace", "failure"}:
        error = str(unit.meta.get("error") or "") or next((line for line in lines if line.strip()), "")
        frames = unit.meta.get("frames")
        first = str(frames[0]) if isinstance(frames, tuple) and frames else ""
        path, _, rest = first.partition(":")
        place = [f"{path}:{rest.replace(':', ' ', 1).rstrip()}"] if first else []
        return _fitted([error, *place], limit, _in_order)
    if unit.kind == "log":
        return _fitted([line for line in lines if _is_error(line)], limit, _in_order)
    if RANK.get(str(unit.meta.get("level", "")), 1) < ERROR_RANK:
        return ""
    return _fitted(lines[1:2] or lines[:1], limit, _in_order)


COMPRESSORS: Final[Mapping[str, Compressor]] = {"light": light, "medium": medium, "heavy": heavy}

_Order = Callable[[Sequence[str]], list[int]]


def _fitted(lines: Sequence[str], limit: int, order: _Order) -> str:
    """As many lines as fit, in their order, with a mark where some are missing; `order` says which are taken first."""
    count = counter().count
    whole = "\n".join(lines)
    if not whole or count(whole) <= limit:
        return whole
    wanted = order(lines)
    start = next((at for at, number in enumerate(wanted) if count(_joined(lines, {number})) <= limit), len(wanted))
    best, low, high = "", start, len(wanted) + 1
    while high - low > 1:  # more lines hardly ever cost less; what is found fits in any case
        middle = (low + high) // 2
        tried = _joined(lines, set(wanted[start:middle]))
        if count(tried) <= limit:
            best, low = tried, middle
        else:
            high = middle
    return best


def _joined(lines: Sequence[str], chosen: set[int]) -> str:
    parts: list[str] = []
    before = -1
    for number in sorted(chosen):
        if number > before + 1:
            parts.append(_LEFT_OUT)
        parts.append(lines[number])
        before = number
    if before < len(lines) - 1:
        parts.append(_LEFT_OUT)
    return "\n".join(parts)


def _in_order(lines: Sequence[str]) -> list[int]:
    return list(range(len(lines)))


def _least_severe_last(lines: Sequence[str]) -> list[int]:
    """The first line, then errors, then the others, each in their order."""
    return sorted(range(len(lines)), key=lambda number: (number > 0, not _is_error(lines[number]), number))


def _is_error(line: str) -> bool:
    counted = _COUNTED.match(line)
    if counted:
        return counted["level"] == "trace" or RANK.get(counted["level"], 1) >= ERROR_RANK
    return bool(line) and line[:1] not in " \t" and not is_frame(line)


def _says_something(line: str) -> bool:
    """Whether a line of a trace is an error or a frame, and not the source text under one."""
    return bool(line.strip()) and (line[:1] not in " \t" or is_frame(line))


def _without_installed(lines: Sequence[str]) -> Iterator[str]:
    """Lines of a trace without frames of installed packages and the source lines under those."""
    skipping = False
    for line in lines:
        frame = is_frame(line)
        if frame:
            skipping = bool(_INSTALLED.search(line))
        elif line[:1] not in " \t":
            skipping = False
        if not skipping:
            yield line


def _without_repeats(lines: Sequence[str]) -> list[str]:
    """The lines, each as often as it differs from the one before."""
    return [line for number, line in enumerate(lines) if number == 0 or line != lines[number - 1]]
