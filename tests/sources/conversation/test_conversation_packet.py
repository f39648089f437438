"""Conversations in packets: the newest word for word, older ones when they matter, what was settled and still holds."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import sample
from tests.sources.conversation.talk import claude
from tests.sources.conversation.test_conversation_formats import opencode

from haversack import Haversack
from haversack.model import Level, Status
from haversack.sources.conversation.formats.claude import slug

TASK = "The token expiry in refresh_session is wrong: sessions end too late"
KEY = "AKIAQWERTYUIOPASDFGH"


def remark(number: int) -> str:
    """A message like no other."""
    made = random.Random(number)
    words = ("".join(made.choices("abcdefghijklmnop", k=7)) for _ in range(8 + number))
    return f"Remark {number} on colours: {' '.join(words)}."


SAID: list[tuple[str, object]] = [
    ("user", "use 24h token expiry"),
    ("assistant", "I set SESSION_HOURS to 24 in shop/session.py. The tests pass."),
    ("user", "Please always run ruff before committing."),
    ("user", "Change the token expiry to 12 hours, it was too long for the auditors."),
    ("assistant", f"Done: refresh_session renews a session after 12 hours. The key {KEY} was in the log."),
    *(("user" if at % 2 else "assistant", remark(at)) for at in range(20)),
    ("user", TASK),
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = sample.make(tmp_path / "shop")
    path = tmp_path / "home" / ".claude" / "projects" / slug(str(root)) / "s.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(claude(root, SAID))
    return root


def opened(project: Path, **more: object) -> Haversack:
    flags = {"sources.conversation.home": str(project.parent / "home"), **more}
    return Haversack(project, data_dir=project.parent / "data", flags=flags)


@pytest.fixture
def haversack(project: Path) -> Iterator[Haversack]:
    with opened(project) as found:
        yield found


def test_what_was_settled_is_there_and_what_it_replaced_is_not(haversack: Haversack) -> None:
    packet = haversack.pack(TASK, budget=6000, preset="enrichment")
    text = packet.text.partition("## Left out")[0]
    assert "## Conversation" in text
    assert "user: Change the token expiry to 12 hours, it was too long for the auditors." in text
    assert "use 24h token expiry" not in text
    assert "Please always run ruff before committing." in text
    decision = next(item for item in packet.items if item.kind == "decision")
    assert decision.level is Level.FULL


@pytest.mark.parametrize("budget", [600, 900])
def test_a_decision_on_the_topic_of_the_task_is_there_even_in_a_small_packet(haversack: Haversack, budget: int) -> None:
    packet = haversack.pack("Work on the token expiry of sessions", budget=budget)
    (item,) = [item for item in packet.items if item.kind == "decision"]
    assert item.level is Level.FULL
    assert item.title.startswith("Change the token expiry to 12 hours")


def test_the_newest_messages_are_word_for_word_and_the_task_is_not_repeated(haversack: Haversack) -> None:
    packet = haversack.pack(TASK, budget=20_000, preset="enrichment")
    shown = {item.title: item for item in packet.items if item.kind == "message"}
    for at in range(11, 20):
        title = next(title for title in shown if title.startswith(f"Remark {at} "))
        assert shown[title].level is Level.FULL
        assert remark(at) in packet.text
    assert TASK not in shown


@pytest.mark.parametrize("recent", [0, 3])
def test_how_many_are_kept_is_a_setting(project: Path, recent: int) -> None:
    with opened(project, **{"sources.conversation.recent_messages_verbatim": recent}) as haversack:
        packet = haversack.pack("Write release notes for the shop", budget=20_000, preset="enrichment")
    titles = [item.title for item in packet.items if item.kind == "message" and item.level is Level.FULL]
    assert sum(title.startswith("Remark") for title in titles) == max(0, recent - 1)


def test_older_messages_are_shortened_unless_told_otherwise(project: Path) -> None:
    task = "What did the assistant say on colours green and blue in remark 4"
    for shorten in (True, False):
        with opened(project, **{
            "sources.conversation.recent_messages_verbatim": 1, "sources.conversation.compress_older": shorten,
        }) as haversack:  # fmt: skip
            levels = {
                item.level
                for item in haversack.pack(task, budget=900, preset="enrichment").items
                if item.kind == "message"
            }
        assert shorten or levels <= {Level.FULL, Level.STUB}


def test_code_is_not_drowned_by_people_who_said_the_task_before(project: Path) -> None:
    with opened(project) as haversack:
        said = {item.id for item in haversack.pack(TASK, budget=1500).items if item.source == "code"}
    with opened(project, **{"sources.conversation.enabled": False}) as haversack:
        silent = {item.id for item in haversack.pack(TASK, budget=1500).items if item.source == "code"}
    assert said
    assert len(said & silent) >= len(silent) - 1


def test_every_citation_opens(haversack: Haversack, project: Path) -> None:
    items = [item for item in haversack.pack(TASK, budget=6000).items if item.source == "conversation"]
    assert items
    for item in items:
        (place, *_) = item.citations
        line = Path(place.target).read_text().split("\n")[(place.start or 0) - 1]
        shown = haversack.show(str(place))
        assert shown.citation == place
        assert shown.text.partition(": ")[2].split(" ")[0] in line
        assert haversack.show(item.id).unit is not None


def test_an_entry_of_a_database_opens(haversack: Haversack, project: Path) -> None:
    opencode(project.parent / "home/.local/share/opencode/opencode.db", project).close()
    hit = next(hit for hit in haversack.search("It is set", kind="message") if "set" in hit.unit.text)
    entry = next(h.unit for h in haversack.search("token expiry") if h.unit.citations[0].kind == "log")
    assert haversack.show(str(entry.citations[0])).text.endswith("Use 24h token expiry.")
    assert hit


def test_decisions_are_found_by_kind_with_their_links(haversack: Haversack) -> None:
    found = {hit.unit.status: hit.unit for hit in haversack.search("token expiry", kind="decision")}
    assert found[Status.SUPERSEDED].meta["superseded_by"] == found[Status.LIVE].id


def test_a_session_that_goes_on_changes_the_next_packet(haversack: Haversack, project: Path) -> None:
    haversack.pack(TASK, budget=3000)
    path = next((project.parent / "home").rglob("s.jsonl"))
    with path.open("a") as file:
        file.write(claude(project, [("user", "Use 6h token expiry.")], start=len(SAID), parent=f"u{len(SAID) - 1}"))
    text = haversack.pack(TASK, budget=3000, preset="enrichment").text
    assert "user: Use 6h token expiry." in text
    assert "it was too long for the auditors" not in text


def test_an_index_that_grew_answers_as_a_fresh_one(project: Path) -> None:
    path = next((project.parent / "home").rglob("s.jsonl"))
    text = path.read_text()
    path.write_text("")
    with opened(project) as haversack:
        for start in range(0, len(text), 900):
            with path.open("a") as file:
                file.write(text[start : start + 900])
            haversack.index()
        grown = haversack.pack(TASK, budget=3000).text
    flags = {"sources.conversation.home": str(project.parent / "home")}
    with Haversack(project, data_dir=project.parent / "fresh", flags=flags) as fresh:
        assert fresh.pack(TASK, budget=3000).text == grown


def test_no_byte_of_a_secret_is_kept_or_shown(haversack: Haversack, project: Path) -> None:
    assert KEY not in haversack.pack(f"{TASK} Done refresh_session renews the key", budget=8000).text
    haversack.close()
    for folder, _, names in os.walk(project.parent / "data"):
        for name in names:
            assert KEY.encode() not in (Path(folder) / name).read_bytes()


def test_trouble_is_named_in_the_receipt_and_breaks_nothing(haversack: Haversack, project: Path) -> None:
    path = next((project.parent / "home").rglob("s.jsonl"))
    with path.open("a") as file:
        file.write("{broken\n")
    packet = haversack.pack(TASK, budget=3000)
    assert packet.items
    assert any(problem.where == str(path) and "no JSON" in problem.what for problem in packet.receipt.problems)


def test_a_project_without_transcripts_says_so_only_to_the_doctor(project: Path) -> None:
    with opened(project, **{"sources.conversation.home": str(project.parent / "nobody")}) as haversack:
        assert not haversack.pack(TASK, budget=1000).receipt.problems
        findings = {finding.name: finding for finding in haversack.doctor()}
        assert "no transcript of this project" in findings["conversation"].message
    with opened(project) as haversack:
        haversack.index()
        findings = {finding.name: finding for finding in haversack.doctor()}
        assert "1 transcript" in findings["conversation"].message
