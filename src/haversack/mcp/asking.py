"""What a tool needs of a request: who asks, whom to tell of progress, and the words for what went wrong."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from haversack.errors import HaversackError
from haversack.mcp.current import Current, StoppedError
from haversack.mcp.serving import Answered, Serving

Given = TypeVar("Given")
Request = Context[Any, Any]


async def ask(serving: Serving, ctx: Request, work: Callable[[Current], Given]) -> Answered[Given]:
    """The answer; ToolError in words a model can act on when there is none."""

    async def told(done: int, of: int, words: str) -> None:
        await ctx.report_progress(done, of or None, words)

    try:
        return await serving.ask(work, client=_client(ctx), told=told)
    except HaversackError as error:
        raise ToolError(f"{error.message} ({error.hint})" if error.hint else error.message) from error
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise ToolError(f"{where}{error.strerror or error} (`haversack doctor` looks for the cause)") from error
    except StoppedError as error:
        raise ToolError("the request was cancelled") from error


def _client(ctx: Request) -> Hashable:
    """One connection is one client; over HTTP each has an address of its own, over stdio there is only one."""
    address = getattr(ctx.request_context.request, "client", None)
    return tuple(address) if address else None
