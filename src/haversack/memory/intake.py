"""What may be stored: bounded, of known words, without secrets. What had to be changed is named."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping

from msgspec.structs import replace

from haversack.errors import UsageError
from haversack.memory.lines import importance_of
from haversack.memory.nouns import Memory, Record, Reward
from haversack.memory.vocabulary import CATEGORIES, SCOPES, one_of
from haversack.model import Problem
from haversack.units.redact import redact

LONGEST_TEXT = 100_000
"""Characters of one memory, about 25,000 tokens: more than any packet could show of it."""
LARGEST_RECORD = 1_000_000
"""Characters of one experience as JSON; the largest seen in the wild has 1,200."""


def admitted(memory: Memory) -> tuple[Memory, tuple[Problem, ...]]:
    """The memory as it is stored, and what was changed; UsageError when it cannot be."""
    if not memory.text.strip():
        raise UsageError("there is nothing to remember: the text is empty")
    if len(memory.text) > LONGEST_TEXT:
        raise UsageError(
            f"a memory holds at most {LONGEST_TEXT:,} characters, this one has {len(memory.text):,}",
            hint="remember what it says in a few sentences, and where the whole is: --path, --source",
        )
    problems: list[Problem] = []

    def clean(text: str) -> str:
        return _without_secrets(text, problems)

    text = clean(memory.text)
    if _controls(text):
        what = "holds control characters; they are kept, and shown as escapes"
        problems.append(Problem("memory", what))
    return (
        replace(
            memory,
            text=text,
            category=one_of("category", memory.category, CATEGORIES),
            scope=one_of("scope", memory.scope, SCOPES),
            importance=importance_of(memory.importance),
            subject=clean(memory.subject),
            within=clean(memory.within),
            session=clean(memory.session),
            speaker=clean(memory.speaker),
            origin=clean(memory.origin),
            paths=tuple(map(clean, memory.paths)),
            symbols=tuple(map(clean, memory.symbols)),
            tags=tuple(map(clean, memory.tags)),
            citations=tuple(
                replace(each, target=clean(each.target), name=clean(each.name)) for each in memory.citations
            ),
            extra=_record(memory.extra, problems),
        ),
        tuple(problems),
    )


def admitted_record(record: Record) -> tuple[Record, tuple[Problem, ...]]:
    """A journal entry as it is stored; UsageError when it is too large."""
    size = len(json.dumps(record))
    name = str(record.get("id", "experience"))
    if size > LARGEST_RECORD:
        what = f"experience {name} holds {size:,} characters, more than the {LARGEST_RECORD:,} that are kept of one"
        raise UsageError(what, hint="shorten its texts, or keep them in a file and say where it is")
    problems: list[Problem] = []
    return _record(record, problems, name), tuple(problems)


def admitted_reward(reward: Reward) -> Reward:
    """A reward as it is stored; UsageError when it is no number from 0 to 1."""
    if not 0.0 <= reward.reward <= 1.0:
        raise UsageError(f"a reward is a number from 0 to 1, not {reward.reward!r}")
    return replace(reward, task=redact(reward.task).text)


def _record(record: Record, problems: list[Problem], name: str = "memory") -> dict[str, object]:
    return {_without_secrets(key, problems, name): _cleaned(value, problems, name) for key, value in record.items()}


def _cleaned(value: object, problems: list[Problem], name: str) -> object:
    if isinstance(value, str):
        return _without_secrets(value, problems, name)
    if isinstance(value, Mapping):
        return _record(value, problems, name)
    if isinstance(value, list):
        return [_cleaned(each, problems, name) for each in value]
    return value


def _without_secrets(text: str, problems: list[Problem], name: str = "memory") -> str:
    if not text:
        return text
    found = redact(text)
    if found.found:
        what = f"holds what looks like {', '.join(sorted(set(found.found)))}; only the kind was kept"
        problems.append(Problem(name, what))
    return found.text


def _controls(text: str) -> bool:
    return not text.isprintable() and any(
        unicodedata.category(each) in ("Cc", "Cs") and each not in "\n\t\r" for each in text
    )
