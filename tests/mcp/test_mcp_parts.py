"""The parts on their own: how things are shown, where pages end, what a server says that has no host yet."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import socket
import sys
from contextlib import closing
from pathlib import Path

import anyio
import pytest
import watchfiles
from mcp.shared.exceptions import MCPError

from haversack.errors import StoreError, UsageError
from haversack.mcp import keeper as keeper_module
from haversack.mcp.current import Current
from haversack.mcp.pages import Cursor, page
from haversack.mcp.run import serve_http, serve_stdio
from haversack.mcp.serving import Serving
from haversack.mcp.shown import gotcha_text, hit_text, pattern_text, place
from haversack.mcp.turns import Turns, in_thread
from haversack.model import Citation
from haversack.recall.lessons import Gotcha, Pattern
from haversack.retrieve.search import Hit
from haversack.tokens import counter
from tests.index.made import commit, unit
from tests.mcp.conftest import Connect

CITED = (Citation.of_file("shop/session.py", None),)


def test_a_pattern_shows_its_code_and_where_it_stands() -> None:
    found = Pattern("m1", "Retry once", "It is enough.", "retry(1)", 3, 0.9, CITED)
    assert pattern_text(found) == ("Retry once (m1, worked 3×)\nIt is enough.\n```\nretry(1)\n```\n[shop/session.py]")


def test_a_gotcha_shows_only_what_is_known_of_it() -> None:
    bare = Gotcha("g1", "Clock", "It jumps.", "", 1, (), 0.9, ())
    assert gotcha_text(bare) == "Clock (g1, seen 1×)\nIt jumps."
    told = Gotcha("g1", "Clock", "It jumps.", "Use UTC.", 2, ("in March",), 0.9, CITED)
    assert (
        gotcha_text(told) == "Clock (g1, seen 2×)\nIt jumps.\nWhat helped: Use UTC.\nWhen: in March\n[shop/session.py]"
    )


def test_what_stands_in_no_file_is_placed_by_its_id(project: Path, tmp_path: Path) -> None:
    change = commit("ab" * 20, "fix the thing", [], 5.0)
    assert place(change) == change.id
    with closing(Current(project, data_dir=tmp_path / "data")) as current:
        assert "fix the thing" in hit_text(current, Hit(change, 1.0, {}))
        gone = unit("shop/gone.py", "gone", "text")
        assert hit_text(current, Hit(gone, 1.0, {})) == "`shop/gone.py:1-1` function `gone`"


def test_an_entry_longer_than_its_page_is_cut_and_the_rest_can_be_had() -> None:
    cursor = Cursor.read("", "x")
    text = page(["word " * 500, "second"], max_tokens=120, cursor=cursor)
    assert text.endswith(f'More: cursor="{cursor.at(1)}"')
    assert counter().count(text) <= 120
    assert page(["a"], max_tokens=120, cursor=Cursor("x", 1)) == "Nothing more."


def test_a_host_that_only_says_hello_is_answered_and_the_server_ends(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    hello = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
    given = io.BytesIO(f"{hello}\n".encode())
    answered = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(given, encoding="utf-8"))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(answered, encoding="utf-8", write_through=True))
    monkeypatch.setattr(logging, "basicConfig", lambda **_: None)  # the host's standard error is pytest's here
    serve_stdio(str(project), str(tmp_path / "data"))
    (line,) = answered.getvalue().splitlines()
    assert json.loads(line)["result"]["serverInfo"]["name"] == "haversack"


def test_a_port_that_is_taken_is_said(project: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other, pytest.raises(UsageError, match="Address already in use"):
        serve_http(str(project), None, port=other.getsockname()[1])


@pytest.mark.anyio
async def test_a_disk_that_fails_is_told_in_a_line(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error", "/data/index")

    def refused(*_: object, **__: object) -> None:
        raise StoreError("the index is gone", hint="make it anew")

    async with connect() as asked:
        monkeypatch.setattr(Current, "why", broken)
        said = await asked.refusal("why", target="shop/cart.py")
        assert said == "/data/index: Input/output error (`haversack doctor` looks for the cause)"
        monkeypatch.setattr(Current, "knowledge", refused)
        with pytest.raises(MCPError, match="the index is gone"):
            await asked.client.read_resource("haversack://knowledge")


@pytest.mark.anyio
async def test_folders_that_cannot_be_watched_are_looked_at_all_the_same(
    connect: Connect, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = anyio.Event()

    async def no_watch(*_: object, **__: object) -> object:
        refused.set()
        raise OSError("too many folders")
        yield

    monkeypatch.setattr(watchfiles, "awatch", no_watch)
    async with connect() as asked:
        await asked.text("search_code", query="expired")
        with anyio.fail_after(60):
            await refused.wait()
        (project / "later.py").write_text("def later(): ...\n", encoding="utf-8")
        assert "def later" in await asked.text("search_code", query="later", limit=1)


@pytest.mark.anyio
async def test_answers_go_on_when_nobody_keeps_the_index(
    connect: Connect, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(keeper_module.Keeper, "run", broken)
    async with connect() as asked:
        assert "def expired" in await asked.text("search_code", query="expired")
        (project / "later.py").write_text("def later(): ...\n", encoding="utf-8")
        assert "def later" in await asked.text("search_code", query="later", limit=1)


@pytest.mark.anyio
async def test_history_that_is_still_being_read_is_said(project: Path, tmp_path: Path) -> None:
    async with Serving(project, data_dir=tmp_path / "data") as serving:
        await serving.ask(lambda current: current.search("expired"))
        serving.keeper.build = keeper_module.Build(began=-1e9)  # for longer than an answer waits
        answer = await serving.ask(lambda current: current.search("expired"))
        assert answer.freshness == "All 8 files are read; history and other sources are still being read."


@pytest.mark.anyio
async def test_a_turn_that_is_called_and_cancelled_at_once_is_passed_on() -> None:
    turns, order = Turns(), []

    async def work(client: str) -> None:
        async with turns.of(client):
            order.append(client)

    async with turns.of("first"):
        hasty, second = (asyncio.create_task(work(client)) for client in ("hasty", "second"))
        await anyio.wait_all_tasks_blocked()
    hasty.cancel()
    await second
    assert order == ["second"]


@pytest.mark.anyio
async def test_work_that_was_cancelled_before_it_began_is_never_done() -> None:
    done: list[str] = []
    with anyio.CancelScope() as scope:
        scope.cancel()
        await in_thread(lambda _: done.append("x"))
    assert done == []


@pytest.mark.anyio
async def test_a_server_started_in_a_home_folder_reads_nothing(
    connect: Connect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    async with connect(path=tmp_path) as asked:
        assert "home folder" in await asked.refusal("assemble_context", query="sessions")
    assert not list((tmp_path / "data").rglob("index.sqlite"))
