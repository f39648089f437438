"""Candidate sets to pack: generated ones that look like retrieval's, and recorded ones read from JSON lines.

    python bench/sets.py --tree DIR --out FILE [--number 210]

records the sets of real tasks: subjects of the project's own commits, at budgets from 1,000 to 16,000 tokens.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import random
import sysconfig
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import asdict

from haversack.model import Candidate, Level, Rung, Scored, Section, Span, Unit
from haversack.pack.allocate import NO_CAP
from haversack.pack.overhead import Overhead
from haversack.pack.presets import PRESETS

# Shares of the full text and of its value at each level, with some scatter.
LEVELS = ((Level.FULL, 1.0, 1.0), (Level.DETAILED, 0.4, 0.7), (Level.SUMMARY, 0.12, 0.4))
BRIEF = 10  # tokens of the shortest line about what a section left out
HEADING = 12  # tokens of an item's own heading
BUDGETS = (1000, 2000, 4000, 8000, 16_000)


class Set(NamedTuple):
    """One packing problem."""

    candidates: Sequence[Candidate]
    sections: Sequence[Section]
    overhead: Overhead
    budget: int


def generated(chance: random.Random, *, candidates: int | None = None, budget: int | None = None) -> Set:
    """A set with a preset's sections or arbitrary ones, and sizes, scores and overlaps as retrieval gives them."""
    sections = _sections(chance)
    count = candidates or int(math.exp(chance.uniform(math.log(4), math.log(200))))
    overhead = Overhead(
        chance.randrange(20, 80),
        {section.name: chance.randrange(4, 12) for section in sections},
        {section.name: chance.randrange(15, 35) for section in sections},
        {section.name: BRIEF for section in sections},
    )
    made = [_candidate(chance, number, count, sections) for number in range(count)]
    return Set(made, sections, overhead, budget or int(math.exp(chance.uniform(math.log(400), math.log(40_000)))))


def excerpt(candidate: Candidate, tokens: int, now: Rung | None = None) -> Rung | None:
    """The beginning of the full text, cut at a line: about ten tokens each, worth a little more than its share.

    Or more lines of the rung it has now.
    """
    full = candidate.ladder[0]
    if now is not None:
        more = (tokens - now.tokens) // 10 * 10
        if more < 10 or now.tokens + more >= full.tokens:
            return None
        gain = (full.value - now.value) * more / (full.tokens - now.tokens)
        return Rung(now.level, "", now.tokens + more, now.value + gain, now.span)
    lines = (tokens - HEADING) // 10
    size = HEADING + 10 * lines
    if lines < 1 or size >= full.tokens:
        return None
    return Rung(Level.FULL, "", size, full.value * (size / full.tokens) ** 0.8, truncated=True)


def functions() -> list[str]:
    """Functions of this Python's own library, in order."""
    found = []
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py")):
        source = path.read_text(encoding="utf-8")
        lines = source.splitlines()
        nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
        found += ["\n".join(lines[node.lineno - 1 : node.end_lineno]) for node in nodes]
    return found


def recorded(lines: Iterable[str]) -> list[Set]:
    """Sets as `as_line` wrote them."""
    return [_read(json.loads(line)) for line in lines if line.strip()]


def as_line(one: Set) -> str:
    """The set as one JSON line: prices, values and lines, no text."""
    return json.dumps(
        {
            "budget": one.budget,
            "overhead": asdict(one.overhead),
            "sections": [asdict(section) for section in one.sections],
            "candidates": [_written(candidate) for candidate in one.candidates],
        }
    )


def _sections(chance: random.Random) -> list[Section]:
    preset = PRESETS.get(chance.choice([*PRESETS, "own", "own"]))
    if preset is not None:
        return list(preset.sections)
    return [
        Section(
            f"s{number}",
            f"Section {number}",
            chance.choice([0, 0, 100]),
            chance.choice([1, 2, 5]),
            chance.choice([NO_CAP, NO_CAP, 3000]),
            chance.choice([0.0, 0.3]),
        )
        for number in range(chance.choice([1, 2, 3, 6]))
    ]


def _candidate(chance: random.Random, number: int, count: int, sections: Sequence[Section]) -> Candidate:
    score = chance.betavariate(2, 2.5)
    size = int(min(8000, max(15, chance.lognormvariate(5.5, 1.0))))
    start = chance.randrange(1, 900)
    unit = Unit(
        f"u{number:04d}",
        "code",
        "function",
        f"unit {number}",
        "",
        path=f"file{chance.randrange(max(1, count // 3))}.py",
        span=Span(start, start + size // 10),
    )
    ladder: list[Rung] = []
    for level, share, value in LEVELS:
        tokens = HEADING + int(size * share * (1 if level is Level.FULL else chance.uniform(0.7, 1.4)))
        if not ladder or tokens < 0.85 * ladder[-1].tokens:
            ladder.append(Rung(level, "", tokens, score * value * chance.uniform(0.9, 1.1)))
    stub = chance.randrange(18, 40)
    if stub < 0.85 * ladder[-1].tokens:
        ladder.append(Rung(Level.STUB, "", stub, 0.1 * score))
    return Candidate(
        Scored(unit, score, {}, explicit=chance.random() < 0.03),
        chance.choice(sections).name,
        tuple(ladder),
        pinned=chance.random() < 0.01,
    )


def _written(candidate: Candidate) -> dict[str, object]:
    unit = candidate.scored.unit
    return {
        "id": candidate.id,
        "section": candidate.section,
        "score": candidate.scored.score,
        "explicit": candidate.scored.explicit,
        "pinned": candidate.pinned,
        "path": unit.path,
        "span": _lines(unit.span),
        "ladder": [[rung.level.value, rung.tokens, rung.value, _lines(rung.span)] for rung in candidate.ladder],
    }


def _read(found: dict) -> Set:
    candidates = [
        Candidate(
            Scored(
                Unit(one["id"], "code", "unit", one["id"], "", path=one["path"], span=_span(one["span"])),
                one["score"],
                {},
                explicit=one["explicit"],
            ),
            one["section"],
            tuple(Rung(Level(level), "", tokens, value, _span(lines)) for level, tokens, value, lines in one["ladder"]),
            pinned=one["pinned"],
        )
        for one in found["candidates"]
    ]
    sections = [Section(**section) for section in found["sections"]]
    return Set(candidates, sections, Overhead(**found["overhead"]), found["budget"])


def _lines(span: Span | None) -> list[int] | None:
    return [span.start, span.end] if span else None


def _span(lines: list[int] | None) -> Span | None:
    return Span(*lines) if lines else None


def record(tree: Path, number: int) -> list[Set]:
    """The sets that packing is given for so many tasks of a project."""
    from packet import tasks_of

    from haversack import Haversack
    from haversack.assemble import packet

    found: list[Set] = []
    choose = packet.select

    def noted(candidates: Sequence[Candidate], **asked: object) -> object:
        if "overhead" in asked:  # not the packing of one source into its cap
            found.append(Set(candidates, asked["sections"], asked["overhead"], asked["budget"]))
        return choose(candidates, **asked)

    packet.select = noted
    try:
        with tempfile.TemporaryDirectory() as folder, Haversack(tree, data_dir=folder) as project:
            project.index()
            for place, task in enumerate(tasks_of(project, number)):
                project.budget(task, budget=BUDGETS[place % len(BUDGETS)])
    finally:
        packet.select = choose
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--number", type=int, default=210)
    options = parser.parse_args()
    lines = [as_line(one) for one in record(options.tree, options.number)]
    options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
