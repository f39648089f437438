"""Experiences from their start to their end, in the form of a CLAMS journal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from remembered import entry, opened

from haversack.errors import NotFoundError, UsageError
from haversack.memory.axes import axis_texts
from haversack.memory.experiences import resolve, start, update
from haversack.memory.lines import experience_of
from haversack.memory.store import MemoryStore

STORY = {
    "domain": "debugging",
    "strategy": "read_the_error",
    "goal": "Stop the crash",
    "hypothesis": "The queue is closed",
    "action": "Keep it open",
    "prediction": "No crash",
}
FIELDS = [
    "id", "session_id", "created_at", "domain", "strategy", "goal", "hypothesis", "action", "prediction", "history",
    "iteration_count", "notes", "outcome", "surprise", "root_cause", "lesson", "confidence_tier",
]  # fmt: skip


def test_from_start_to_end_it_has_exactly_the_fields_of_a_journal(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        begun = start(store, **STORY, clock=lambda: 1_767_268_800.5)
        assert re.fullmatch(r"ghap_20260101_120000_[0-9a-f]{6}", begun.id)
        assert (begun.status, begun.strategy, begun.weight) == ("active", "read-the-error", 0.5)
        revised = update(store, hypothesis="The driver crashes", note="looked at the frames")
        assert revised.iteration_count == 2
        assert revised.history[0].hypothesis == "The queue is closed"
        done = resolve(
            store,
            status="falsified",
            result="It still crashes",
            surprise="It was the clock",
            root_cause="timing_issue",
            root_cause_description="skew",
            takeaway="Check the clock",
        )
        assert list(done.record) == FIELDS
        assert store.experience(begun.id) == done
        assert (done.confidence_tier, done.weight, done.notes) == ("silver", 0.8, ("looked at the frames",))


@pytest.mark.parametrize(
    ("ending", "tier"),
    [
        ({"status": "confirmed", "result": "ok", "auto_captured": True}, "gold"),
        ({"status": "confirmed", "result": "ok"}, "silver"),
        ({"status": "confirmed"}, "bronze"),
        ({"status": "abandoned", "result": "no time"}, "abandoned"),
        ({"status": "confirmed", "tier": "gold"}, "gold"),
    ],
)
def test_confidence_follows_from_how_the_outcome_was_seen(tmp_path: Path, ending: dict[str, Any], tier: str) -> None:
    with opened(tmp_path) as store:
        start(store, **STORY, session="mine")
        assert resolve(store, **ending).confidence_tier == tier


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"domain": "cooking"}, "known: debugging, refactoring, feature"),
        ({"strategy": "guess"}, "known: systematic-elimination"),
        ({"goal": " ", "action": ""}, "needs a goal, a action"),
    ],
)
def test_unknown_words_and_empty_ones_are_refused(tmp_path: Path, changes: dict[str, str], words: str) -> None:
    with opened(tmp_path) as store:
        with pytest.raises(UsageError) as error:
            start(store, **STORY | changes)
        assert words in str(error.value)


def test_mistakes_on_the_way_are_named(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        with pytest.raises(NotFoundError, match="no experience is under way"):
            update(store, note="hello")
        begun = start(store, **STORY)
        with pytest.raises(UsageError, match="nothing to update"):
            update(store, hypothesis=" ")
        with pytest.raises(UsageError, match="unknown outcome"):
            resolve(store, status="maybe")
        with pytest.raises(UsageError, match="needs its category"):
            resolve(store, status="falsified", root_cause_description="because")
        assert update(store, begun.id, strategy="ask-user").strategy == "ask-user"
        resolve(store, begun.id, status="confirmed", result="yes")
        with pytest.raises(UsageError, match="confirmed already"):
            resolve(store, begun.id, status="falsified")


def test_each_axis_has_its_own_text() -> None:
    texts = dict(axis_texts(experience_of(entry())))
    assert list(texts) == ["full", "strategy", "surprise", "root_cause"]
    assert texts["full"].startswith("Goal: Stop the worker from crashing\nHypothesis: The queue is closed too early")
    assert "Takeaway: Look at the lowest frame first" in texts["full"]
    assert texts["root_cause"] == "wrong-assumption: The queue was never closed"
    good = entry(outcome={"status": "confirmed", "result": ""}, root_cause=None, lesson=None)
    assert list(dict(axis_texts(experience_of(good)))) == ["full", "strategy"]
    assert list(dict(axis_texts(experience_of({k: v for k, v in good.items() if k != "outcome"})))) == [
        "full",
        "strategy",
    ]


def test_lists_are_filtered(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        fill(store)
        assert len(store.experiences(domain="testing")) == 1
        assert len(store.experiences(status="falsified", strategy="read-the-error")) == 2
        assert [each.number for each in store.experiences(limit=1)] == [3]
        assert [each.number for each in store.experiences_numbered([3, 1])] == [1, 3]
        gone = store.forget_experience(str(entry(1)["id"]))
        assert gone.number == 1
        assert len(store.experiences()) == 2


def fill(store: MemoryStore) -> None:
    for number, domain in enumerate(("debugging", "testing", "debugging"), 1):
        outcome = {"status": "confirmed" if number == 2 else "falsified", "result": "r"}
        store.put_experience(entry(number, domain=domain, outcome=outcome))
