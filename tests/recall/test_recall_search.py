"""search_memory: what answers, in which order, how much of it, and whether that is enough."""

from __future__ import annotations

from typing import Any

import pytest

from haversack import Haversack
from haversack.errors import NotFoundError, UsageError
from haversack.memory.nouns import Memory
from haversack.recall.answer import HYPOTHESIS
from haversack.recall.question import question
from haversack.recall.sizes import SEARCH_TOKENS
from haversack.tokens import counter


def first(haversack: Haversack, query: str, **options: Any) -> str:
    return haversack.recall.search_memory(query, **options).results[0].summary


def test_the_memory_that_answers_comes_first(haversack: Haversack) -> None:
    assert "RS256" in first(haversack, "how are sessions signed?")
    assert "PostgreSQL" in first(haversack, "which database does staging run?")


def test_a_turn_is_found_by_the_words_of_the_turn_before(haversack: Haversack) -> None:
    found = haversack.recall.search_memory("Which object did Ben craft?", intent="how_to").results
    assert "blue bowl" in " ".join(each.summary for each in found[:2])


def test_irregular_forms_of_a_word_are_the_word(haversack: Haversack) -> None:
    assert "pottery" in first(haversack, "to which class did Ben take his child?", intent="how_to")


def test_a_day_named_without_a_year_is_found_by_when_it_was_said(haversack: Haversack) -> None:
    answer = haversack.recall.search_memory("what happened on May 8?", intent="how_to")
    assert {each.why.get("day", 0.0) for each in answer.results[:2]} == {1.0}


def test_every_line_keeps_its_size_and_says_where_it_comes_from(haversack: Haversack) -> None:
    answer = haversack.recall.search_memory("sessions, caches and databases")
    assert answer.results
    for each in answer.results:
        assert counter().count(each.text) == each.tokens <= SEARCH_TOKENS
        assert each.cited != (HYPOTHESIS in each.text)
        assert each.id in each.text


def test_long_text_long_paths_and_many_citations_stay_within_the_size(fresh: Haversack) -> None:
    path = "/".join(["a_rather_long_folder_name"] * 12) + "/module.py"
    fresh.memory.add(Memory("gearbox " + "word " * 3000, paths=(path, "other.py")))
    fresh.memory.add(Memory("gearbox 漢字" * 400))
    answer = fresh.recall.search_memory("gearbox")
    assert len(answer.results) == 2
    assert all(each.tokens <= SEARCH_TOKENS for each in answer.results)
    assert "module.py" in answer.text


def test_what_is_cited_only_can_be_asked_for(haversack: Haversack) -> None:
    answer = haversack.recall.search_memory("staging database", requires_citations=True)
    assert not any("PostgreSQL" in each.summary for each in answer.results)


def test_only_the_statement_that_holds_is_served(fresh: Haversack) -> None:
    old = fresh.memory.add(Memory("The API listens on port 8080")).memory
    fresh.memory.supersede(old.id, Memory("The API listens on port 9090"))
    texts = [each.summary for each in fresh.recall.search_memory("which port does the API listen on").results]
    assert any("9090" in text for text in texts)
    assert not any("8080" in text for text in texts)


def test_a_narrow_scope_admits_what_holds_more_widely(fresh: Haversack) -> None:
    fresh.memory.add(Memory("Deploy with the blue script", scope="task", within="T1"))
    fresh.memory.add(Memory("Deploy only on weekdays", scope="org"))
    wide = fresh.recall.search_memory("deploy", scope="project").results
    assert ["weekdays" in each.summary for each in wide] == [True]
    assert len(fresh.recall.search_memory("deploy", scope="task", within="T1").results) == 2
    assert len(fresh.recall.search_memory("deploy", scope="task", within="T2").results) == 1


def test_an_experience_stands_once_whatever_axes_answer(haversack: Haversack) -> None:
    ids = [each.id for each in haversack.recall.search_memory("two caches eviction timer").results]
    assert len(ids) == len(set(ids))
    assert sum(name.startswith("ghap_") for name in ids) >= 4


# -- intents -----------------------------------------------------------------------------------------------------------


def test_environment_prefers_the_newest(haversack: Haversack) -> None:
    assert "16" in first(haversack, "staging database PostgreSQL", intent="environment")


def test_what_happened_is_told_in_the_order_of_time(haversack: Haversack) -> None:
    found = haversack.recall.search_memory("what did Ben say about class and tomatoes", intent="what_happened").results
    times = [each.time for each in found if each.time is not None]
    assert times == sorted(times)
    assert len(times) > 1


def test_known_issues_prefer_what_speaks_of_the_file(haversack: Haversack) -> None:
    assert "KeyError" in first(haversack, "problems in shop/session.py", intent="gotchas")


def test_how_to_prefers_what_is_surer(fresh: Haversack) -> None:
    fresh.memory.add(Memory("Bundle assets with rollup for builds", importance=0.1), merge=False)
    fresh.memory.add(Memory("Bundle assets with esbuild for builds", importance=1.0), merge=False)
    assert "esbuild" in first(fresh, "how to bundle assets", intent="how_to_do")


def test_code_structure_prefers_a_name(haversack: Haversack) -> None:
    assert "refresh_session" in first(haversack, "refresh_session", intent="code_structure")


# -- depth and sufficiency ---------------------------------------------------------------------------------------------


def test_metadata_says_how_the_search_was_done(haversack: Haversack) -> None:
    facts = haversack.recall.search_memory("RS256?").metadata
    assert (facts.strategy, facts.k) == ("simple", 10 + int(30 * facts.complexity))
    assert set(facts.factors) == {"length", "entities", "temporal", "multi_hop", "scope"}
    assert facts.estimated_tokens == facts.result_count * 100


@pytest.mark.parametrize(
    ("simple", "complex_"),
    [
        ("JWT란?", "이 프로젝트의 인증 시스템 전체 아키텍처와 최근 3개월간 변경 이력"),
        ("什么是JWT?", "这个项目的认证系统整体架构以及最近三个月的变更历史和原因"),
        ("JWTとは?", "このプロジェクトの認証システム全体のアーキテクチャと過去3ヶ月の変更履歴および理由"),
        ("What is a JWT?", "the whole architecture of the authentication system and its changes in the last 3 months"),
    ],
)
def test_complexity_is_measured_in_any_script(simple: str, complex_: str) -> None:
    easy, hard = question(simple).task, question(complex_).task
    assert easy.complexity <= 0.2
    assert hard.complexity >= 0.6
    assert easy.k < hard.k


def test_a_complete_answer_names_what_covers_it(haversack: Haversack) -> None:
    answer = haversack.recall.search_memory("RS256 sessions")
    assert answer.certificate.completeness == 1.0
    assert answer.certificate.minimal == (answer.results[0].id,)
    assert not answer.suggestion
    assert not answer.metadata.widened


def test_what_does_not_suffice_is_widened_and_says_how_to_go_on(haversack: Haversack) -> None:
    answer = haversack.recall.search_memory("sessions zeppelin quasar xylophone")
    assert answer.metadata.widened
    assert (answer.metadata.alpha, answer.metadata.beta) == (0.5, 0.5)
    assert answer.certificate.completeness is not None
    assert answer.certificate.completeness < 0.6
    assert {gap.cause for gap in answer.certificate.gaps} == {"nothing found"}
    assert answer.results[0].id in answer.suggestion
    assert "zeppelin" in answer.suggestion


def test_a_question_nothing_answers_suggests_to_ask(haversack: Haversack) -> None:
    answer = haversack.recall.search_memory("zeppelin")
    assert not answer.results
    assert answer.suggestion == 'Nothing remembered answers this: ask the user about "zeppelin".'


def test_the_certificate_reads_korean(haversack: Haversack) -> None:
    answer = haversack.recall.search_memory("인증 토큰 갱신")
    assert "만료" in answer.results[0].summary
    assert answer.certificate.completeness == 1.0


def test_what_a_budget_cuts_is_a_gap_with_that_cause(haversack: Haversack) -> None:
    whole = haversack.recall.search_memory("PostgreSQL RS256")
    assert whole.certificate.completeness == 1.0
    cut = haversack.recall.search_memory("PostgreSQL RS256", limit=1)
    assert len(cut.results) == 1
    assert [gap.cause for gap in cut.certificate.gaps] == ["cut by budget"]
    few = haversack.recall.search_memory("PostgreSQL RS256", max_tokens=25)
    assert [gap.cause for gap in few.certificate.gaps] == ["cut by budget"]


def test_what_is_hardly_relevant_is_a_gap_with_that_cause(fresh: Haversack) -> None:
    fresh.remember("The zeppelin is old. " + " ".join(f"Hangar {number} is empty." for number in range(60)))
    for number in range(30):
        fresh.remember(f"Payments of customer {number} are settled by the night batch {number}")
    query = "zeppelin payments customer settled night batch invoices refunds ledger totals currency"
    causes = {gap.text: gap.cause for gap in fresh.recall.search_memory(query).certificate.gaps}
    assert causes["invoices"] == "nothing found"
    assert causes.get("zeppelin", "below threshold") == "below threshold"


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("认证令牌在过期前六十秒刷新", "认证令牌 刷新"),
        ("認証トークンは期限の60秒前に更新する", "認証トークンの更新"),
        ("Токен обновляется за минуту до конца", "обновляется токен?"),
        ("يتم تجديد الرمز قبل دقيقة", "تجديد الرمز"),
    ],
)
def test_the_certificate_reads_any_script(fresh: Haversack, said: str, asked: str) -> None:
    fresh.remember(said)
    answer = fresh.recall.search_memory(asked)
    assert said in answer.results[0].summary
    assert answer.certificate.completeness == 1.0
    assert answer.certificate.minimal == (answer.results[0].id,)


@pytest.mark.parametrize("spelling", ["known_issues", "Gotchas", "known-issues"])
def test_an_intent_may_be_spelled_otherwise(haversack: Haversack, spelling: str) -> None:
    assert haversack.recall.search_memory("sessions", intent=spelling).intent == "known_issues"


def test_tokens_allowed_are_not_exceeded(haversack: Haversack) -> None:
    answer = haversack.recall.search_memory("sessions caches database", max_tokens=60)
    assert counter().count(answer.text) <= 60
    assert haversack.recall.search_memory("sessions", max_tokens=0).results == ()


def test_a_complex_question_walks_to_what_shares_files(haversack: Haversack) -> None:
    query = (
        "why does the whole RS256 architecture of our API and CI and all JWT tooling depend on changes since last month"
    )
    answer = haversack.recall.search_memory(query)
    assert answer.metadata.strategy == "complex"
    assert any("linked" in each.why for each in answer.results)


# -- bad input ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["", "  \n\t"])
def test_an_empty_query_is_wrong_usage(haversack: Haversack, query: str) -> None:
    with pytest.raises(UsageError, match="empty"):
        haversack.recall.search_memory(query)


def test_a_query_of_100000_characters_is_answered(haversack: Haversack) -> None:
    answer = haversack.recall.search_memory("How are sessions signed? " + "lorem ipsum dolor " * 5_600)
    assert any("RS256" in each.summary for each in answer.results)


def test_control_characters_are_shown_as_escapes(fresh: Haversack) -> None:
    fresh.memory.add(Memory("the bell \x07 rings \x1b[31m red \u202e"))
    (found,) = fresh.recall.search_memory("bell \x07\x1b[31m").results
    assert found.text.isprintable()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"intent": "guess"}, "unknown intent"),
        ({"limit": 0}, "limit"),
        ({"limit": 100_000}, "limit"),
        ({"alpha": 2.0}, "alpha"),
        ({"beta": -1.0}, "beta"),
        ({"max_tokens": -5}, "negative"),
        ({"scope": "galaxy"}, "unknown scope"),
        ({"sources": ("dreams",)}, "unknown source"),
    ],
)
def test_wrong_options_are_named(haversack: Haversack, options: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        haversack.recall.search_memory("session", **options)


def test_an_empty_memory_answers_with_nothing(fresh: Haversack) -> None:
    answer = fresh.recall.search_memory("anything at all")
    assert answer.results == ()
    assert answer.as_json()["results"] == []


def test_the_same_question_gets_the_same_bytes(haversack: Haversack) -> None:
    one, two = (haversack.recall.search_memory("sessions and caches").as_json() for _ in range(2))
    assert one == two


def test_an_id_that_does_not_exist_is_not_found(haversack: Haversack) -> None:
    with pytest.raises(NotFoundError, match="nosuch"):
        haversack.recall.get_details("nosuch")
