"""Resources: what a host can attach by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.server.mcpserver.resources import ResourceSecurity

from haversack.errors import HaversackError, NotFoundError, OutsideProjectError, UsageError
from haversack.mcp.current import Current
from haversack.mcp.reading import details
from haversack.mcp.serving import Serving
from haversack.mcp.shown import entry_line, quoted, receipt_text

# What a unit's id names is decided by the index, what a path names by the gate: both say no in their own words.
OURS = ResourceSecurity(exempt_params={"id"})
MARKDOWN = "text/markdown"
NAMED = 200
"""Files not read yet that the status names."""


def add_resources(server: MCPServer[Any], serving: Serving) -> None:
    """Packets, items, knowledge and how fresh the index is."""

    async def read(work: Callable[[Current], str]) -> str:
        try:
            answer = await serving.ask(work)
        except (NotFoundError, OutsideProjectError, UsageError) as error:
            raise ResourceNotFoundError(str(error)) from error
        except (HaversackError, OSError) as error:
            raise ResourceError(str(error)) from error
        return f"{answer.value}\n{answer.freshness}\n"

    @server.resource("haversack://packet/{id}", title="Packet", mime_type=MARKDOWN)
    async def packet(id: str) -> str:  # noqa: A002 - the word of the address
        """What a packet held, item by item, and why; `last` is the newest."""

        def work(current: Current) -> str:
            from haversack.receipt.codec import decode

            return receipt_text(decode(current.journal.receipt(id)), current.why(id))

        return await read(work)

    @server.resource("haversack://unit/{+id}", title="Item", mime_type=MARKDOWN, security=OURS)
    async def unit(id: str) -> str:  # noqa: A002 - the word of the address
        """One thing whole: an item of a packet, a memory, a knowledge entry, path, path:lines, symbol or commit."""

        def work(current: Current) -> str:
            head, body, lang = details(current, id)
            return f"{head}\n{quoted(body, lang)}\n"

        return await read(work)

    @server.resource("haversack://knowledge/{kind}", title="Knowledge of a kind", mime_type=MARKDOWN)
    async def knowledge(kind: str) -> str:
        """What the project wrote down: decision, learning, convention, rule, task, adr, term, …; `all` is all of it."""
        return await read(lambda current: _entries(current, None if kind == "all" else kind))

    @server.resource("haversack://knowledge", title="Knowledge", mime_type=MARKDOWN)
    async def everything() -> str:
        """Every decision, learning, convention, rule and task that holds, a line each."""
        return await read(lambda current: _entries(current, None))

    @server.resource("haversack://status", title="Status", mime_type=MARKDOWN)
    async def status() -> str:
        """How the index stands: what is read, what is not read yet, what is wrong."""
        return await read(_status)


def _entries(current: Current, kind: str | None) -> str:
    lines = [entry_line(each) for each in current.knowledge(kind=kind)]
    return "\n".join(lines or ["Nothing is written down yet."]) + "\n"


def _status(current: Current) -> str:
    report = current.refresh()
    sizes = current.store.sizes()
    lines = [f"{report.files:,} files, {sizes.disk_bytes:,} bytes of index in `{current.folder}`"]
    if report.pending:
        lines.append(f"{len(report.pending):,} are not read yet:")
        lines += [f"- `{path}`" for path in report.pending[:NAMED]]
    lines += [f"- problem: {each}" for each in (*current.problems, *report.problems)]
    return "\n".join(lines)
