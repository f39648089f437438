"""The program itself: a real process over its streams, the same on loopback, whatever comes in."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from haversack import Haversack, logs
from haversack.mcp.run import TokenGate

SERVE = ["-m", "haversack", "mcp"]
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


def arguments(project: Path) -> list[str]:
    return [*SERVE, "-C", str(project), "--data-dir", str(project.parent / "data")]


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_host_talks_to_it_over_its_streams(project: Path, mode: str) -> None:
    server = StdioServerParameters(command=sys.executable, args=arguments(project))
    async with Client(stdio_client(server), mode=mode) as client:
        result = await client.call_tool("search_code", {"query": "expired"})
        assert "def expired" in getattr(result.content[0], "text", "")


class Wire:
    """A process, line by line."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def send(self, line: str | dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write((line if isinstance(line, str) else json.dumps(line)) + "\n")
        self.process.stdin.flush()

    def answer(self, number: int) -> dict[str, Any]:
        """The answer to a request; everything on the way there is JSON, too."""
        assert self.process.stdout
        for line in self.process.stdout:
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == number:
                return message
        raise AssertionError("the server went away")

    def greet(self) -> None:
        self.send({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO})
        assert self.answer(0)["result"]["serverInfo"]["name"] == "haversack"
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, number: int, name: object, arguments: object) -> dict[str, Any]:
        params = {"name": name, "arguments": arguments}
        self.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
        return self.answer(number)


@contextmanager
def served(command: list[str], **more: Any) -> Iterator[Wire]:
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more
    )
    with process:
        try:
            yield Wire(process)
        finally:
            process.kill()


def test_garbage_on_its_input_is_passed_over(project: Path) -> None:
    with served([sys.executable, *arguments(project)]) as wire:
        for line in ("", "garbage", "{", "[]", '{"jsonrpc": "2.0"}', "\x00\ufffd", "[" * 5000):
            wire.send(line)
        wire.greet()
        wire.send({"jsonrpc": "2.0", "id": 1, "method": "no/such/method"})
        assert "error" in wire.answer(1)
        wire.send({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": ["x"], "arguments": 7}})
        assert "error" in wire.answer(2)
        assert wire.call(3, "assemble_context", {"query": ["x"]})["result"]["isError"] is True
        assert "def expired" in wire.call(4, "search_code", {"query": "expired"})["result"]["content"][0]["text"]
        out, log = wire.process.communicate(timeout=60)  # the input ends, and so does the server
        assert wire.process.returncode == 0
        assert "tool name=assemble_context" in log
        assert 'problem="assemble_context: query: Input should be a valid string"' in log
        assert all(json.loads(line) for line in out.splitlines())


def test_nothing_on_its_input_ends_it(project: Path) -> None:
    done = subprocess.run(
        [sys.executable, *arguments(project)], stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"")


def test_a_deleted_working_directory_is_said_not_crashed_on(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f'rmdir "{gone}"; exec "{sys.executable}" {" ".join(SERVE)} --data-dir "{tmp_path}/data"'
    with served(["sh", "-c", script], cwd=gone) as wire:
        wire.greet()
        answer = wire.call(1, "assemble_context", {"query": "sessions"})["result"]
        assert answer["isError"] is True
        assert answer["content"][0]["text"]
        _, log = wire.process.communicate(timeout=60)
        assert "problem=" in log
        assert wire.process.returncode == 0


@pytest.mark.anyio
async def test_on_loopback_a_token_is_needed(project: Path) -> None:
    command = [sys.executable, *arguments(project), "--http", "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    with process:
        try:
            assert process.stderr
            where = next(line for line in process.stderr if "http://" in line)
            address, token = where.split("haversack mcp: ")[1].strip().split(", token ")
            assert address.startswith("http://127.0.0.1:")
            for headers in ({}, {"Authorization": "Bearer wrong"}):
                with pytest.raises(urllib.error.HTTPError) as refused:
                    urllib.request.urlopen(urllib.request.Request(address, b"{}", headers))
                assert refused.value.code == 401
                refused.value.close()
            for mode in ("legacy", "auto"):
                async with (
                    httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http,
                    Client(streamable_http_client(address, http_client=http), mode=mode) as client,
                ):
                    result = await client.call_tool("search_code", {"query": "expired"})
                    assert "def expired" in getattr(result.content[0], "text", "")
        finally:
            process.terminate()


def test_a_token_in_the_environment_is_no_setting(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAVERSACK_MCP_TOKEN", "secret")
    with Haversack(project, data_dir=project.parent / "data") as haversack:
        assert haversack.index().files == 8


@pytest.mark.anyio
async def test_the_gate_lets_in_who_has_the_token() -> None:
    reached: list[str] = []
    sent: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope["type"])

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {}

    gate = TokenGate(app, "secret")
    await gate({"type": "lifespan"}, receive, send)
    await gate({"type": "http", "path": "/mcp", "headers": [(b"authorization", b"Bearer secret")]}, receive, send)
    assert reached == ["lifespan", "http"]
    await gate({"type": "http", "path": "/mcp", "headers": []}, receive, send)
    assert reached == ["lifespan", "http"]
    assert sent[0]["status"] == 401
    assert logs.LOGGER.name == "haversack"
