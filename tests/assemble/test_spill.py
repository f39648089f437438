"""What the first section has no room for is offered in the second."""

from __future__ import annotations

from haversack.assemble.spill import spilled
from haversack.model import Candidate, Level, Rung, Scored, Section, Unit

SECTIONS = (Section("primary", "P", 0, 50, 10_000), Section("supporting", "S", 0, 50, 10_000))


def offered(identity: str, section: str, tokens: int, *, value: float = 1.0, pinned: bool = False) -> Candidate:
    scored = Scored(Unit(identity, "code", "function", identity, "text"), 0.9, {})
    return Candidate(scored, section, (Rung(Level.FULL, "text", tokens, value, None),), pinned)


def test_the_best_for_a_token_stay_and_the_rest_competes_as_supporting_context() -> None:
    candidates = [
        offered("long", "primary", 400),
        offered("short", "primary", 100),
        offered("valued", "primary", 390, value=9.0),
        offered("pinned", "primary", 400, pinned=True),
        offered("other", "supporting", 10),
    ]
    found = {each.id: each.section for each in spilled(candidates, SECTIONS, 1_000)}
    assert found == {
        "valued": "primary",
        "short": "primary",
        "pinned": "primary",
        "long": "supporting",
        "other": "supporting",
    }


def test_where_all_fit_or_there_is_no_second_section_nothing_moves() -> None:
    candidates = [offered("a", "primary", 100), offered("b", "primary", 100)]
    assert spilled(candidates, SECTIONS, 1_000) == candidates
    assert spilled(candidates, SECTIONS[:1], 10) == candidates
    without = [offered("c", "code", 100)]
    assert spilled(without, (Section("code", "C", 0, 1, 100),), 10) == without
