"""Packets of a session carry what is new to it, refer to the rest, and say so."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest

from haversack import Haversack
from haversack.index.ledger import DATABASE
from haversack.model import Level
from tests.sample import make, write

TASK = "fix session expiry in refresh_session"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Haversack]:
    with Haversack(make(tmp_path / "shop"), data_dir=tmp_path / "data") as haversack:
        yield haversack


def test_the_same_task_again_names_what_was_given_and_little_else(project: Haversack) -> None:
    first = project.pack(TASK, budget=2000, session="s")
    second = project.pack(TASK, budget=2000, session="s")
    assert "### [1] `shop/session.py:1-24`" in first.text, "a small file comes whole"
    assert second.items == ()
    assert f"[1]-[{len(first.items)}] unchanged" in second.text
    assert second.tokens < 0.05 * first.tokens
    assert {each.reason for each in second.omitted if each.id == first.items[0].id} == {"given earlier as [1]"}
    assert "given earlier as [1]" in project.why("last", first.items[0].id)


def test_another_task_gets_what_is_new_and_is_told_what_it_has(project: Haversack) -> None:
    first = project.pack(TASK, budget=2000, session="s")
    second = project.pack("refresh_session and renderCart", budget=2000, session="s")
    had = {item.id for item in first.items if item.level is Level.FULL}
    assert had.isdisjoint(item.id for item in second.items)
    assert f"### [{len(first.items) + 1}] " in second.text
    assert "## Given earlier in this session, unchanged: [1]" in second.text


def test_what_the_session_has_counts_as_known_in_the_certificate(project: Haversack) -> None:
    first = project.pack(TASK, budget=2000, session="s")
    second = project.pack(TASK, budget=2000, session="s")
    assert first.certificate is not None
    assert second.certificate is not None
    assert second.certificate.completeness == first.certificate.completeness


def test_a_piece_that_changed_is_given_again(project: Haversack) -> None:
    project.pack(TASK, budget=2000, session="s")
    root = project.project.root
    text = (root / "shop/session.py").read_text(encoding="utf-8")
    write(root, "shop/session.py", text.replace("ran out.", "ran out, or nearly so."))
    again = project.pack(TASK, budget=2000, session="s")
    assert {item.path for item in again.items} == {"shop/session.py"}
    assert "or nearly so" in again.text


def test_sessions_do_not_know_of_each_other_and_no_session_knows_nothing(project: Haversack) -> None:
    first = project.pack(TASK, budget=2000, session="a")
    assert project.pack(TASK, budget=2000, session="b").text == first.text
    alone = project.pack(TASK, budget=2000)
    assert "[1]" not in alone.text
    assert project.pack(TASK, budget=2000).text == alone.text


def test_repeat_and_forget_give_everything_again(project: Haversack) -> None:
    first = project.pack(TASK, budget=2000, session="s")
    again = project.pack(TASK, budget=2000, session="s", repeat=True)
    assert [item.id for item in again.items] == [item.id for item in first.items]
    project.forget_session("s")
    assert len(project.pack(TASK, budget=2000, session="s").items) == len(first.items)


def test_looking_at_a_budget_gives_nothing_away(project: Haversack) -> None:
    project.budget(TASK, budget=2000, session="s")
    assert project.pack(TASK, budget=2000, session="s").items


def test_packets_of_a_session_begin_alike(project: Haversack) -> None:
    first = project.pack(TASK, budget=500, session="s")
    second = project.pack("render the cart", budget=500, session="s")
    assert first.text.splitlines()[0] == second.text.splitlines()[0]
    assert second.text.splitlines()[0].startswith("# Context packet (budget 500")


def test_what_stands_before_a_change_keeps_its_bytes(project: Haversack) -> None:
    task = "sessions expire too early, refresh_session; and the total of a cart"
    first = project.pack(task, budget=2000).text
    root = project.project.root
    text = (root / "shop/cart.py").read_text(encoding="utf-8")
    write(root, "shop/cart.py", text.replace("The sum of all prices.", "The sum of all the prices."))
    second = project.pack(task, budget=2000).text
    unchanged, _, _ = first.partition("prices.")
    assert "def refresh_session" in unchanged
    assert second.startswith(f"{unchanged}the prices.")


@pytest.mark.parametrize("budget", [200, 400, 900])
def test_handles_are_within_the_budget(project: Haversack, budget: int) -> None:
    for task in (TASK, "total of the cart", "render the cart"):
        assert project.pack(task, budget=budget, session="s").tokens <= budget


@pytest.mark.parametrize("form", ["json", "xml"])
def test_other_formats_say_it_too(project: Haversack, form: str) -> None:
    project.pack("render the cart", budget=400, session="s", format=form, pin=["renderCart"])
    mixed = project.pack("both", budget=2000, session="s", format=form, pin=["renderCart", "refresh_session"])
    again = project.pack("both", budget=2000, session="s", format=form, pin=["renderCart", "refresh_session"])
    if form == "json":
        assert any(record.get("given_earlier") == "[1]" for record in json.loads(mixed.text))
        assert json.loads(again.text)[0]["packet"] == "nothing new"
    else:
        earlier = ElementTree.fromstring(mixed.text).find("given-earlier")
        assert earlier is not None
        assert earlier.get("items") == "[1]"
        assert ElementTree.fromstring(again.text).get("note") == "nothing new"


def test_knowledge_given_at_the_start_is_not_given_again(tmp_path: Path) -> None:
    root = make(tmp_path / "shop")
    write(root, ".context/DECISIONS.md", "# Decisions\n\n## [2026-01-02] Sessions expire\n\nAfter refresh_session.\n")
    with Haversack(root, data_dir=tmp_path / "data") as project:
        start = project.agent(session="s")
        assert start.entries == 2  # the decision, and the sample's own record of one
        packet = project.pack("why do sessions expire, refresh_session", budget=2000, session="s")
        assert not any(item.source == "knowledge" for item in packet.items)
        assert "entries of the first packet" in packet.text


def test_without_a_footer_a_packet_holds_nothing_but_its_items(project: Haversack) -> None:
    packet = project.pack(TASK, budget=2000, footer=False)
    assert "haversack show" not in packet.text
    assert "## Task" not in packet.text
    assert "## Left out" not in packet.text


def test_a_broken_ledger_costs_repetition_and_is_named(tmp_path: Path) -> None:
    root = make(tmp_path / "shop")
    with Haversack(root, data_dir=tmp_path / "data") as project:
        (project.folder / DATABASE).write_bytes(b"no database " * 100)
        first = project.pack(TASK, budget=2000, session="s")
        assert first.items
        assert project.pack(TASK, budget=2000, session="s").items
        assert any(DATABASE in problem.what for problem in project.problems)
