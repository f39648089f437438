"""The type of a task, from its words, with the words that decided."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from haversack.patterns import lazily
from haversack.retrieve.task.lines import Line, Zone
from haversack.retrieve.task.type_words import WORDS
from haversack.retrieve.task.vocabulary import Vocabulary

GENERAL: Final = "general"
ORDER: Final = tuple(WORDS)  # ties go to the earlier
ENOUGH: Final = 2.0  # a single hint in passing decides nothing
TITLE_FACTOR: Final = 2.0
BODY_SHARE: Final = 0.5  # the body counts half, and only its opening lines: the rest tells the story
OPENING_LINES: Final = 8
PREFIX_WEIGHT: Final = 8.0  # a conventional prefix is the author's own statement
FIXES_WEIGHT: Final = 2.0  # "fixes #12": features are closed, bugs are fixed
VERB_WEIGHT: Final = 3.0
FORM_WEIGHT: Final = 3.0  # the template that was filled in
TRACE_WEIGHT: Final = 3.0  # a pasted error or trace is what bug reports have
MOST_WORDS: Final = 6  # to name as deciding

PREFIXES: Final[Mapping[str, str]] = {
    "fix": "bug", "bugfix": "bug", "hotfix": "bug", "bug": "bug", "feat": "feature", "feature": "feature",
    "rfe": "feature", "docs": "docs", "doc": "docs", "test": "test", "tests": "test", "refactor": "refactor",
    "perf": "performance", "ci": "infrastructure", "build": "infrastructure", "deploy": "infrastructure",
    "infra": "infrastructure", "security": "security", "sec": "security",
}  # fmt: skip
_GLYPHS: Final[Mapping[str, str]] = {
    "🐛": "bug", "✨": "feature", "📝": "docs", "♻": "refactor", "⚡": "performance", "🔒": "security", "✅": "test",
    "👷": "infrastructure", "🚀": "infrastructure",
}  # fmt: skip
_LEADING: Final = """
allow compare deploy document enable enhance evaluate expose explain explore extract fix fixed fixes how implement
improve investigate introduce move optimize optimise provide refactor remove rename replace research resolve restructure
simplify split support test understand what where
"""
_VERBS: Final = frozenset(_LEADING.split())
_PREFIX: Final = lazily(r"\W{0,4}\[?([A-Za-z]{2,12})\]?(?:\([^)\n]{0,60}\))?!?\s?[:\]]")
_FIXES: Final = lazily(r"\bfix(?:e[sd])?:? #", re.IGNORECASE)
_FIRST_WORD: Final = lazily(r"[^\W\d_]{2,30}")
_FORMS: Final[Mapping[str, tuple[str, ...]]] = {
    "bug": (
        "describe the bug", "bug report", "bug description", "steps to reproduce", "how to reproduce",
        "code to reproduce", "expected behavi", "expected result", "actual behavi", "actual result", "current behavi",
        "minimal example",
    ),
    "feature": ("feature request", "describe the solution", "describe the workflow", "desired solution"),
}  # fmt: skip


@cache
def _vocabulary() -> Vocabulary[tuple[tuple[str, float], ...]]:
    """Word to the types it speaks for, with weights."""
    found: dict[str, tuple[tuple[str, float], ...]] = {}
    for name, by_weight in WORDS.items():
        for weight, words in by_weight.items():
            for word in words.split():
                found[word] = (*found.get(word, ()), (name, float(weight)))
    return Vocabulary(found)


def task_type(text: str, lines: Sequence[Line]) -> tuple[str, tuple[str, ...]]:
    """The type and the words that decided, strongest first; `general` when nothing does.

    `text` is the whole text: the headings of issue templates are not among its lines, but say which form was filled in.
    """
    title = " ".join(line.text for line in lines if line.zone is Zone.TITLE)
    prose = [line.text for line in lines if line.zone in (Zone.PROSE, Zone.HEADING)]
    scores: dict[str, dict[str, float]] = {name: {} for name in ORDER}
    _read_words(title, TITLE_FACTOR, scores)
    _read_words("\n".join(prose[:OPENING_LINES]), BODY_SHARE, scores)
    _read_form(text, lines, scores)
    _read_start(title, scores)
    totals = {name: sum(words.values()) for name, words in scores.items()}
    best = max(ORDER, key=lambda name: (totals[name], -ORDER.index(name)))
    if totals[best] < ENOUGH:
        return GENERAL, ()
    deciding = sorted(scores[best].items(), key=lambda pair: (-pair[1], pair[0]))
    return best, tuple(word for word, _ in deciding[:MOST_WORDS])


def _read_words(text: str, factor: float, scores: Mapping[str, dict[str, float]]) -> None:
    for word, types in _vocabulary().find(text):
        for name, weight in types:
            scores[name][word] = max(scores[name].get(word, 0.0), weight * factor)


def _read_form(text: str, lines: Sequence[Line], scores: Mapping[str, dict[str, float]]) -> None:
    """What the shape of the text says: the template, a pasted trace, the reference to a bug."""
    lower = text.lower()
    for name, phrases in _FORMS.items():
        filled = next((phrase for phrase in phrases if phrase in lower), None)
        if filled:
            scores[name][filled] = FORM_WEIGHT
    if any(line.zone in (Zone.ERROR, Zone.FRAME) for line in lines):
        scores["bug"]["an error or stack trace"] = TRACE_WEIGHT
    fixes = _FIXES.search(text)
    if fixes:
        scores["bug"][fixes[0].lower()] = FIXES_WEIGHT


def _read_start(title: str, scores: Mapping[str, dict[str, float]]) -> None:
    """A title that begins with what is to be done or asked says it twice; a conventional prefix settles it."""
    first = _FIRST_WORD.search(title)
    verb = first[0].lower() if first else ""
    if verb in _VERBS:
        for words in scores.values():
            if verb in words:
                words[verb] += VERB_WEIGHT
    match = _PREFIX.match(title)
    prefix = match[1].lower() if match else ""
    if prefix in PREFIXES:
        scores[PREFIXES[prefix]][f"{prefix}:"] = PREFIX_WEIGHT
    for glyph, name in _GLYPHS.items():
        if title.lstrip().startswith(glyph):
            scores[name][glyph] = PREFIX_WEIGHT
