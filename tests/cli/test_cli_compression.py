"""Levels and strengths, the assembly log and the warning on the command line."""

from __future__ import annotations

import json

import pytest
from running import Run

pytestmark = pytest.mark.usefixtures("project")


def test_a_file_can_be_had_at_every_level_and_strength(run: Run) -> None:
    texts = {}
    for level in ("full", "light", "detailed", "medium", "summary", "heavy", "stub"):
        made = json.loads(run("summarize", "src/shop/login.py", "--level", level, "--json").out)
        texts[level] = made["text"]
        assert made["level"] in (level, {"medium": "detailed", "heavy": "summary"}.get(level))
    assert texts["medium"] == texts["detailed"]
    assert texts["heavy"] == texts["summary"]
    assert run("summarize", "src/shop/login.py").out.strip() == texts["summary"].strip()


def test_a_number_of_tokens_chooses_the_level(run: Run) -> None:
    full = json.loads(run("summarize", "src/shop/login.py", "--level", "full", "--json").out)
    for tokens in (0, 5, 20, full["tokens"] // 2, full["tokens"]):
        made = json.loads(run("summarize", "src/shop/login.py", "--tokens", str(tokens), "--json").out)
        assert made["tokens"] <= tokens
    assert made["level"] == "full"
    assert run("summarize", "src/shop/login.py", "--tokens", "-3").code == 2
    assert run("summarize", "src/shop/login.py", "--level", "poem").code == 2


def test_the_log_tells_how_each_packet_was_made(run: Run) -> None:
    run("pack", "fix the redirect after login", "--budget", "500", "--session", "one")
    run("pack", "add a second login", "--ask", "logs", "--budget", "500")
    lines = run("report", "--log").out.splitlines()
    assert len(lines) == 2
    assert " feature: " in lines[0]
    assert " bug: " in lines[1]
    (made,) = json.loads(run("report", "--log", "--session", "one", "--json").out)
    assert made["tokens_budget"] == 500
    assert "logs" in json.loads(run("report", "--log", "--json").out)[0]["sources_queried"]


def test_full_packets_are_no_warning_after_every_packet(run: Run) -> None:
    for _ in range(6):
        assert run("pack", "fix the redirect after login", "--budget", "500").err == ""
