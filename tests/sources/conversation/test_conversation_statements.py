"""Decisions, preferences and corrections are recognised, kept word for word, and give way to later ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sources.conversation.talk import Talk, claude

from haversack.sources.conversation.message import Message
from haversack.sources.conversation.spoken import LONGEST_MESSAGE, sentences, spoken
from haversack.sources.conversation.statements import MOST_STATEMENTS, kind_of, statements
from haversack.sources.conversation.succession import settle, successor
from haversack.sources.conversation.units import Origin, settled

ORIGIN = Origin("plain", "/t.jsonl", "t", "/t.jsonl")


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("decision", "use 24h token expiry"),
        ("decision", "Let's go with Postgres for the job queue."),
        ("decision", "OK, we'll switch the build to pnpm"),
        ("decision", "Set max_retries to 5"),
        ("decision", "Token expiry should be 48 hours"),
        ("decision", "We decided to sign with RS256"),
        ("decision", "Decision: no ORM"),
        ("decision", "Don't use Redis"),
        ("decision", "Store dates in UTC instead of local time"),
        ("decision", "Wir verwenden Postgres"),
        ("decision", "トークンの期限は24時間にする"),
        ("preference", "I prefer small functions"),
        ("preference", "Please always run ruff before committing"),
        ("preference", "Never commit to main"),
        ("preference", "From now on answer in German"),
        ("preference", "I'd rather have fewer files"),
        ("preference", "In this project, tests come first"),
        ("preference", "我更喜欢简短的回答"),
        ("correction", "No, that's the wrong file"),
        ("correction", "Actually, the cart is per user"),
        ("correction", "That's not what I asked for"),
        ("correction", "You forgot the tests"),
        ("correction", "I meant the other session"),
        ("correction", "Nein, das ist falsch"),
        ("", "Fix the bug in session.py"),
        ("", "Can you use Redis?"),
        ("", "What should we use for the queue?"),
        ("", "The login page returns 500"),
        ("", "We keep getting TooManyRedirects against the gateway"),
        ("decision", "Keep the old endpoint"),
        ("", "Thanks"),
        ("", "Please add a test for the cart"),
    ],
)
def test_what_people_say(kind: str, sentence: str) -> None:
    assert kind_of(sentence) == kind


def test_a_model_settles_only_what_it_calls_settled() -> None:
    assert kind_of("I'll use Postgres for this.", "assistant") == ""
    assert kind_of("As we agreed, tokens live for a day.", "assistant") == "decision"
    assert list(statements(Message("summary", "Use tabs.", None))) == []


def test_code_quotations_and_pasted_lines_decide_nothing() -> None:
    text = (
        "Look:\n```\nuse tabs\n```\n> use spaces\n    use indents\n| use | tables |\n<use>tags</use>\n- use bullets\n"
    )
    assert list(sentences(text + "use " + "x" * 500)) == ["Look:", "use bullets"]


def test_a_message_decides_at_most_so_much() -> None:
    assert (
        len(list(statements(Message("user", "\n".join(f"use part {n}" for n in range(99)), None)))) == MOST_STATEMENTS
    )


def said(*lines: str, role: str = "user") -> list[tuple[str, str]]:
    """What is left of statements made one after the other: (text, status)."""
    messages = [Message(role, line, float(at), at, at) for at, line in enumerate(lines, 1)]
    linked = settle(settled(messages, ORIGIN))
    return [
        (each.text, "over" if each.by else "holds") for each in sorted(linked.values(), key=lambda each: each.first)
    ]


@pytest.mark.parametrize(
    "pair",
    [
        ("use 24h token expiry", "use 12h token expiry"),
        ("use 24h token expiry", "Change the token expiry to 12 hours"),
        ("use 24h token expiry", "No, token expiry should be 1h"),
        ("use 24h token expiry", "Change the token expiry to 12 hours, it was too long for the auditors."),
        ("use 24h token expiry because of the mobile clients", "OK, use 12h token expiry"),
        ("Set max_retries to 5", "max retries must be 3"),
        ("use SQLite for the job queue", "use Postgres instead of SQLite"),
        ("use SQLite for the job queue", "Actually, use Postgres for the job queue instead"),
        ("use Redis for caching", "Don't use Redis"),
        ("use npm", "switch from npm to pnpm"),
        ("Use tabs", "Don't use tabs"),
        ("Always run ruff", "Never run ruff"),
    ],
)
def test_a_later_decision_on_the_same_subject_takes_the_place_of_an_earlier_one(pair: tuple[str, str]) -> None:
    assert [status for _, status in said(*pair)] == ["over", "holds"]


@pytest.mark.parametrize(
    "pair",
    [
        ("use 24h token expiry", "use 3 retries"),
        ("use 24h token expiry", "use 1h token expiry for mobile clients"),
        ("use asyncio for the worker", "use structured logging for the worker"),
        ("use RS256 for JWTs", "use Postgres for the job queue"),
        ("I prefer tabs", "use Postgres instead of SQLite"),
        ("No, that's wrong", "No, that's wrong"),
    ],
)
def test_different_subjects_stand_side_by_side(pair: tuple[str, str]) -> None:
    assert [status for _, status in said(*pair)] == ["holds", "holds"]


def test_a_model_never_overrules_a_person() -> None:
    user = Message("user", "use 24h token expiry", 1.0, 1, 1)
    model = Message("assistant", "Decided: use 12h token expiry", 2.0, 2, 2)
    assert not any(each.by for each in settle(settled([user, model], ORIGIN)).values())


def test_a_chain_of_decisions_leads_to_the_last() -> None:
    messages = [Message("user", f"use {hours}h token expiry", float(hours), hours, hours) for hours in (1, 2, 3)]
    linked = settle(settled(messages, ORIGIN))
    first, *_, last = sorted(linked.values(), key=lambda each: each.first)
    assert successor(linked, first.id) == last.id
    assert len(last.replaces) == 1


def test_the_order_they_come_in_does_not_matter() -> None:
    messages = [Message("user", f"use {hours}h token expiry", float(hours), hours, hours) for hours in range(1, 9)]
    every = list(settled(messages, ORIGIN))
    assert settle(every) == settle(reversed(every))


def test_who_said_it_and_when_stands_with_the_words(tmp_path: Path) -> None:
    talk = Talk.at(tmp_path)
    talk.claude_file().write_text(claude(talk.root, [("user", "Look at it. Use 24h token expiry. Thanks!")]))
    (decision,) = talk.refresh().of("decision")
    assert decision.text == "[2026-11-01 00:00] user: Use 24h token expiry."
    assert decision.title == "Use 24h token expiry."
    assert (decision.meta["speaker"], decision.time) == ("user", talk.of("message")[0].time)


def test_what_hosts_inject_is_not_said() -> None:
    assert spoken("<system-reminder>x</system-reminder> Hello <b>you</b>") == "Hello <b>you</b>"
    assert spoken("<command-name>/clear</command-name><command-args></command-args>") == ""
    assert spoken("[Request interrupted by user]") == ""
    assert spoken("<system-reminder>never closed, use tabs") == "<system-reminder>never closed, use tabs"
    assert spoken("<skill>" * 50_000).startswith("<skill>")
    long = spoken("x" * (LONGEST_MESSAGE + 5))
    assert long.endswith("[5 more characters]")
