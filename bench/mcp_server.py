"""The MCP server on a large project: how soon it is ready, how fast it answers, what it costs, how fresh it is.

    python bench/mcp_server.py --tree DIR [--name NAME] [--tasks 60] [--requests 2000] [--write]

DIR is copied, because one of the figures is for an edit. The tasks are subjects of the project's own commits, each
asked once, so that no answer is a repetition. Times are a client's, over the real transport: a process and its streams,
or HTTP on loopback. `--write` puts the table into RESULTS.md.
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
import secrets
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx2
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

sys.path.insert(0, str(Path(__file__).parent))
import report  # bench is a folder of scripts, not a package
from packet import percentiles, tasks_of

from haversack import Haversack
from haversack.tokens import counter

CLIENTS = 8
READY_RUNS = 5
EDITS = 10
HAVERSACK = str(Path(sys.executable).parent / "haversack")
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
Row = tuple[str, str, str]


async def call(client: Client, name: str, **arguments: object) -> tuple[float, str]:
    """Seconds and text of one call that went well."""
    started = time.perf_counter()
    result = await client.call_tool(name, arguments)
    taken = time.perf_counter() - started
    (content,) = result.content
    assert content.type == "text"
    assert not result.is_error, content.text
    return taken, content.text


def stdio(tree: Path, data: Path) -> StdioServerParameters:
    arguments = ["-C", str(tree), "--data-dir", str(data), "mcp"]
    return StdioServerParameters(command=HAVERSACK, args=arguments, env=ENVIRONMENT)


async def ready(tree: Path, data: Path, mode: str) -> tuple[float, float, str]:
    """Seconds from the start of the process to the list of tools and to the first packet, and the list."""
    started = time.perf_counter()
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        async with Client(stdio_client(stdio(tree, data), errlog=nowhere), mode=mode) as client:
            tools = await client.list_tools()
            listed = time.perf_counter() - started
            await call(client, "assemble_context", query="Where is the configuration loaded?")
            return listed, time.perf_counter() - started, tools.model_dump_json(by_alias=True, exclude_none=True)


async def alone(tree: Path, data: Path, tasks: list[str]) -> list[Row]:
    """One client over streams: packets of two sizes, then edits."""
    rows: list[Row] = []
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        async with Client(stdio_client(stdio(tree, data), errlog=nowhere)) as client:
            for task in tasks[:3]:
                await call(client, "assemble_context", query=task)
            rest = tasks[3:]
            half = len(rest) // 2
            for size, some in ((2000, rest[:half]), (8000, rest[half:])):
                taken = [(await call(client, "assemble_context", query=task, max_tokens=size))[0] for task in some]
                limit = "p50 < 150 ms, p95 < 400 ms"
                rows.append((f"assemble_context, max_tokens {size:,}, {len(taken)} tasks", percentiles(taken), limit))
            rows.append(await edits(tree, client))
    return rows


async def edits(tree: Path, client: Client) -> Row:
    """A line more in a file, and how long the next answer takes that has it."""
    file = max(tree.rglob("*.py"), key=lambda path: (min(path.stat().st_size, 30_000), str(path)))
    taken = []
    for _ in range(EDITS):
        name = f"edited_{secrets.token_hex(4)}"
        with file.open("a", encoding="utf-8") as end:
            end.write(f"\n\ndef {name}(): ...\n")
        spent, text = await call(client, "search_code", query=name, limit=1)
        assert name in text
        taken.append(spent)
    size = file.stat().st_size // 1000
    return f"the next answer after a line more in a file of {size} kB, {EDITS} edits", percentiles(taken), "< 300 ms"


@asynccontextmanager
async def served(tree: Path, data: Path) -> AsyncIterator[tuple[int, str, str]]:
    """A server on loopback: its process, address and token."""
    token = secrets.token_urlsafe(16)
    command = [HAVERSACK, "-C", str(tree), "--data-dir", str(data), "mcp", "--http", "--port", "0"]
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**ENVIRONMENT, "HAVERSACK_MCP_TOKEN": token}
    )
    try:
        assert process.stderr
        address = next(found[0] for line in process.stderr if (found := re.search(r"http://\S+/mcp", line)))
        # What it logs is read and dropped, or it would wait for a reader.
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(anyio.to_thread.run_sync, process.stderr.read)
            try:
                yield process.pid, address, token
            finally:
                process.kill()
    finally:
        process.kill()
        process.wait()


@asynccontextmanager
async def connected(address: str, token: str) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=120) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        yield client


def memory(pid: int) -> float:
    """Resident megabytes of a process, the mapped index among them."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="utf-8"))
    assert found
    return int(found[1]) / 1000


async def together(tree: Path, data: Path, tasks: list[str], requests: int) -> list[Row]:
    """Eight clients at once, then as many requests of all kinds as were asked for, and what memory did."""
    waits: dict[int, list[float]] = {number: [] for number in range(CLIENTS)}
    async with served(tree, data) as (pid, address, token):

        async def one(number: int) -> None:
            async with connected(address, token) as client:
                for task in tasks[number::CLIENTS]:
                    waits[number].append((await call(client, "assemble_context", query=task))[0])

        async with anyio.create_task_group() as clients:
            for number in range(CLIENTS):
                clients.start_soon(one, number)
        medians = sorted(statistics.median(each) for each in waits.values())
        whole = percentiles([wait for each in waits.values() for wait in each])
        rows = [
            (f"{CLIENTS} clients at once over HTTP, {len(tasks)} packets", whole, ""),
            ("median of the slowest client to that of the fastest", f"{medians[-1] / medians[0]:.2f}", "none starved"),
        ]
        seen = []
        async with connected(address, token) as client:
            for number, task in zip(range(requests), itertools.cycle(tasks), strict=False):
                tool = ("assemble_context", "search_code", "search_memory", "get_skill")[number % 4]
                await call(client, tool, **{"topic" if tool == "get_skill" else "query": f"{task} {number}"})
                if (number + 1) % (requests // 4) == 0:
                    seen.append(memory(pid))
        shown = ", ".join(f"{each:.0f}" for each in seen)
        rows.append((f"resident memory at each quarter of {requests:,} requests, MB", shown, "< 400, flat"))
    return rows


async def measure(tree: Path, data: Path, tasks: list[str], requests: int) -> list[Row]:
    rows: list[Row] = []
    for mode, words in (("legacy", "the older handshake"), ("auto", "the stateless revision")):
        runs = [await ready(tree, data, mode) for _ in range(READY_RUNS)]
        listed, packet = (statistics.median(run[column] for run in runs) for column in (0, 1))
        rows.append((f"process started to tools listed, {words}", f"{listed:.2f} s", "< 1.5 s"))
        rows.append(("the same to the first packet", f"{packet:.2f} s", ""))
    rows.append(("tokens of the tool list", f"{counter().count(runs[0][2]):,}", "< 2,500"))
    rows += await alone(tree, data, tasks)
    rows += await together(tree, data, tasks[: 3 * CLIENTS], requests)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, required=True)
    parser.add_argument("--name")
    parser.add_argument("--tasks", type=int, default=60)
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        tree, data = Path(folder) / "project", Path(folder) / "data"
        shutil.copytree(options.tree, tree, symlinks=True)
        with Haversack(tree, data_dir=data) as project:
            files = project.index().files
            tasks = tasks_of(project, options.tasks)
        rows = anyio.run(measure, tree, data, tasks, options.requests)
    load = " and ".join(f"{each:.1f}" for each in (before, os.getloadavg()[0]))
    rows.append((f"load average before and after, on {os.cpu_count()} cores", load, ""))
    body = f"{files:,} files.\n\n| what | measured | limit |\n|---|---|---|\n"
    body += "\n".join(f"| {a} | {b} | {c} |" for a, b, c in rows)
    print(body)
    if options.write:
        command = re.sub(r"\S*/", "", " ".join(sys.argv))
        report.write(f"MCP server: {options.name or options.tree.name}", f"`python bench/{command}`\n\n{body}\n")


if __name__ == "__main__":
    main()
