"""Memories, a conversation and experiences in a small real project, remembered once for all tests that only ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import sample

from haversack import Haversack
from haversack.memory.nouns import Memory
from haversack.model import Citation

DAY = 86_400.0
MAY_8 = 1_683_540_000.0  # 2023-05-08, 10:00

TALK = (
    ("Ann", "Hey Ben! What did you do at the weekend?"),
    ("Ben", "I went to the pottery class with my children, it was lovely."),
    ("Ann", "That sounds great! Which object did you craft?"),
    ("Ben", "A blue bowl. We will fire it next month."),
)
LATER = (("Ann", "How is the garden?"), ("Ben", "The tomatoes are ripe, I picked them yesterday."))


def talk(turns: tuple[tuple[str, str], ...], session: str, when: float) -> list[Memory]:
    return [
        Memory(text=text, category="event", speaker=who, session=session, created=when + number)
        for number, (who, text) in enumerate(turns)
    ]


def experience(number: int, **more: object) -> dict[str, object]:
    """A journal entry: a falsified one about caches unless told otherwise."""
    return {
        "id": f"ghap_20260101_{number:06d}_abcdef",
        "session_id": "s1",
        "created_at": f"2026-01-{number % 27 + 1:02d}T10:00:00+00:00",
        "domain": "debugging",
        "strategy": "root-cause-analysis",
        "goal": f"Fix stale cache {number}",
        "hypothesis": f"The eviction timer never fires {number}",
        "action": f"Log the timer {number}",
        "prediction": f"The log stays empty {number}",
        "history": [],
        "iteration_count": 1,
        "notes": [],
        "outcome": {
            "status": "falsified",
            "result": f"The timer fired {number}",
            "captured_at": "2026-01-28T10:00:00+00:00",
            "auto_captured": False,
        },
        "surprise": f"Two caches held the entry {number}",
        "root_cause": {"category": "wrong-assumption", "description": f"There was a second cache {number}"},
        "lesson": {"what_worked": f"Dumping both caches {number}", "takeaway": "Count the caches first"},
        "confidence_tier": "silver",
        **more,
    }


def confirmed(number: int, **more: object) -> dict[str, object]:
    ended = {"status": "confirmed", "result": "Passed", "captured_at": "2026-01-28T10:00:00+00:00"}
    return experience(number, outcome=ended, surprise=None, root_cause=None, **more)


MEMORIES = (
    Memory("Sessions are signed with RS256", "decision", importance=0.9, paths=("shop/session.py",), created=1.70e9),
    Memory("Refresh a session by calling refresh_session before it expires", "workflow", symbols=("refresh_session",),
           paths=("shop/session.py",), created=1.70e9 + 10),
    Memory("refresh_session raises KeyError for anonymous users. Fix: check session.user first", "error",
           paths=("shop/session.py",), tags=("anonymous",), created=1.70e9 + 20),
    Memory("The staging database runs PostgreSQL 14", "context", created=1.60e9),
    Memory("The staging database is PostgreSQL, upgraded to 16", "context", created=1.75e9),
    Memory("Prefer small commits", "preference", citations=(Citation.of_commit("abc123"),), created=1.70e9 + 30),
    Memory("인증 토큰은 만료 60초 전에 갱신한다", "decision", created=1.70e9 + 40),
)  # fmt: skip


@pytest.fixture(scope="module")
def haversack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Haversack]:
    """Open, filled and indexed. Tests that change it use `fresh`."""
    folder = tmp_path_factory.mktemp("recall")
    with Haversack(sample.make(folder / "shop"), data_dir=folder / "data") as opened:
        fill(opened)
        yield opened


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Haversack]:
    """A project of the test's own, nothing remembered."""
    with Haversack(sample.make(tmp_path / "shop"), data_dir=tmp_path / "data") as opened:
        yield opened


def fill(opened: Haversack) -> None:
    said = [*talk(TALK, "talk-1", MAY_8), *talk(LATER, "talk-2", MAY_8 + 60 * DAY)]
    opened.memory.add_many([*MEMORIES, *said], merge=False)
    for number in range(4):
        opened.memory.put_experience(experience(number))
    opened.memory.put_experience(experience(7, domain="testing", strategy="trial-and-error", surprise=None))
    opened.memory.put_experience(confirmed(8, goal="Speed up the session tests", confidence_tier="gold"))
    opened.index()
