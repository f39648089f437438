"""Understand a task: what it is about, in which words, how deep to look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from haversack.errors import UsageError
from haversack.index.terms import terms
from haversack.model import Task
from haversack.retrieve.task import complexity
from haversack.retrieve.task.intent import plain_intent, task_intent
from haversack.retrieve.task.languages import without_function_words
from haversack.retrieve.task.lines import Line, Zone, read_lines
from haversack.retrieve.task.names import Names, find_names
from haversack.retrieve.task.negation import negated_terms, without_spared
from haversack.retrieve.task.times import find_times
from haversack.retrieve.task.types import GENERAL, ORDER, task_type
from haversack.retrieve.task.weights import weigh_terms
from haversack.units.frames import Frame, find_frames

MOST_LINES: Final = 30  # that carry the signal; more blur what a vector can say
MOST_KEYWORDS: Final = 12
_SAID: Final = (Zone.TITLE, Zone.PROSE, Zone.HEADING, Zone.ERROR)


def understand(text: str, *, type: str | None = None, intent: str | None = None, now: float | None = None) -> Task:  # noqa: A002 (the user's word)
    """The task behind a text of any length and script; `type` and `intent` override what the words say."""
    lines = read_lines(text)
    meant = without_spared(lines)
    names = find_names(meant)
    frames = find_frames(line.text for line in meant)
    times = find_times(lines, now)
    negated = negated_terms(lines)
    telling = without_function_words(meant)
    weights = weigh_terms(telling, negated)
    kind, words = (known_type(type), ("asked for",)) if type else task_type(text, lines)
    measured = complexity.measure(lines, [*names.identifiers, *names.paths, *names.quoted], times.mentioned)
    return Task(
        text=text,
        type=kind,
        type_words=words,
        intent=plain_intent(intent) if intent else task_intent(lines),
        complexity=measured.score,
        complexity_factors=measured.factors,
        strategy=complexity.strategy(measured.score),
        k=complexity.depth(measured.score),
        terms=weights,
        keywords=keywords(telling, weights),
        identifiers=names.ranked(),
        paths=tuple(names.paths),
        modules=tuple(names.modules),
        quoted=tuple(names.quoted),
        frames=tuple((frame.path, frame.line, frame.function) for frame in frames),
        rooted=rooted_paths(names, frames),
        tests=tuple(names.tests),
        versions=tuple(names.versions),
        errors=tuple(names.errors),
        negated=negated,
        lines=signal_lines(telling, weights),
        after=times.after,
        before=times.before,
    )


def rooted_paths(names: Names, frames: Sequence[Frame]) -> tuple[str, ...]:
    """The paths that begin where their package begins, unless the text also names them as its own."""
    own = {path for path in names.paths if path not in names.installed}
    rooted = [*names.installed, *(frame.path for frame in frames if frame.rooted)]
    return tuple(sorted({path for path in rooted if path not in own}))


def known_type(name: str) -> str:
    """The type a user named, or an error that lists the types."""
    plain = name.strip().lower()
    if plain not in (*ORDER, GENERAL):
        raise UsageError(f"unknown task type {name!r}", hint=f"known types: {', '.join(sorted((*ORDER, GENERAL)))}")
    return plain


def signal_lines(lines: Sequence[Line], weights: Mapping[str, float]) -> tuple[str, ...]:
    """The lines that say most, in the order of the text."""
    scored = []
    for at, line in enumerate(lines):
        if line.zone in _SAID:
            found = set(terms(line.text))
            title = line.zone is Zone.TITLE
            if title or len(found) > 1:  # "returns" and "whereas:" stand between examples
                weight = sum(weights.get(term, 0.0) for term in found) / (len(found) + 4)
                scored.append((title, weight, -at))
    best = sorted(scored, reverse=True)[:MOST_LINES]
    return tuple(" ".join(lines[at].text.split()) for at in sorted(-row[2] for row in best))


def keywords(lines: Sequence[Line], weights: Mapping[str, float]) -> tuple[str, ...]:
    """The heaviest words of the prose as the author wrote them, heaviest first."""
    written: dict[str, str] = {}
    for line in lines:
        if line.zone in _SAID:
            for word in line.text.split():
                plain = word.strip(".,;:!?()[]{}\"'`*“”‘’「」…")
                found = terms(plain)
                if found and len(plain) <= 60:
                    written.setdefault(found[0], plain)
    return tuple([written[term] for term in weights if term in written][:MOST_KEYWORDS])
