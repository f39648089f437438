"""What worked, what went wrong, what is known about a topic."""

from __future__ import annotations

import pytest
from tests.recall.conftest import confirmed, experience

from haversack import Haversack
from haversack.errors import UsageError
from haversack.memory.nouns import Memory


def test_patterns_are_what_worked(haversack: Haversack) -> None:
    found = haversack.recall.search_patterns("refresh a session")
    assert "refresh_session" in found[0].description
    assert found[0].success_count == 1
    assert all("KeyError" not in each.description for each in found)


def test_a_workflow_said_again_counts_and_shows_its_code(fresh: Haversack) -> None:
    text = "Release with the script:\n```bash\nmake release\n```"
    for _ in range(3):
        fresh.memory.add(Memory(text, category="workflow"))
    (found,) = fresh.recall.search_patterns("how to release")
    assert (found.success_count, found.example_code) == (3, "make release")
    assert found.description.startswith("[HYPOTHESIS]")


def test_successes_that_are_alike_are_one_pattern(fresh: Haversack) -> None:
    for number in range(6):
        fresh.memory.put_experience(
            confirmed(number, goal="Fix flaky upload test", action="Freeze the clock in the upload test",
                      hypothesis="The clock moves", prediction="It passes",
                      lesson={"what_worked": "Freezing the clock", "takeaway": "Freeze clocks in tests"})
        )  # fmt: skip
    found = fresh.recall.search_patterns("flaky upload test")
    assert [each.success_count for each in found] == [6]


def test_gotchas_are_what_went_wrong_with_what_helped(haversack: Haversack) -> None:
    error = next(
        each for each in haversack.recall.search_gotchas("anonymous users KeyError") if "KeyError" in each.title
    )
    assert error.resolution == "check session.user first"
    assert error.trigger_conditions == ("shop/session.py", "anonymous")
    cache = haversack.recall.search_gotchas("two caches eviction timer")[0]
    assert "Because: wrong-assumption: There was a second cache" in cache.description
    assert "Dumping both caches" in cache.resolution
    assert "domain: debugging" in cache.trigger_conditions


def test_gotchas_of_a_file_need_no_query(haversack: Haversack) -> None:
    for path in ("shop/session.py", "./shop/session.py", "session.py", "shop\\session.py"):
        assert ["KeyError" in each.title for each in haversack.recall.search_gotchas(files=[path])] == [True]
    assert haversack.recall.search_gotchas("KeyError", files=["web/cart.ts"]) == ()


def test_failures_that_are_alike_are_counted(fresh: Haversack) -> None:
    for number in range(5):
        fresh.memory.put_experience(
            experience(number, surprise="The fixture shared a database", goal="Fix the import test",
                       root_cause={"category": "test-isolation", "description": "One database for all tests"})
        )  # fmt: skip
    found = fresh.recall.search_gotchas("fixture shared database")
    assert found[0].occurrence_count == 5


def test_nothing_to_look_for_is_wrong_usage(haversack: Haversack) -> None:
    for call in (haversack.recall.search_gotchas, lambda: haversack.recall.search_patterns(" ")):
        with pytest.raises(UsageError, match="empty"):
            call()
    with pytest.raises(UsageError, match="limit"):
        haversack.recall.search_patterns("session", limit=0)


def test_a_skill_is_drawn_from_memory_decisions_and_code(haversack: Haversack) -> None:
    skill = haversack.recall.get_skill("session refresh and signing")
    assert any("RS256" in each for each in skill.core_principles)
    assert any("KeyError" in each for each in skill.pitfalls)
    assert "refresh_session" in skill.implementation_guide
    assert "shop/session.py" in skill.implementation_guide
    assert 0.3 < skill.confidence < 1.0
    assert any(each.target == "shop/session.py" for each in skill.citations)
    for heading in ("## Core principles", "## Pitfalls", "## Implementation guide", "## Citations"):
        assert heading in skill.text
    points = [*skill.core_principles, *skill.pitfalls, *skill.implementation_guide.splitlines()]
    assert len(points) == len(set(points))


def test_the_lines_of_a_pitfall_are_told_apart(haversack: Haversack) -> None:
    pitfalls = haversack.recall.get_skill("stale cache eviction timer").pitfalls
    assert any(
        "Expected: The log stays empty 0; Happened: Two caches held the entry 0; Because: " in p for p in pitfalls
    )


def test_decision_records_are_principles(haversack: Haversack) -> None:
    skill = haversack.recall.get_skill("signed tokens")
    assert any(each.target.startswith("docs/adr") for each in skill.citations)


def test_a_topic_nobody_knows_has_no_confidence(fresh: Haversack) -> None:
    skill = fresh.recall.get_skill("zeppelin maintenance")
    assert (skill.confidence, skill.core_principles, skill.pitfalls) == (0.0, (), ())
    assert skill.as_json()["citations"] == []


def test_a_skill_reads_a_file_that_changed_since(fresh: Haversack) -> None:
    fresh.index()
    adr = fresh.project.root / "docs/adr/0001-tokens.md"
    adr.write_text(adr.read_text() + "\nTokens live an hour.\n")
    assert fresh.recall.get_skill("signed tokens").citations
