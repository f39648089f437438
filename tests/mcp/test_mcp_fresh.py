"""Every answer reflects the files as they are, or says which it has not read."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import anyio
import pytest
from mcp_types import TextResourceContents

from haversack.api import Haversack
from haversack.errors import UsageError
from haversack.index import build
from haversack.index import sqlite as sqlite_module
from haversack.index.lock import building
from haversack.mcp import current as current_module
from haversack.mcp import keeper as keeper_module
from haversack.mcp.current import Current
from haversack.mcp.serving import Serving
from haversack.mcp.turns import Turns, in_thread
from tests.mcp.conftest import Connect

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def soon() -> AsyncIterator[None]:
    """What is waited for inside comes, however slow the machine is."""
    with anyio.fail_after(60):
        yield


async def test_an_edit_is_in_the_next_answer(connect: Connect, project: Path) -> None:
    async with connect() as asked:
        assert "def expired" in await asked.text("search_code", query="expired")
        for number in range(3):
            file = project / "shop" / "session.py"
            file.write_text(file.read_text(encoding="utf-8") + f"\ndef newly_{number}(): ...\n", encoding="utf-8")
            text = await asked.text("search_code", query=f"newly_{number}", limit=1)
            assert f"def newly_{number}" in text
            assert "Reflects all 8 files" in text
        (project / "shop" / "session.py").unlink()
        assert "Reflects all 7 files" in await asked.text("search_code", query="newly")
        assert "def newly" not in await asked.text("assemble_context", query="newly_1")


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_what_another_process_still_reads_is_named(
    connect: Connect, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setattr(build, "LARGE_BUILD_FILES", 2)
    monkeypatch.setattr(keeper_module, "PATIENCE", 0.2)
    with Haversack(project, data_dir=tmp_path / "data") as other:
        folder = other.store.folder
    told: list[tuple[float, float | None, str | None]] = []

    async def progress(done: float, of: float | None, words: str | None) -> None:
        told.append((done, of, words))

    async with connect(mode) as asked:
        with building(folder, wait=True):
            result = await asked.client.call_tool("search_code", {"query": "expired"}, progress_callback=progress)
            (content,) = result.content
            assert content.type == "text"
            assert "Nothing found." in content.text
            assert "Not read yet: 8 of 8 files (`README.md`" in content.text
            assert told[0] == (0, None, "indexing the project")
            status = await asked.client.read_resource("haversack://status")
            (written,) = status.contents
            assert isinstance(written, TextResourceContents)
            assert "- `shop/session.py`" in written.text
        async with soon():
            while asked.serving.keeper.build.running:
                await anyio.sleep(0.01)
        text = await asked.text("search_code", query="expired")
        assert "def expired" in text
        assert "Reflects all 8 files" in text


async def test_many_changes_at_once_are_read_beside_the_answers(
    connect: Connect, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(current_module, "MOST_AT_ONCE", 2)
    async with connect() as asked:
        await asked.text("search_code", query="expired")
        for number in range(6):
            (project / f"new_{number}.py").write_text(f"def fresh_{number}(): ...\n", encoding="utf-8")
        (project / "shop" / "cart.py").write_text("def other(): ...\n", encoding="utf-8")
        (project / "web" / "cart.ts").unlink()
        monkeypatch.setattr(keeper_module, "PATIENCE", 0.0)
        text = await asked.text("assemble_context", query="put an item into the cart")
        assert "### `shop/cart.py" not in text
        assert "### `web/cart.ts" not in text
        async with soon():
            while "Reflects all 13 files" not in await asked.text("search_code", query="fresh_5"):
                pass
        assert "def fresh_5" in await asked.text("search_code", query="fresh_5", limit=1)


async def test_changed_files_are_read_before_anybody_asks(connect: Connect, project: Path) -> None:
    async with connect() as asked:
        await asked.text("search_code", query="expired")
        async with soon():
            while not asked.serving.keeper.watched:
                await anyio.sleep(0.01)
            folder = project / "later"
            folder.mkdir()
            (folder / "one.py").write_text("def one(): ...\n", encoding="utf-8")
            while folder not in asked.serving.keeper.watched:
                await anyio.sleep(0.01)


async def test_a_project_that_is_not_there_is_an_error_until_it_is(
    connect: Connect, project: Path, tmp_path: Path
) -> None:
    async with connect(path=tmp_path / "nowhere") as asked:
        assert "nowhere" in await asked.refusal("assemble_context", query="sessions")
        shutil.copytree(project, tmp_path / "nowhere")
        assert "def expired" in await asked.text("search_code", query="expired")
        shutil.rmtree(tmp_path / "nowhere")
        assert "nowhere" in await asked.refusal("search_code", query="expired")
        assert (await asked.client.list_tools()).tools


async def test_a_data_folder_that_cannot_be_written_is_named(connect: Connect, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    async with connect(data_dir=tmp_path / "file" / "data") as asked:
        said = await asked.refusal("assemble_context", query="sessions")
        assert "cannot write to the data folder" in said
        assert "--data-dir" in said


async def test_cancelling_a_request_stops_its_work_and_frees_the_turn(project: Path, tmp_path: Path) -> None:
    started, ended = threading.Event(), threading.Event()

    def endless(current: Current) -> None:
        started.set()
        try:
            while True:
                current.stop.check()
        finally:
            ended.set()

    async with Serving(project, data_dir=tmp_path / "data") as serving, soon():
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(serving.ask, endless)
            while not started.is_set():
                await anyio.sleep(0.01)
            tasks.cancel_scope.cancel()
        assert ended.is_set()
        found = await serving.ask(lambda current: current.search("expired"))
        assert found.value[0].unit.name == "expired"


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_cancelling_over_the_protocol_stops_a_packet(
    connect: Connect, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    started, ended = threading.Event(), threading.Event()

    def endless(current: Current, *_: object, **__: object) -> None:
        started.set()
        try:
            while True:
                current.texts.file("shop/session.py")
        finally:
            ended.set()

    async with connect(mode) as asked, soon():
        await asked.text("search_code", query="expired")
        monkeypatch.setattr(Current, "pack", endless)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(asked.client.call_tool, "assemble_context", {"query": "sessions"})
            while not started.is_set():
                await anyio.sleep(0.01)
            tasks.cancel_scope.cancel()
        while not ended.is_set():
            await anyio.sleep(0.01)
        assert await asked.text("search_code", query="expired")


async def test_clients_take_turns_however_much_one_asks() -> None:
    turns, order = Turns(), []
    free = anyio.Event()

    async def work(client: str) -> None:
        async with turns.of(client):
            order.append(client)
            await free.wait()

    async with anyio.create_task_group() as tasks:
        for client in ("greedy", "greedy", "greedy", "greedy", "modest", "shy"):
            tasks.start_soon(work, client)
        await anyio.wait_all_tasks_blocked()
        free.set()
    assert order == ["greedy", "greedy", "modest", "shy", "greedy", "greedy"]


async def test_who_is_cancelled_while_waiting_leaves_no_gap() -> None:
    turns, order = Turns(), []
    free = anyio.Event()

    async def work(client: str) -> None:
        async with turns.of(client):
            order.append(client)
            await free.wait()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(work, "first")
        await anyio.wait_all_tasks_blocked()
        with anyio.move_on_after(0.01):
            await work("impatient")
        tasks.start_soon(work, "second")
        await anyio.wait_all_tasks_blocked()
        assert order == ["first"]
        free.set()
    assert order == ["first", "second"]


async def test_what_a_thread_raises_comes_out_as_it_is() -> None:
    def broken(_: object) -> None:
        raise UsageError("no")

    with pytest.raises(UsageError, match="no"):
        await in_thread(broken)


async def test_an_index_that_cannot_be_written_still_answers_and_says_why(
    connect: Connect, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process holds the write lock for as long as anybody waits; a full disk is refused in the same place."""
    monkeypatch.setattr(current_module, "WRITER_SECONDS", 0.01)
    monkeypatch.setattr(sqlite_module, "BUSY_SECONDS", 0.01)
    async with connect() as asked:
        assert "def expired" in await asked.text("search_code", query="expired")
        (index,) = (tmp_path / "data").rglob("index.sqlite")
        (project / "shop" / "cart.py").write_text("def other(): ...\n", encoding="utf-8")
        with closing(sqlite3.connect(index, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            text = await asked.text("search_code", query="expired")
            assert "def expired" in text
            assert "Not read yet: 1 of 8 files (`shop/cart.py`). " in text
            async with soon():  # until it was tried
                while "They cannot be: another process is writing" not in text:
                    text = await asked.text("search_code", query="expired")
            other.execute("ROLLBACK")
        async with soon():
            while "Reflects all 8 files" not in await asked.text("search_code", query="other"):
                pass
        assert "def other" in await asked.text("search_code", query="other", limit=1)
