"""The words memory is sorted by, as seed 004 and the journals it describes spell them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from haversack.errors import UsageError

CATEGORIES = ("fact", "preference", "event", "workflow", "context", "error", "decision")
SCOPES = ("task", "worktree", "project", "org")
"""From the narrowest to the widest: what holds in a wide one holds in the narrow ones within it."""

DOMAINS = (
    "debugging", "refactoring", "feature", "testing", "configuration", "documentation", "performance", "security",
    "integration",
)  # fmt: skip
STRATEGIES = (
    "systematic-elimination", "trial-and-error", "research-first", "divide-and-conquer", "root-cause-analysis",
    "copy-from-similar", "check-assumptions", "read-the-error", "ask-user",
)  # fmt: skip
OUTCOMES = ("confirmed", "falsified", "abandoned")
ROOT_CAUSES = (
    "wrong-assumption", "missing-knowledge", "oversight", "environment-issue", "misleading-symptom", "incomplete-fix",
    "wrong-scope", "test-isolation", "timing-issue",
)  # fmt: skip
AXES = ("full", "strategy", "surprise", "root_cause")
TIER_WEIGHTS: Mapping[str, float] = {"gold": 1.0, "silver": 0.8, "bronze": 0.5, "abandoned": 0.2}
"""How much an experience of that confidence counts."""


def one_of(what: str, given: str, known: Iterable[str]) -> str:
    """The word if it is known (case and underscores forgiven); an error that lists the known ones if not."""
    words = tuple(known)
    plain = given.strip().casefold()
    for word in (plain, plain.replace("_", "-"), plain.replace(" ", "-"), plain.replace("-", "_")):
        if word in words:
            return word
    raise UsageError(f"unknown {what} {given!r}", hint=f"known: {', '.join(words)}")
