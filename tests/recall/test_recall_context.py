"""ContextAssembler: what is gathered, how it is fitted, what it says of itself, what happens when a source fails."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.recall.conftest import experience

from haversack import Haversack
from haversack.errors import SourceError, UsageError
from haversack.memory.lines import experience_of
from haversack.memory.nouns import Memory
from haversack.model import Citation, Unit
from haversack.recall.context import (
    ContextAssembler,
    ContextAssemblyError,
    FormattedContext,
    InvalidContextTypeError,
)
from haversack.recall.context.alike import distinct
from haversack.recall.context.fit import Fitter, choose, shares
from haversack.recall.context.formats import commit_piece, experience_piece
from haversack.recall.context.nouns import WEIGHTS, Piece
from haversack.recall.context.premortem import PRINCIPLES, shown_once
from haversack.tokens import counter

ALL = tuple(WEIGHTS)
count = counter().count


def piece(source: str, key: str, text: str, relevance: float = 0.5, **more: Any) -> Piece:
    made = Piece(source, key, f"**{key}**: ", text, "", relevance, {"id": key}, says=text)
    return replace(made, **more)


class Answers:
    """A searcher that answers with what it was given; an error is raised."""

    def __init__(self, **answers: Sequence[Piece] | Exception) -> None:
        self.answers = answers

    async def _answer(self, name: str) -> Sequence[Piece]:
        found = self.answers.get(name, ())
        if isinstance(found, Exception):
            raise found
        return found

    async def search_memories(self, query: str, limit: int) -> Sequence[Piece]:
        return await self._answer("memories")

    async def search_code(self, query: str, limit: int) -> Sequence[Piece]:
        return await self._answer("code")

    async def search_experiences(
        self,
        query: str,
        *,
        axis: str = "full",
        domain: str | None = None,
        strategy: str | None = None,
        outcome: str | None = None,
        limit: int = 10,
    ) -> Sequence[Piece]:
        return await self._answer("experiences" if domain is None and strategy is None else axis)

    async def search_values(
        self, query: str, limit: int, *, domain: str | None = None, strategy: str | None = None
    ) -> Sequence[Piece]:
        return await self._answer("values")

    async def search_commits(self, query: str, limit: int) -> Sequence[Piece]:
        return await self._answer("commits")


def assembled(searcher: Answers, types: Sequence[str] = ALL, **options: Any) -> FormattedContext:
    return asyncio.run(ContextAssembler(searcher).assemble_context("caches", types, **options))


def text(seed: int, words: int = 30) -> str:
    return " ".join(f"word{seed * 1000 + number}" for number in range(words))


# -- over a real project -----------------------------------------------------------------------------------------------


def test_five_sources_in_their_sections(haversack: Haversack) -> None:
    found = haversack.recall.assemble_context("session stale cache eviction timer", ALL)
    headings = [line for line in found.markdown.splitlines() if line.startswith("#")]
    assert headings == ["# Context", "## Memories", "## Code", "## Experiences", "## Commits"]
    assert found.markdown.endswith(f"---\n*{len(found.items)} items from 4 sources*\n")
    assert found.token_count == count(found.markdown) <= 2000
    assert found.sources_used == {
        source: sum(item.source == source for item in found.items) for source in found.sources_used
    }
    assert [item.relevance for item in found.items] == sorted((i.relevance for i in found.items), reverse=True)
    assert "*Category: " in found.markdown
    assert "\n- **Goal**: Fix stale cache" in found.markdown


def test_each_source_has_the_metadata_of_the_seed(haversack: Haversack) -> None:
    found = haversack.recall.assemble_context("session cache tests", ALL, max_tokens=6000)
    keys = {item.source: set(item.metadata) for item in found.items}
    assert keys["memory"] >= {"id", "category", "importance", "created_at"}
    assert keys["code"] >= {"file_path", "start_line", "end_line", "language", "qualified_name"}
    assert keys["experience"] >= {
        "id", "domain", "strategy", "outcome_status", "confidence_tier", "iteration_count"
    }  # fmt: skip
    assert keys["commit"] >= {"sha", "author", "timestamp", "files_changed", "insertions", "deletions"}


@pytest.mark.parametrize("budget", [0, 5, 20, 60, 150, 400, 1000, 4000])
def test_no_budget_is_exceeded(haversack: Haversack, budget: int) -> None:
    found = haversack.recall.assemble_context("session cache tests", ALL, max_tokens=budget)
    assert count(found.markdown) <= budget
    assert not found.exceeded


def test_a_soft_budget_shows_the_best_of_each_and_says_so(haversack: Haversack) -> None:
    found = haversack.recall.assemble_context("session cache tests", ALL, max_tokens=60, soft=True)
    assert found.exceeded
    assert len(found.sources_used) == 4
    assert found.as_json()["exceeded"] is True


def test_nothing_found_is_empty_and_no_error(fresh: Haversack) -> None:
    found = fresh.recall.assemble_context("zeppelin", ("memories", "experiences", "values"))
    assert (found.markdown, found.items, found.token_count, found.sources_used) == ("", [], 0, {})


def test_code_cannot_close_its_fence(fresh: Haversack) -> None:
    root = fresh.project.root
    (root / "fence.py").write_text('def zeppelin():\n    """Ends ``` here.\n\n    ````\n    """\n')
    found = fresh.recall.assemble_context("zeppelin", ("code",))
    assert "`````python\n" in found.markdown


# -- fitting -----------------------------------------------------------------------------------------------------------


def test_budgets_go_by_weight() -> None:
    assert shares({name: WEIGHTS[name] for name in ALL}, 900) == {
        "memories": 100, "code": 200, "experiences": 300, "values": 100, "commits": 200
    }  # fmt: skip


def test_no_item_takes_more_than_a_quarter_and_the_note_says_where_the_rest_is() -> None:
    note = "*(truncated, see full at a.py:7)*"
    long = piece("code", "long", text(1, 2000), note=note)
    found = choose({"code": [long]}, {"code": 1}, 1000, Fitter(count))["code"]
    assert found[0].tokens <= 250
    assert found[0].content.endswith(f"...\n\n{note}")


def test_what_one_source_leaves_the_others_get() -> None:
    pieces = {
        "memories": [piece("memory", f"m{n}", text(n)) for n in range(40)],
        "values": [piece("value", "v", "one short principle")],
    }
    found = choose(pieces, {"memories": 1, "values": 1}, 2000, Fitter(count))
    spent = sum(each.tokens for each in found["memories"])
    assert spent > 1500
    assert len(found["values"]) == 1


def test_the_most_relevant_come_first_within_a_source() -> None:
    found = assembled(
        Answers(memories=[piece("memory", f"m{n}", text(n), 1 - n / 10) for n in range(9)]), ("memories",)
    )
    assert [item.metadata["id"] for item in found.items] == [f"m{n}" for n in range(9)]


# -- duplicates --------------------------------------------------------------------------------------------------------


def test_text_that_is_nearly_the_same_is_shown_once_from_the_more_relevant_source() -> None:
    same = text(5)
    pieces = {
        "memories": [piece("memory", "m", same, 0.4)],
        "commits": [piece("commit", "c", same + " more", 0.8)],
    }
    assert {name: [each.key for each in found] for name, found in distinct(pieces).items()} == {
        "memories": [], "commits": ["c"]
    }  # fmt: skip


def test_short_equal_texts_are_one() -> None:
    pieces = {"memories": [piece("memory", "m", "Use tabs", 0.4)], "values": [piece("value", "v", "use  tabs", 0.8)]}
    assert sum(map(len, distinct(pieces).values())) == 1


def test_functions_of_one_file_are_not_duplicates_nor_is_a_commit_of_the_file() -> None:
    pieces = {
        "code": [piece("code", f"f{n}", text(n, 20), path="a.py", span=(n * 10, n * 10 + 5)) for n in range(3)],
        "commits": [piece("commit", "c", text(9), metadata={"files_changed": ["a.py"]})],
    }
    assert sum(map(len, distinct(pieces).values())) == 4


def test_a_value_that_is_an_experiences_own_words_is_a_duplicate() -> None:
    words = "Always count the caches before the eviction timer is blamed"
    pieces = {
        "experiences": [piece("experience", "g1", f"Goal: x\nTakeaway: {words}", 0.9, experience="g1")],
        "values": [piece("value", "v1", words, 0.5, experience="g1"), piece("value", "v2", words[::-1], 0.5)],
    }
    assert [each.key for each in distinct(pieces)["values"]] == ["v2"]


# -- errors ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("types", [["dreams"], ["memories", "Code"], []])
def test_an_unknown_context_type_is_an_error_that_lists_the_known(types: list[str]) -> None:
    with pytest.raises(InvalidContextTypeError) as raised:
        assembled(Answers(), types)
    assert isinstance(raised.value, ContextAssemblyError)
    assert "memories, code, experiences, values, commits" in str(raised.value)


def test_one_source_that_fails_is_named_and_the_rest_goes_on() -> None:
    found = assembled(
        Answers(
            memories=[piece("memory", "m", text(1))],
            code=SourceError("the code is gone"),
            commits=ValueError("broken"),
            values=TimeoutError(),
        )
    )
    assert found.sources_used == {"memory": 1}
    said = {each.where: each.what for each in found.problems}
    assert said["code"] == "failed: the code is gone"
    assert said["commits"] == "failed: ValueError: broken"
    assert "longer than" in said["values"]


@pytest.mark.parametrize(("options", "says"), [({"limit": 0}, "limit"), ({"max_tokens": -1}, "negative")])
def test_wrong_numbers_are_named(options: dict[str, int], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        assembled(Answers(), **options)


def test_an_empty_query_is_wrong_usage(haversack: Haversack) -> None:
    with pytest.raises(UsageError, match="empty"):
        haversack.recall.assemble_context("  ")


# -- premortem ---------------------------------------------------------------------------------------------------------


def test_a_premortem_tells_failures_of_the_domain(haversack: Haversack) -> None:
    found = haversack.recall.get_premortem_context("debugging")
    assert found.markdown.startswith("# Premortem: debugging\n\n## Common Failures\n")
    assert "Fix stale cache 0" in found.markdown
    assert "There was a second cache 0" in found.markdown
    assert "Speed up the session tests" not in found.markdown
    assert found.experiences == 4
    assert found.markdown.endswith("---\n*Based on 4 past experiences*\n")


def test_one_failure_is_told_once(haversack: Haversack) -> None:
    for budget in (300, 600, 1500, 5000):
        found = haversack.recall.get_premortem_context("debugging", "root-cause-analysis", max_tokens=budget)
        ids = [item.metadata["id"] for item in found.items]
        assert len(ids) == len(set(ids))
        assert count(found.markdown) <= budget


def test_a_failure_that_happened_again_is_told_once_and_counted(fresh: Haversack) -> None:
    for number, outcome in enumerate(("falsified", "falsified", "falsified", "confirmed")):
        started = fresh.start_experience(
            domain="security", strategy="read-the-error", goal=f"Rotate the signing key of host {number}",
            hypothesis="A restart is not needed", action="Replace the file", prediction="New tokens carry the new key",
        )  # fmt: skip
        cause = {"surprise": "The key is read at start-up only", "root_cause": "missing-knowledge"}
        ending = cause | {"root_cause_description": "Keys are cached"} if outcome == "falsified" else {}
        fresh.resolve_experience(started.id, outcome=outcome, result="Read the log of the server", **ending)
    found = fresh.recall.get_premortem_context("security", "read-the-error", max_tokens=5000)
    assert found.markdown.count("Replace the file") == 2  # three failures told as one, and the success
    assert "**Experience**: security | read-the-error | 3 times\n" in found.markdown
    assert "*Based on 4 past experiences*" in found.markdown
    (together,) = [item for item in found.items if "experiences" in item.metadata and item.source == "experience"]
    assert len(together.metadata["experiences"]) == 3


def test_what_an_axis_is_about_stands_first() -> None:
    made = experience_of(experience(1))
    for axis, label in (
        ("surprise", "Surprise"),
        ("root_cause", "Root cause"),
        ("strategy", "Action"),
        ("full", "Goal"),
    ):
        assert experience_piece(made, 0.5, axis=axis).body.startswith(f"- **{label}**: ")


def test_the_strategy_is_looked_at_wherever_it_was_tried(haversack: Haversack) -> None:
    found = haversack.recall.get_premortem_context("debugging", "trial-and-error")
    assert found.markdown.startswith("# Premortem: debugging with trial-and-error\n")
    assert "## Strategy Performance" in found.markdown
    assert "**Experience**: testing | trial-and-error" in found.markdown


def test_every_axis_has_its_section() -> None:
    def told(key: str) -> Piece:
        return piece("experience", key, " ".join(key * length for length in range(3, 12)), experience=key)

    answers = Answers(full=[told("f")], strategy=[told("s"), told("f")], surprise=[told("u"), told("s")],
                      root_cause=[told("r")], values=[piece("value", "v", "count the caches")])  # fmt: skip
    found = asyncio.run(ContextAssembler(answers).get_premortem_context("testing", "ask-user"))
    sections = [line[3:] for line in found.markdown.splitlines() if line.startswith("## ")]
    assert sections == [
        "Common Failures", "Strategy Performance", "Unexpected Outcomes", "Root Causes to Watch", "Relevant Principles"
    ]  # fmt: skip
    assert sorted(str(item.metadata["id"]) for item in found.items) == ["f", "r", "s", "u", "v"]


def test_a_failure_just_recorded_is_in_the_premortem(fresh: Haversack) -> None:
    started = fresh.start_experience(
        domain="security", strategy="read-the-error", goal="Rotate the signing key",
        hypothesis="A restart is not needed", action="Replace the file", prediction="New tokens carry the new key",
    )  # fmt: skip
    fresh.resolve_experience(
        started.id, outcome="falsified", result="Old key still used", surprise="The key is read at start-up only",
        root_cause="missing-knowledge", root_cause_description="Keys are cached",
        what_worked="Restarting", takeaway="Restart after a rotation",
    )  # fmt: skip
    found = fresh.recall.get_premortem_context("security")
    assert "Rotate the signing key" in found.markdown
    assert "*Based on 1 past experiences*" in found.markdown


def test_an_unknown_domain_or_strategy_lists_the_known(haversack: Haversack) -> None:
    with pytest.raises(UsageError, match="debugging, refactoring"):
        haversack.recall.get_premortem_context("astrology")
    with pytest.raises(UsageError, match="systematic-elimination"):
        haversack.recall.get_premortem_context("debugging", "luck")


def test_a_domain_without_experiences_is_empty(haversack: Haversack) -> None:
    assert haversack.recall.get_premortem_context("documentation").markdown == ""


def test_memories_of_one_text_are_one_item(fresh: Haversack) -> None:
    fresh.memory.add(Memory("Tabs are four columns wide", created=1.0), merge=False)
    fresh.memory.add(Memory("Tabs are four columns wide", category="preference", created=2.0), merge=False)
    assert len(fresh.recall.assemble_context("tabs columns", ("memories",)).items) == 1


def test_values_stand_in_context_and_premortem_with_what_is_behind_them(fresh: Haversack) -> None:
    subjects = ("the memory leak of the worker", "the flaky login test", "the slow database query")
    for number in range(15):
        subject = subjects[number % 3]
        fresh.memory.put_experience(
            experience(number, goal=f"Fix {subject}", hypothesis=f"Cause of {subject}", action=f"Look at {subject}",
                       prediction=f"No more of {subject}", surprise=f"Another part made {subject}",
                       root_cause={"category": "oversight", "description": f"Nobody looked at {subject}"},
                       lesson={"what_worked": f"Measuring {subject}", "takeaway": f"Measure {subject} first"})
        )  # fmt: skip
    assert fresh.values().values
    found = fresh.recall.assemble_context("measure the flaky login test first", ("values",))
    assert "cluster size: 5):\n" in found.markdown
    assert set(found.items[0].metadata) >= {"id", "axis", "cluster_id", "cluster_size", "similarity_to_centroid"}
    told = fresh.recall.get_premortem_context("debugging", max_tokens=3000)
    assert all(subject in told.markdown for subject in subjects)
    assert "## Relevant Principles" not in told.markdown, "each failure is told with how often: no principle adds to it"
    assert told.experiences == 15


def test_principles_that_add_to_the_failures_follow_however_many_only_retell_them() -> None:
    def piece(source: str, key: str, *behind: str) -> Piece:
        return Piece(source, key, "", key, "", 0.5, {"experiences": list(behind)}, says=key)

    failures = [piece("experience", "a", "a"), piece("experience", "b", "b")]
    retold = [piece("value", f"retold {number}", "a") for number in range(PRINCIPLES)]
    shown = shown_once({"failures": failures, "principles": [*retold, piece("value", "of both", "a", "b")]})
    assert [each.key for each in shown["principles"]] == ["of both"]
    many = shown_once({"failures": failures, "principles": [piece("value", f"new {n}", "c") for n in range(9)]})
    assert len(many["principles"]) == PRINCIPLES


def test_a_message_of_a_commit_ends_where_its_files_begin() -> None:
    text_ = "Fix the till\n\nIt rang twice.\n\nsrc/till.py\n\ndiff --git a/src/till.py b/src/till.py\n+ring()"
    unit = Unit("k1", "commits", "commit", "Fix the till", text_, time=0.0,
                citations=(Citation.of_commit("abcdef123"),),
                meta={"files": ("src/till.py",), "author": "Ann", "insertions": 1})  # fmt: skip
    made = commit_piece(unit, 0.5)
    assert made.content == (
        "**Commit** `abcdef1` by Ann on 1970-01-01T00:00:00Z\nFix the till\n\nIt rang twice.\n*Files: src/till.py*"
    )
    assert (made.metadata["insertions"], made.metadata["deletions"]) == (1, 0)
