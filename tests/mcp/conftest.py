"""A small project, served, and the SDK's own client in both revisions of the protocol."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client

from haversack.mcp.server import make_server
from haversack.mcp.serving import Serving
from tests.sample import make

Connect = Callable[..., AbstractAsyncContextManager["Asked"]]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make(tmp_path / "shop")


class Asked:
    """A client, and what it was told."""

    def __init__(self, client: Client, serving: Serving) -> None:
        self.client = client
        self.serving = serving

    async def text(self, name: str, **arguments: Any) -> str:
        """What a tool answers; it is no error, and it is text only."""
        result = await self.client.call_tool(name, arguments)
        assert result.structured_content is None
        (content,) = result.content
        assert content.type == "text"
        assert not result.is_error, content.text
        return content.text

    async def refusal(self, name: str, **arguments: Any) -> str:
        """What a tool says is wrong."""
        result = await self.client.call_tool(name, arguments)
        (content,) = result.content
        assert content.type == "text"
        assert result.is_error, content.text
        return content.text


@pytest.fixture
def connect(project: Path, tmp_path: Path) -> Connect:
    @asynccontextmanager
    async def connected(
        mode: str = "auto", path: Path = project, data_dir: Path = tmp_path / "data"
    ) -> AsyncIterator[Asked]:
        async with Serving(path, data_dir=data_dir) as serving, Client(make_server(serving), mode=mode) as client:
            yield Asked(client, serving)

    return connected
