"""What items did for reported outcomes: measured against comparable packets, shrunk while data are few, and visible."""

from __future__ import annotations

import pytest

from haversack import Haversack
from haversack.errors import NotFoundError, UsageError
from haversack.memory.nouns import Memory, Reward
from haversack.recall.uplift import effects


def rewards(*rows: tuple[str, float, str], used: str = "") -> list[Reward]:
    return [
        Reward(f"p{n}", value, tuple(items.split()), tuple(used.split()), task)
        for n, (items, value, task) in enumerate(rows)
    ]


def test_an_item_that_packets_did_better_with_has_uplift() -> None:
    found = effects(rewards(*[("good", 1.0, "fix login")] * 5, *[("bad", 0.0, "fix login")] * 5))
    assert found["good"].difference == 1.0
    assert found["bad"].difference == -1.0
    assert found["good"].uplift == 0.5  # five on each side count half
    assert (found["good"].carried, found["good"].compared) == (5, 5)


def test_few_data_are_shrunk_towards_zero() -> None:
    few = effects(rewards(("a", 1.0, "fix login"), ("b", 0.0, "fix login")))
    many = effects(rewards(*[("a", 1.0, "fix login")] * 40, *[("b", 0.0, "fix login")] * 40))
    assert 0 < few["a"].uplift < 0.2 < 0.8 < many["a"].uplift < 1.0


def test_only_comparable_packets_are_compared() -> None:
    assert effects(rewards(("a", 1.0, "fix login redirect"), ("b", 0.0, "paint the logo blue"))) == {}


def test_an_item_in_every_packet_says_nothing() -> None:
    assert effects(rewards(("a", 1.0, "fix login"), ("a", 0.0, "fix login"))) == {}
    assert effects(rewards(("a", 1.0, "fix login"))) == {}
    assert effects([]) == {}


def test_what_was_carried_and_not_used_is_neither_for_nor_against() -> None:
    rows = [
        Reward("p1", 1.0, ("a", "b"), ("a",), "fix login"),
        Reward("p2", 0.0, ("c",), ("c",), "fix login"),
    ]
    found = effects(rows)
    assert found["a"].uplift > 0
    assert "b" not in found


def test_tasks_without_words_are_alike() -> None:
    assert effects(rewards(("a", 1.0, ""), ("b", 0.0, "?")))["a"].uplift > 0


def test_what_helped_ranks_higher_and_says_so(fresh: Haversack) -> None:
    one = fresh.memory.add(Memory("Cache keys need the tenant id"), merge=False).memory.id
    two = fresh.memory.add(Memory("Cache keys need the region id"), merge=False).memory.id
    before = {each.id: each.score for each in fresh.recall.search_memory("cache keys").results}
    for number in range(8):
        task = f"cache keys wrong {number}"
        fresh.memory.add_reward(Reward(f"w{number}", 1.0, (one,), (one,), task))
        fresh.memory.add_reward(Reward(f"l{number}", 0.0, (two,), (two,), task))
    after = {each.id: each for each in fresh.recall.search_memory("cache keys").results}
    assert after[one].uplift > 0.4
    assert after[one].score > before[one]
    assert after[two].score < before[two]
    plain = {each.id: each.score for each in fresh.recall.search_memory("cache keys", beta=0.0).results}
    assert plain == pytest.approx(before)


def test_a_packet_shows_the_effect_in_its_receipt(fresh: Haversack) -> None:
    task = "refresh_session must renew an expired session"
    packet = fresh.pack(task)
    (item,) = [item for _, item in packet.receipt.items() if item.path == "shop/session.py"]
    for number in range(6):
        fresh.memory.add_reward(Reward(f"w{number}", 1.0, (item.id,), (), task))
        fresh.memory.add_reward(Reward(f"l{number}", 0.0, ("other",), (), task))
    again = next(each for _, each in fresh.pack(task).receipt.items() if each.id == item.id)
    assert again.factors["uplift"] == pytest.approx(0.2 * 6 / 11, abs=1e-3)
    assert "uplift" not in item.factors


def test_outcomes_are_reported_for_packets_answers_and_contexts(fresh: Haversack) -> None:
    name = fresh.memory.add(Memory("Sessions expire after a day")).memory.id
    packet = fresh.pack("sessions expire")
    answer = fresh.recall.search_memory("sessions expire")
    context = fresh.recall.assemble_context("sessions expire", ("memories",))
    for given in (packet, packet.packet_id, "last"):
        kept = fresh.recall.report_outcome(given, 1, ["shop/session.py"])
        assert kept.packet == packet.packet_id
        assert kept.used
        assert set(kept.used) <= set(kept.carried)
    for given in (answer, answer.packet, context, context.packet):
        assert fresh.recall.report_outcome(given, 0.5, [name]).used == (name,)
    assert len(fresh.memory.rewards()) == 7


def test_wrong_reports_are_named(fresh: Haversack) -> None:
    fresh.memory.add(Memory("Sessions expire after a day"))
    answer = fresh.recall.search_memory("sessions expire")
    for reward in (-0.1, 1.1, float("nan"), True):
        with pytest.raises(UsageError, match="from 0 to 1"):
            fresh.recall.report_outcome(answer, reward)
    with pytest.raises(UsageError, match="did not carry 'nosuch'"):
        fresh.recall.report_outcome(answer, 1.0, ["nosuch"])
    with pytest.raises(NotFoundError):
        fresh.recall.report_outcome("nosuch", 1.0)
