"""The type of a task decides which sources are asked and how much they count; the receipt says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from haversack.api import Haversack
from haversack.assemble.priorities import FACTOR, weighed, with_priority
from haversack.model import Scored, Unit
from haversack.pack.presets import ENRICHMENT
from haversack.retrieve.task.priorities import asked_sources, asks, priority, share_of
from haversack.retrieve.task.types import ORDER
from haversack.retrieve.understand import understand

FILES = {
    "src/login.py": "def sign_in(name):\n    return open_session(name)\n",
    "docs/login.md": "# Login\n\nHow people sign in and how sessions open.\n",
    "research/sessions.md": "# Sessions\n\n## Conclusion\n\n- Sessions that sign in twice stay open\n",
    "Dockerfile": "FROM python:3.12\nCMD run sign_in session\n",
    "server.log": "2026-03-01T10:00:00Z ERROR sign_in failed: session lost\n" * 3,
}


@pytest.fixture(scope="module")
def haversack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Haversack]:
    folder = tmp_path_factory.mktemp("priorities")
    for name, text in FILES.items():
        path = folder / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with Haversack(folder / "project", data_dir=folder / "data") as opened:
        yield opened


def sources_of(haversack: Haversack, task: str, **options: object) -> set[str]:
    packet = haversack.pack(task, fill=True, **options)
    return {item.source for _, item in packet.receipt.items()}


@pytest.mark.parametrize(
    ("kind", "high", "low"),
    [
        ("bug", {"logs", "code"}, {"docs", "knowledge", "research"}),
        ("feature", {"docs", "conversation", "code"}, {"deployment", "logs"}),
        ("infrastructure", {"deployment", "logs", "environments"}, {"conversation", "research"}),
        ("research", {"research", "docs"}, {"deployment", "logs"}),
    ],
)
def test_the_seeds_rows(kind: str, high: set[str], low: set[str]) -> None:
    assert {priority(kind, source) for source in high} == {"high"}
    assert {priority(kind, source) for source in low} == {"low"}


def test_every_type_has_a_row_and_what_the_seed_does_not_know_has_no_priority() -> None:
    assert all(priority(kind, "code") for kind in ORDER)
    assert priority("general", "code") is None
    assert share_of("bug", "commits") == share_of("general", "logs") == 1.0
    assert share_of("bug", "code") > share_of("bug", "conversation") > share_of("bug", "docs")


def test_a_low_source_counts_for_less_unless_the_task_names_it() -> None:
    unit = Unit("u", "docs", "section", "t", "text")
    low = with_priority(Scored(unit, 0.8, {}), "bug")
    assert low.score < 0.8
    assert low.factors[FACTOR] == share_of("bug", "docs")
    assert with_priority(Scored(unit, 0.8, {}, explicit=True), "bug").score == 0.8
    weights = {section.name: section.weight for section in weighed(ENRICHMENT.sections, "bug", {}, {})}
    usual = {section.name: section.weight for section in ENRICHMENT.sections}
    assert weights["logs"] > usual["logs"]
    assert weights["research"] < usual["research"]


@pytest.mark.parametrize(
    ("text", "logs", "deployment"),
    [
        ("fix the crash when people sign in", True, True),
        ("add a second way to sign in", False, False),
        ("deploy the service to staging", True, True),
        ("write a guide about login", False, False),
        ("add what docker compose needs for the second service", True, True),
        ("look at the logs of last night", True, False),
        ("ValueError: session lost", True, True),
    ],
)
def test_logs_and_deployment_are_asked_when_the_task_calls_for_them(text: str, logs: bool, deployment: bool) -> None:
    task = understand(text)
    assert (asks(task, "logs"), asks(task, "ci")) == (logs, deployment), task.type
    assert asks(task, "code")
    assert asks(task, "logs", {"logs"})
    assert asks(task, "environments", {"deployment"})


def test_a_packet_queries_what_the_type_asks_and_says_why(haversack: Haversack) -> None:
    feature = haversack.pack("add a second way to sign in", fill=True)
    assert feature.receipt.task_type == "feature"
    assert "add" in feature.receipt.task_type_words
    assert not {"logs", "deployment"} & set(feature.receipt.sources_queried)
    assert not {"logs", "deployment"} & sources_of(haversack, "add a second way to sign in")
    broken = haversack.pack("fix the crash when people sign in and lose the session", fill=True)
    assert {"logs", "deployment"} <= set(broken.receipt.sources_queried)
    assert "logs" in sources_of(haversack, "fix the crash when people sign in and lose the session")


def test_a_type_a_source_or_a_file_can_be_asked_for(haversack: Haversack) -> None:
    text = "add a second way to sign in"
    assert "logs" in sources_of(haversack, text, type="bug")
    assert haversack.pack(text, type="bug").receipt.task_type_words == ("asked for",)
    assert "logs" in sources_of(haversack, text, ask=["logs"])
    assert "deployment" in sources_of(haversack, "add a second command to the file named Dockerfile, sign_in")
    assert asked_sources(understand(text), ("code", "logs", "docs")) == ("code", "docs")
