"""What a tool needs of a request: who asks, and whom to tell of progress."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from mcp.server.mcpserver import Context

from haversack.mcp.current import Current
from haversack.mcp.serving import Answered, Serving

Given = TypeVar("Given")
Request = Context[Any, Any]


async def ask(serving: Serving, ctx: Request, work: Callable[[Current], Given]) -> Answered[Given]:
    """The answer, with progress told to whoever asked."""

    async def told(done: int, of: int, words: str) -> None:
        await ctx.report_progress(done, of or None, words)

    return await serving.ask(work, client=_client(ctx), told=told)


def _client(ctx: Request) -> Hashable:
    """One connection is one client; over HTTP each has an address of its own, over stdio there is only one."""
    address = getattr(ctx.request_context.request, "client", None)
    return tuple(address) if address else None
