"""Which sources matter for which type of task, and which are asked only when the task calls for them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Final

from haversack.model import Task
from haversack.retrieve.task.vocabulary import Vocabulary

HIGH: Final = "high"
MEDIUM: Final = "medium"
LOW: Final = "low"

# Columns: conversation, research, documentation, code, deployment, logs. The first four rows are seed 002's, the others
# ours. A type that is not here, such as "general", has no priorities.
_COLUMNS: Final = ("conversation", "research", "documentation", "code", "deployment", "logs")
_ROWS: Final[Mapping[str, tuple[str, ...]]] = {
    "bug": (MEDIUM, LOW, LOW, HIGH, MEDIUM, HIGH),
    "feature": (HIGH, MEDIUM, HIGH, HIGH, LOW, LOW),
    "infrastructure": (LOW, LOW, MEDIUM, MEDIUM, HIGH, HIGH),
    "research": (MEDIUM, HIGH, HIGH, MEDIUM, LOW, LOW),
    "refactor": (MEDIUM, LOW, MEDIUM, HIGH, LOW, LOW),
    "test": (LOW, LOW, MEDIUM, HIGH, LOW, MEDIUM),
    "docs": (MEDIUM, MEDIUM, HIGH, HIGH, LOW, LOW),
    "performance": (MEDIUM, MEDIUM, LOW, HIGH, MEDIUM, HIGH),
    "security": (MEDIUM, MEDIUM, MEDIUM, HIGH, HIGH, MEDIUM),
}
# Whose priority a source of ours shares. Those that seed 002 does not know (commits, memories) have none.
_SEEDS_NAME: Final[Mapping[str, str]] = {
    **{name: name for name in _COLUMNS},
    "docs": "documentation",
    "knowledge": "documentation",
    "environments": "deployment",
    "ci": "deployment",
}
# What a priority does to a score. The seed only orders them. Small steps: a type is guessed from a few words, and what
# the task itself says has to stay stronger than that guess.
SHARES: Final[Mapping[str, float]] = {HIGH: 1.0, MEDIUM: 0.95, LOW: 0.85}
# What it does to a section that belongs to one source: its part of what is left over.
WEIGHTS: Final[Mapping[str, float]] = {HIGH: 2.0, MEDIUM: 1.0, LOW: 0.5}

# Sources that are asked only by these types, or by a task that uses one of the words.
ASKED_BY: Final[Mapping[str, frozenset[str]]] = {
    "logs": frozenset({"bug", "performance", "infrastructure", "test"}),
    "deployment": frozenset({"bug", "performance", "infrastructure", "security"}),
}
# Their own bars, .6 and .7, are there to keep them out of tasks that are about something else; where the type says that
# this one is about them, they need what code needs.
ASKED_BAR: Final = 0.5
_WORDS: Final[Mapping[str, str]] = {
    "logs": """
        log logs logfile* logged traceback* stack-trace stacktrace crash* exception* outage* incident* 500 502 503 504
    """,
    "deployment": """
        deploy* docker* container* compose kubernetes k8s kubectl helm terraform manifest* ingress pod pods cluster* ci
        pipeline* workflow* github-actions production prod staging environment-variable* env-var* .env systemd procfile
        infrastructure namespace* configmap*
    """,
}


def priority(kind: str, source: str) -> str | None:
    """high, medium or low; None where the type or the source has none."""
    row = _ROWS.get(kind)
    name = _SEEDS_NAME.get(source)
    return row[_COLUMNS.index(name)] if row and name else None


def share_of(kind: str, source: str) -> float:
    """What a score of that source counts for a task of that type, at most 1."""
    given = priority(kind, source)
    return SHARES[given] if given else 1.0


def weight_of(kind: str, section: str) -> float:
    """How much more or less than usual a section of that source may take."""
    given = priority(kind, section)
    return WEIGHTS[given] if given else 1.0


def bars_of(kind: str) -> dict[str, float]:
    """The scores that logs and deployment need where the type puts them first."""
    return {name: ASKED_BAR for name in _SEEDS_NAME if _SEEDS_NAME[name] in ASKED_BY and priority(kind, name) == HIGH}


def asks(task: Task, source: str, asked: Collection[str] = ()) -> bool:
    """Whether a task asks that source: always, but for logs and deployment."""
    demand = _SEEDS_NAME.get(source, source)
    if demand not in ASKED_BY or source in asked or demand in asked:
        return True
    if task.type in ASKED_BY[demand] or (demand == "logs" and bool(task.errors or task.frames)):
        return True
    return next(_vocabulary(demand).find(task.text), None) is not None


def asked_sources(task: Task, sources: Sequence[str], asked: Collection[str] = ()) -> tuple[str, ...]:
    """Those of the sources that the task asks, in their order."""
    return tuple(source for source in sources if asks(task, source, asked))


@cache
def _vocabulary(source: str) -> Vocabulary[str]:
    return Vocabulary(dict.fromkeys(_WORDS[source].split(), source))
