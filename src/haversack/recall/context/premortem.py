"""What a premortem asks, on every axis, and one experience told once."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence

from haversack.recall.context.nouns import Piece, Searcher

# Section, title, share of the budget: failures are told whole, principles are a sentence.
SECTIONS = (
    ("failures", "Common Failures", 3),
    ("strategy", "Strategy Performance", 2),
    ("surprises", "Unexpected Outcomes", 2),
    ("causes", "Root Causes to Watch", 2),
    ("principles", "Relevant Principles", 1),
)
PRINCIPLES = 5  # seed 004


def ask_premortem(
    searcher: Searcher, domain: str, strategy: str | None, limit: int
) -> dict[str, Awaitable[Sequence[Piece]]]:
    """Seed 004's queries: what was falsified, the strategy if one is given, surprises, root causes, values."""
    experiences = searcher.search_experiences
    asked: dict[str, Awaitable[Sequence[Piece]]] = {
        "failures": experiences(
            f"failures and issues in {domain}", axis="full", domain=domain, outcome="falsified", limit=limit
        )
    }
    if strategy:
        asked["strategy"] = experiences(
            f"outcomes using {strategy} strategy", axis="strategy", strategy=strategy, limit=limit
        )
    asked["surprises"] = experiences(f"unexpected outcomes in {domain}", axis="surprise", domain=domain, limit=limit)
    asked["causes"] = experiences(f"why hypotheses fail in {domain}", axis="root_cause", domain=domain, limit=limit)
    using = f" using {strategy}" if strategy else ""
    asked["principles"] = searcher.search_values(f"principles for {domain}{using}", PRINCIPLES, domain=domain)
    return asked


def shown_once(pieces: Mapping[str, Sequence[Piece]]) -> dict[str, list[Piece]]:
    """Each experience under the first heading it belongs to, each principle once; of a strategy failures first."""
    seen: set[str] = set()
    found: dict[str, list[Piece]] = {}
    for name, own in pieces.items():
        ordered = sorted(own, key=_failed_first) if name == "strategy" else own
        found[name] = []
        for piece in ordered:
            if piece.key not in seen:
                seen.add(piece.key)
                found[name].append(piece)
    return found


def _failed_first(piece: Piece) -> bool:
    return piece.metadata.get("outcome_status") != "falsified"
