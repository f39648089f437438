"""Which section of a preset a candidate competes in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from haversack.model import Scored, Section
from haversack.score import TierThresholds

# Where each source goes in the presets that are made of sources. What a preset has no room for stays out, and the
# receipt says so.
HOMES: Mapping[str, Mapping[str, str]] = {
    "enrichment": {
        "conversation": "conversation",
        "research": "research",
        "docs": "documentation",
        "knowledge": "documentation",
        "code": "code",
        "commits": "code",
        "deployment": "deployment",
        "environments": "deployment",
        "ci": "deployment",
        "logs": "logs",
    },
    "learning": {
        "experiences": "experiences",
        "code": "code",
        "commits": "commits",
        "values": "values",
        "memories": "memories",
        "docs": "memories",
    },
    "hydrate": {"code": "code_symbols", "docs": "context", "commits": "context"},
}
# Whose bar is that of the section where presets place by score.
BY_TIER: Mapping[str, str] = {"code": "supporting"}
HISTORY = frozenset({"commits", "conversation"})
REFERENCE = frozenset({"docs", "research", "knowledge"})
# What was settled in a conversation binds the task: it competes by its score, not as a thing of the past.
SETTLED = frozenset({"decision", "preference", "correction"})


def place(
    scored: Scored,
    sections: Sequence[Section],
    tiers: TierThresholds,
    *,
    homes: Mapping[str, str],
    pinned: bool,
) -> str | None:
    """The section's name, or None when the preset has none for it; `homes` is source to section."""
    names = [section.name for section in sections]
    source = scored.unit.source
    home = homes.get(source, source)
    if home in names:
        return home
    if "primary" in names:
        return _by_tier(scored, names, tiers, pinned)
    return None


def _by_tier(scored: Scored, names: Sequence[str], tiers: TierThresholds, pinned: bool) -> str | None:
    source = scored.unit.source
    # A task names much in passing: a name alone does not make the least likely piece primary.
    named = pinned or (scored.explicit and scored.score >= tiers.supporting)
    if source in HISTORY and scored.unit.kind not in SETTLED and not named:
        wanted = "history"
    elif source in REFERENCE and not named:
        wanted = "reference"
    elif named or scored.score >= tiers.primary:
        wanted = "primary"
    elif scored.score >= tiers.supporting or source == "code":
        # Weak code competes with better code: a section for reference would show it for its own sake.
        wanted = "supporting"
    else:
        wanted = "reference"
    return wanted if wanted in names else names[-1]
