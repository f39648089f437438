"""What a premortem asks, on every axis, and one failure told once, however often it happened."""

from __future__ import annotations

from collections.abc import Awaitable, Collection, Mapping, Sequence
from dataclasses import replace

from haversack.model import Citation, Scored, Unit
from haversack.pack.dedupe import dedupe
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
LOOKED_AT = 4 * PRINCIPLES  # most may only retell a failure that is told already


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
    asked["principles"] = searcher.search_values(f"principles for {domain}{using}", LOOKED_AT, domain=domain)
    return asked


def joined(pieces: Mapping[str, Sequence[Piece]]) -> dict[str, list[Piece]]:
    """The same where experiences that ended alike and say nearly the same are one, which names how many they are."""
    by_ending: dict[object, dict[str, Piece]] = {}
    for piece in (each for own in pieces.values() for each in own if each.experience == each.key):
        ended = by_ending.setdefault(piece.metadata.get("outcome_status"), {})
        known = ended.get(piece.key)
        if known is None or piece.relevance > known.relevance:
            ended[piece.key] = piece
    stands_for = {one: others for ended in by_ending.values() for one, others in _alike(ended.values())}
    gone = {each for others in stands_for.values() for each in others}
    return {
        name: [_together(each, stands_for.get(each.key, ())) for each in own if each.key not in gone]
        for name, own in pieces.items()
    }


def _alike(experiences: Collection[Piece]) -> list[tuple[str, list[str]]]:
    """Experiences that stay, each with those it stands for."""
    units = [
        Unit(each.key, each.source, "", "", each.says, citations=(Citation("log", each.key),)) for each in experiences
    ]
    scored = [Scored(unit, each.relevance, {}) for unit, each in zip(units, experiences, strict=True)]
    return [(stays, [each.target for each in cited]) for stays, cited in dedupe(scored).also.items()]


def _together(piece: Piece, others: Sequence[str]) -> Piece:
    if not others:
        return piece
    behind = [piece.key, *sorted(others)]
    head = f"{piece.head.rstrip()} | {len(behind)} times\n"
    return replace(piece, head=head, metadata={**piece.metadata, "experiences": behind})


def shown_once(pieces: Mapping[str, Sequence[Piece]]) -> dict[str, list[Piece]]:
    """Each experience under its first heading, of a strategy failures first; then principles that add to them."""
    seen: set[str] = set()
    found: dict[str, list[Piece]] = {}
    for name, own in pieces.items():
        ordered = sorted(own, key=_failed_first) if name == "strategy" else own
        found[name] = []
        for piece in ordered:
            if piece.key not in seen:
                seen.add(piece.key)
                found[name].append(piece)
    told = [each for own in found.values() for each in own if each.source == "experience"]
    new = [each for each in found["principles"] if not _retells(each, told)]
    return found | {"principles": new[:PRINCIPLES]}


def _retells(value: Piece, told: Sequence[Piece]) -> bool:
    """Whether a principle rests on one failure only, or is the whole story of an experience again."""
    behind = set(_behind(value))
    whole = "\n" in value.body.strip()
    return any(
        behind <= set(_behind(each)) or (whole and value.body.strip() in each.says.strip())
        for each in told
        if each.key in behind
    )


def _behind(piece: Piece) -> list[str]:
    found = piece.metadata.get("experiences")
    return [str(each) for each in found] if isinstance(found, list) else []


def _failed_first(piece: Piece) -> bool:
    return piece.metadata.get("outcome_status") != "falsified"
