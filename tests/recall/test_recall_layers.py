"""The second and third layer: what happened around a record, and the whole of it."""

from __future__ import annotations

import pytest

from haversack import Haversack
from haversack.errors import NotFoundError, UsageError
from haversack.memory.nouns import Memory
from haversack.recall.answer import iso
from haversack.recall.sizes import DETAIL_TOKENS, TIMELINE_TOKENS, clip
from haversack.tokens import counter

DAY = 86_400.0


def id_of(haversack: Haversack, query: str) -> str:
    return haversack.recall.search_memory(query, intent="how_to").results[0].id


def test_a_timeline_is_told_in_order_and_says_how_each_relates(haversack: Haversack) -> None:
    bowl = id_of(haversack, "a blue bowl")
    moments = haversack.recall.get_timeline(bowl)
    assert [each.timestamp for each in moments] == sorted(each.timestamp for each in moments)
    assert {each.relation for each in moments} == {"same_task"}
    assert len(moments) == 4
    assert all(each.tokens <= TIMELINE_TOKENS for each in moments)


def test_what_is_not_of_the_session_stands_before_or_after(fresh: Haversack) -> None:
    ids = [
        fresh.memory.add(Memory(f"note {word}", created=1.7e9 + step * DAY), merge=False).memory.id
        for word, step in (("alpha", 0), ("beta", 2), ("gamma", 4), ("omega", 40))
    ]
    moments = fresh.recall.get_timeline(ids[1], window=7)
    assert [(each.id, each.relation) for each in moments] == [
        (ids[0], "before"), (ids[1], "same_task"), (ids[2], "after")
    ]  # fmt: skip
    assert len(fresh.recall.get_timeline(ids[1], window=60)) == 4
    assert len(fresh.recall.get_timeline(ids[1], window=60, limit=2)) == 2


def test_the_reward_of_an_experience_is_how_it_ended(haversack: Haversack) -> None:
    moments = haversack.recall.get_timeline("ghap_20260101_000000_abcdef", 60)
    rewards = {each.id: each.reward for each in moments}
    assert rewards["ghap_20260101_000000_abcdef"] == 0.0
    assert rewards["ghap_20260101_000008_abcdef"] == 1.0


def test_details_are_the_whole_record(haversack: Haversack) -> None:
    found = haversack.recall.get_details("ghap_20260101_000001_abcdef")
    assert "Two caches held the entry 1" in found.full_content
    assert "Count the caches first" in found.full_content
    assert found.metadata["domain"] == "debugging"
    assert not found.truncated
    assert found.citations


def test_a_beginning_of_an_id_is_enough(haversack: Haversack) -> None:
    name = id_of(haversack, "sessions signed RS256")
    assert haversack.recall.get_details(name[:8]).id == name


def test_details_name_neighbours_and_what_shares_files(haversack: Haversack) -> None:
    bowl = haversack.recall.get_details(id_of(haversack, "a blue bowl"))
    assert len(bowl.related) == 2
    signed = haversack.recall.get_details(id_of(haversack, "sessions signed RS256"))
    assert id_of(haversack, "refresh_session KeyError anonymous") in signed.related


def test_what_was_superseded_is_on_record_with_its_successor(fresh: Haversack) -> None:
    old = fresh.memory.add(Memory("The API listens on port 8080")).memory
    new = fresh.memory.supersede(old.id, Memory("The API listens on port 9090")).memory
    found = fresh.recall.get_details(old.id)
    assert (found.metadata["status"], found.related) == ("superseded", (new.id,))


def test_long_records_are_cut_and_say_so(fresh: Haversack) -> None:
    name = fresh.memory.add(Memory("long " * 5_000)).memory.id
    found = fresh.recall.get_details(name)
    assert found.truncated
    assert found.tokens <= DETAIL_TOKENS
    assert found.text.count("[HYPOTHESIS]") == 1


def test_what_was_reported_is_the_reward_of_a_memory(fresh: Haversack) -> None:
    name = fresh.memory.add(Memory("gear ratio is four")).memory.id
    answer = fresh.recall.search_memory("gear ratio")
    fresh.recall.report_outcome(answer, 0.8, [name])
    assert fresh.recall.get_timeline(name)[0].reward == 0.8


@pytest.mark.parametrize("window", [0, -1, 1e9])
def test_a_window_is_a_number_of_days(haversack: Haversack, window: float) -> None:
    with pytest.raises(UsageError, match="window"):
        haversack.recall.get_timeline(id_of(haversack, "RS256"), window)


def test_wrong_ids_and_limits_are_named(haversack: Haversack) -> None:
    with pytest.raises(UsageError, match="no id"):
        haversack.recall.get_timeline(" ")
    with pytest.raises(NotFoundError, match="nothing remembered"):
        haversack.recall.get_timeline("m000000000000")
    with pytest.raises(UsageError, match="limit"):
        haversack.recall.get_timeline(id_of(haversack, "RS256"), limit=0)


def test_cutting_never_exceeds_the_limit() -> None:
    count = counter().count
    for text in ("word " * 300, "漢字" * 300, "a" * 5_000, "x\n" * 500, "é" * 999):
        for limit in (0, 1, 2, 7, 50):
            assert count(clip(text, limit, count)) <= limit
    assert clip("short", 10, count) == "short"


def test_a_time_out_of_range_is_no_time() -> None:
    assert iso(None) == iso(1e30) == ""
    assert iso(0.0) == "1970-01-01T00:00:00Z"
