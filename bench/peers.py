"""Another tool on one task: what it shows, how long it takes, what memory it needs.

An adapter is a script `X.py TREE TASK BUDGET` that prints one JSON line: files in their order, text, seconds_index,
seconds_query. It runs in the tool's own environment below PEER_BASE and in a process group of its own, so that nothing
of it is left when its time is over.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

from emitted import spans_of

from haversack.tokens import counter
from index import Memory

# Name, adapter, and what is installed of the tool: the Python that runs the adapter, or a program the adapter runs.
PEERS = {
    "bm25": ("bm25_baseline.py", "venvs/bm25/bin/python"),
    "semble": ("semble.py", "venvs/semble/bin/python"),
    "aider": ("aider_repomap.py", "venvs/aider/bin/python"),
    "entroly": ("entroly.py", "venvs/entroly/bin/entroly"),
    "jcodemunch": ("jcodemunch.py", "venvs/jcodemunch/bin/python"),
    "redcon": ("redcon.py", "venvs/redcon/bin/python"),
    "codegraph": ("codegraph.py", "npm/_colbymchenry_codegraph/node_modules/.bin/codegraph"),
    "probe": ("probe.py", "npm/probe"),
}
# A repository map lists its files by name and is shown whole, so its own ranking of them is the order that counts.
MAPS = {"aider"}
# The plain baseline over source files only: over every text file it finds half as much.
ENVIRONMENT = {"PYTHONHASHSEED": "0", "BM25_CODE_ONLY": "1"}
LONGEST_TASK = 100_000  # bytes one argument of a command may have, with room to spare
LARGEST_FILE = 2_000_000
LATE = "out of time"
NEARLY = 0.85  # of the limit: the kernel ends a process by a finer clock than the one it reports
BUSY = 10  # times the limit by the clock: on a busy machine processor time is what a tool is judged by
BASE = Path(os.environ.get("PEER_BASE", Path.home() / ".cache" / "haversack-peers"))


def installed(name: str, adapters: Path) -> bool:
    """Whether the tool can be tried here."""
    script, tool = PEERS[name]
    return (adapters / script).exists() and (BASE / tool).exists()


def texts_of(tree: Path) -> dict[str, str]:
    """Every text file git knows, by path."""
    listed = subprocess.run(["git", "-C", str(tree), "ls-files", "-z"], capture_output=True, check=True).stdout
    found = {}
    for name in listed.decode("utf-8", "surrogateescape").split("\0"):
        path = tree / name
        with contextlib.suppress(OSError):
            if name and not path.is_symlink() and path.stat().st_size <= LARGEST_FILE:
                found[name] = path.read_text(encoding="utf-8", errors="replace")
    return found


def peer_row(
    name: str,
    adapters: Path,
    tree: Path,
    task: dict[str, object],
    budget: int,
    *,
    seconds: float,
    texts: dict[str, str],
) -> dict[str, object]:
    """One task's prediction; without files and with an error when the tool fails or computes longer than `seconds`."""
    script, tool = PEERS[name]
    python = str(BASE / tool) if tool.endswith("/python") else sys.executable
    text = str(task["task"]).encode()[:LONGEST_TASK].decode("utf-8", "ignore").replace("\0", " ")
    command = [python, str(adapters / script), str(tree), text, str(budget)]
    before, started = _processor(), time.perf_counter()
    limit = int(seconds)
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "PEER_BASE": str(BASE), **ENVIRONMENT},
    ) as running:
        resource.prlimit(running.pid, resource.RLIMIT_CPU, (limit, limit))  # what it starts inherits it
        with Memory(running.pid) as memory:
            try:
                out, errors = running.communicate(timeout=BUSY * seconds)
            except subprocess.TimeoutExpired:
                out, errors = b"", b""
        # Nothing of it may be left, whether it answered or not.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
    used, taken = _processor() - before, time.perf_counter() - started
    row: dict[str, object] = {
        "id": task["id"],
        "files": [],
        "spans": [],
        "seconds": taken,
        "processor": used,
        "memory": memory.peak,
    }
    ended = running.returncode in (-signal.SIGKILL, -signal.SIGXCPU)
    late = ended or used >= NEARLY * seconds or taken >= BUSY * seconds
    try:
        told = json.loads(out.decode("utf-8", "replace").splitlines()[-1])
    except (ValueError, IndexError):
        return row | {"error": LATE if late else errors.decode("utf-8", "replace")[-300:] or "it printed nothing"}
    if not told["files"] and (late or told.get("err")):  # what the adapter had started was ended, or failed
        return row | {"error": LATE if late else str(told["err"])[-300:]}
    count = counter().count
    spans = spans_of(told["text"], texts, count, ranked=told["files"] if name in MAPS else ())
    return row | {
        "files": told["files"],
        "spans": [{"path": each.path, "start": each.start, "end": each.end, "tokens": each.tokens} for each in spans],
        "tokens": count(told["text"]),
        "seconds_index": told["seconds_index"],
        "seconds_query": told["seconds_query"],
    }


def _processor() -> float:
    """Seconds all finished children have computed."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
