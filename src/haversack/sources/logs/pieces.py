"""From what is known of a log to units: the log itself, its traces, its patterns, the failures of a test report."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct, field

from haversack.model import Citation, MetaValue, Role, Span, Unit
from haversack.sources.logs.cleaning import redacted
from haversack.sources.logs.formats import line_time
from haversack.sources.logs.junit import TestReport
from haversack.sources.logs.reading import Digest, TraceSeen
from haversack.sources.logs.severity import ERROR_RANK, RANK
from haversack.sources.logs.tally import Key, Seen
from haversack.sources.logs.traces import Trace, trace_in
from haversack.units.ids import unit_id

NAME: Final = "logs"
MOST_PATTERNS: Final = 300  # units of one file, the most severe first
MOST_TRACES: Final = 100
LISTED: Final = 40  # patterns that the log's own unit lists
MOST_FRAMES: Final = 12  # of a trace that lead to code, the failing one first
# A line below a warning that comes this often tells nothing by coming once more.
NOISE_REPEATS: Final = 20
_WARNING: Final = RANK["warning"]


class Wanted(Struct, frozen=True):
    """What of a log is offered."""

    window_hours: int = 24
    filter_noise: bool = True
    level: str = "all"


class Place(Struct, frozen=True):
    """Where a log lies: its key, and whether that is a path in the project."""

    key: str
    inside: bool

    def cite(self, first: int, last: int) -> Citation:
        """The lines; `name:line` where they are outside the project."""
        return Citation.of_file(self.key, Span(first, last)) if self.inside else Citation.of_log(f"{self.key}:{first}")


class Pattern(Struct):
    """Lines that one statement wrote."""

    level: str
    template: str
    seen: Seen
    began: float | None = None
    ended: float | None = None
    keys: list[Key] = field(default_factory=list)


def units_of(digest: Digest, place: Place, wanted: Wanted, meta: dict[str, MetaValue]) -> list[Unit]:
    """The log's units. The digest is clean already."""
    patterns = patterns_of(digest)
    newest = max((p.ended for p in patterns if p.ended is not None), default=None)
    traces = sorted(digest.traces.values(), key=lambda seen: (-(seen.ended or 0.0), -seen.last))
    newest = max((when for when in (newest, *(seen.ended for seen in traces)) if when is not None), default=None)
    since = newest - wanted.window_hours * 3600 if newest is not None else None
    patterns = [p for p in patterns if _in_time(p.ended, since)]
    traces = [seen for seen in traces if _in_time(seen.ended, since)]
    offered = [p for p in patterns if is_offered(p, wanted)]
    offered.sort(key=lambda p: (-RANK.get(p.level, 1), -p.seen.count, p.seen.first))
    log = _log_unit(digest, place, patterns, offered, traces, newest, meta)
    return [
        log,
        *(_trace_unit(seen, place, log.id) for seen in traces[:MOST_TRACES]),
        *(_pattern_unit(pattern, place, log.id) for pattern in offered[:MOST_PATTERNS]),
    ]


def patterns_of(digest: Digest) -> list[Pattern]:
    """Counted lines as patterns, in order of appearance."""
    found: dict[tuple[str, str], Pattern] = {}
    for key, template in digest.tally.templates().items():
        seen = digest.tally.seen[key]
        name = (key.level, " ".join(template))
        have = found.get(name)
        if have:
            have.seen = have.seen.then(seen)
        else:
            found[name] = Pattern(key.level, name[1], seen)
    for pattern in found.values():
        pattern.began = line_time(pattern.seen.begins, digest.year)
        pattern.ended = line_time(pattern.seen.ends, digest.year)
    return sorted(found.values(), key=lambda p: (p.seen.first, p.template))


def is_offered(pattern: Pattern, wanted: Wanted) -> bool:
    """Whether a pattern passes the filters of level and noise."""
    rank = RANK.get(pattern.level, 1)
    if wanted.level != "all" and rank < RANK[wanted.level]:
        return False
    return not wanted.filter_noise or rank >= _WARNING or (rank > 0 and pattern.seen.count <= NOISE_REPEATS)


def report_units(report: TestReport, place: Place) -> list[Unit]:
    """A test report's units: what it says as a whole, and every failure."""
    passed = report.tests - report.failed - report.skipped
    counted = f"{report.tests} tests: {report.failed} failed, {report.skipped} skipped, {max(0, passed)} passed"
    names = redacted([failure.test for failure in report.failures])
    text = "\n".join([counted, *(f"failed: {name}" for name in names[:LISTED])])
    whole = Unit(
        id=unit_id(NAME, place.key, "log", ""),
        source=NAME,
        kind="log",
        title=f"{place.key}: {counted}",
        text=text,
        role=Role.TEST,
        time=report.time,
        citations=(place.cite(1, 1),),
        meta={"format": "junit", "tests": report.tests, "failed": report.failed, "skipped": report.skipped},
    )
    return [whole, *_failures(report, place, names, whole.id)]


def _failures(report: TestReport, place: Place, names: Sequence[str], parent: str) -> Iterable[Unit]:
    bodies = redacted([f"{failure.kind}: {failure.message}\n{failure.text}".strip() for failure in report.failures])
    seen: dict[str, int] = {}
    for failure, name, body in zip(report.failures, names, bodies, strict=True):
        trace = trace_in(body) or Trace("", failure.kind, (), body)
        own = ((failure.file, failure.line, ""),) if failure.file else ()
        frames = (*((frame.path, frame.line, frame.function) for frame in trace.frames), *own)
        number = seen[name] = seen.get(name, -1) + 1
        yield Unit(
            id=unit_id(NAME, place.key, "failure", name, number),
            source=NAME,
            kind="failure",
            title=f"{name} failed: {body.partition(chr(10))[0]}"[:240],
            text=f"{name}\n{body}",
            name=name.rpartition(".")[2].partition("[")[0],
            role=Role.TEST,
            time=failure.time,
            parent=parent,
            refs=_functions(frames),
            citations=(place.cite(failure.at, failure.at),),
            meta={"level": "error", "frames": _places(frames)},
        )


def _log_unit(
    digest: Digest,
    place: Place,
    patterns: Sequence[Pattern],
    offered: Sequence[Pattern],
    traces: Sequence[TraceSeen],
    newest: float | None,
    meta: dict[str, MetaValue],
) -> Unit:
    oldest = min((p.began for p in patterns if p.began is not None), default=None)
    errors = sum(p.seen.count for p in patterns if RANK.get(p.level, 1) >= ERROR_RANK)
    warnings = sum(p.seen.count for p in patterns if RANK.get(p.level, 1) == _WARNING)
    crashes = sum(seen.count for seen in traces)
    lines = digest.lines + digest.tail_lines
    counted = f"{lines} lines, {errors} errors, {warnings} warnings, {crashes} stack traces"
    between = f" ({shown_time(oldest)} to {shown_time(newest)})" if newest is not None and oldest is not None else ""
    listed = [f"{p.seen.count}× {p.level or '-'} {p.template[:200]}" for p in offered[:LISTED]]
    quiet = len(patterns) - len(offered)
    noise = [f"and {quiet} patterns that repeat without an error"] if quiet else []
    crashed = [f"{seen.count}× trace {seen.trace.error[:200]}" for seen in traces[:LISTED]]
    return Unit(
        id=unit_id(NAME, place.key, "log", ""),
        source=NAME,
        kind="log",
        title=f"{place.key}: {counted}{between}"[:240],
        text="\n".join([*crashed, *listed, *noise]),
        role=Role.SOURCE,
        time=newest,
        citations=(place.cite(1, max(1, lines)),),
        meta={"format": digest.format.name, "lines": lines, "errors": errors, "warnings": warnings, **meta},
    )


def _trace_unit(seen: TraceSeen, place: Place, parent: str) -> Unit:
    trace = seen.trace
    frames = tuple((frame.path, frame.line, frame.function) for frame in trace.frames)
    where = f" in {trace.frames[0].function or trace.frames[0].path}" if trace.frames else ""
    return Unit(
        id=unit_id(NAME, place.key, "trace", trace.signature),
        source=NAME,
        kind="trace",
        title=f"{trace.error[:180]}{where}",
        text=f"{_times(seen.count, seen.began, seen.ended)}\n{trace.text}",
        lang=trace.language,
        time=seen.ended,
        parent=parent,
        refs=_functions(frames),
        citations=(place.cite(seen.last, seen.last_end),),
        meta={
            "level": "error",
            "count": seen.count,
            "first": seen.began,
            "last": seen.ended,
            "frames": _places(frames),
            "error": trace.error[:300],
        },
    )


def _pattern_unit(pattern: Pattern, place: Place, parent: str) -> Unit:
    seen = pattern.seen
    level = pattern.level or "no level"
    example = seen.example.decode("utf-8", "replace")
    return Unit(
        id=unit_id(NAME, place.key, "pattern", f"{pattern.level} {pattern.template}"),
        source=NAME,
        kind="pattern",
        title=f"{level}: {pattern.template[:200]}",
        text=f"{level}, {_times(seen.count, pattern.began, pattern.ended)}\n{pattern.template}\n{example}",
        time=pattern.ended,
        parent=parent,
        citations=(place.cite(seen.last, seen.last),),
        meta={"level": pattern.level, "count": seen.count, "first": pattern.began, "last": pattern.ended},
    )


def shown_time(when: float | None) -> str:
    """A time as people read it, as it stands in the log or in UTC."""
    return "?" if when is None else time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(when))


def _times(count: int, began: float | None, ended: float | None) -> str:
    times = "once" if count == 1 else f"{count} times"
    if began is None or ended is None:
        return times
    return f"{times}, {shown_time(ended)}" if count == 1 else f"{times}, {shown_time(began)} to {shown_time(ended)}"


def _in_time(when: float | None, since: float | None) -> bool:
    return when is None or since is None or when >= since


def _functions(frames: Iterable[tuple[str, int, str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for _, _, name in frames if name))[:MOST_FRAMES]


def _places(frames: Iterable[tuple[str, int, str]]) -> tuple[str, ...]:
    """Frames as `path:line:function`, the failing one first."""
    return tuple(f"{path}:{line}:{name}" for path, line, name in list(frames)[:MOST_FRAMES])
