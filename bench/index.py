"""How fast, large and fresh the index is, on one tree, beside the peers in the same run.

    python bench/index.py --tree DIR [--name NAME] [--peers semble,aider --adapters DIR] [--large DIR] [--write]

Prints a table; `--write` puts it into bench/RESULTS.md. `--large` adds trees that are only indexed: throughput, memory.
The tree is never changed: it is copied first, because one file of it is edited.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import report  # bench is a folder of scripts, not a package

SAMPLED_SECONDS = 0.25  # often enough for a peak that lasts, seldom enough not to slow what is measured
PAGE = os.sysconf("SC_PAGE_SIZE")
PEER_FILES = {"semble": "semble.py", "aider": "aider_repomap.py", "codegraph": "codegraph.py"}
PEER_PYTHON = {"semble": "venvs/semble/bin/python", "aider": "venvs/aider/bin/python", "codegraph": sys.executable}
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


class Memory:
    """Peak of the memory of a process and all its descendants, sampled; pages they share count once."""

    def __init__(self, pid: int) -> None:
        self.peak = 0
        self._pid = pid
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Memory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(SAMPLED_SECONDS):
            self.peak = max(self.peak, sum(map(_resident, _family(self._pid))))


def _family(pid: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError, IndexError, ValueError):
                fields = Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
                parents.setdefault(int(fields[1]), []).append(int(entry))
    found, todo = [], [pid]
    while todo:
        found.append(todo.pop())
        todo += parents.get(found[-1], [])
    return found


def _resident(pid: int) -> int:
    """The proportional set size where the system tells it, else the resident set."""
    with contextlib.suppress(OSError, IndexError, ValueError):
        for line in Path("/proc", str(pid), "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    with contextlib.suppress(OSError, IndexError, ValueError):
        return int(Path("/proc", str(pid), "statm").read_text().split()[1]) * PAGE
    return 0


def run(command: list[str], **more: object) -> tuple[float, int, str]:
    """Seconds, peak bytes, standard output."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=ENVIRONMENT, **more)
    with Memory(process.pid) as memory:
        out, _ = process.communicate()
    if process.returncode:
        raise SystemExit(f"{' '.join(command[:6])} … ended with {process.returncode}")
    return time.perf_counter() - started, memory.peak, out.decode()


def haversack(*arguments: str) -> list[str]:
    return [str(Path(sys.executable).parent / "haversack"), *arguments]


def first_index(tree: Path, data: Path) -> dict[str, object]:
    shutil.rmtree(data, ignore_errors=True)
    seconds, peak, out = run(haversack("-C", str(tree), "--data-dir", str(data), "--json", "index"))
    told = json.loads(out)
    return {
        "seconds": seconds,
        "peak": peak,
        "files": told["files"],
        "units": told["units"],
        "text": told["text_bytes"],
        "disk": told["index_bytes"],
    }


def shell(times: int, *arguments: str) -> float:
    """Median seconds of a command, Python's start included."""
    run(haversack(*arguments))
    return statistics.median(run(haversack(*arguments))[0] for _ in range(times))


def library(tree: Path, data: Path, queries: int) -> dict[str, tuple[float, float]]:
    """p50 and p95 in milliseconds of warm searches per view, and of seeing an edit."""
    code = Path(__file__).with_name("index_library.py")
    _, _, out = run([sys.executable, str(code), str(tree), str(data), str(queries)])
    return {name: tuple(pair) for name, pair in json.loads(out).items()}


def imports() -> float:
    """Median seconds that `import haversack` adds to an empty interpreter."""

    def once(code: str) -> float:
        return run([sys.executable, "-I", "-c", code])[0]

    once("import haversack")
    empty = statistics.median(once("pass") for _ in range(9))
    return statistics.median(once("import haversack") for _ in range(9)) - empty


@contextlib.contextmanager
def copied(tree: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / tree.name
        shutil.copytree(tree, copy, symlinks=True)
        yield copy


def peer(name: str, tree: Path, adapters: Path) -> tuple[float, int] | None:
    base = Path(ENVIRONMENT.get("PEER_BASE", Path.home() / ".cache" / "haversack-peers"))
    python = PEER_PYTHON[name] if name == "codegraph" else str(base / PEER_PYTHON[name])
    if not Path(python).exists():
        return None
    environment = {**ENVIRONMENT, "PEER_COLD": "1", "PYTHONHASHSEED": "0"}
    process = subprocess.Popen(
        [python, str(adapters / PEER_FILES[name]), str(tree), "load a tokenizer from a file", "8000"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
    )  # fmt: skip
    with Memory(process.pid) as memory:
        out, _ = process.communicate()
    try:
        return float(json.loads(out)["seconds_index"]), memory.peak
    except (ValueError, KeyError):
        return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, required=True)
    parser.add_argument("--name")
    parser.add_argument("--large", type=Path, action="append", default=[])
    parser.add_argument("--peers", default="")
    parser.add_argument("--adapters", type=Path)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows: list[tuple[str, str, str]] = []
    with copied(options.tree) as tree, tempfile.TemporaryDirectory() as data_folder:
        data = Path(data_folder) / "data"
        first = first_index(tree, data)
        files, seconds = int(str(first["files"])), float(str(first["seconds"]))
        rate = files / seconds
        text, disk = int(str(first["text"])), int(str(first["disk"]))
        rows += [
            (
                f"first index, {files:,} files, {first['units']:,} units, {text / 1e6:.0f} MB",
                f"{seconds:.1f} s",
                "≤ 20 s",
            ),
            ("memory of it, all processes", f"{int(str(first['peak'])) / 1e6:.0f} MB", "< 700 MB"),
            ("index on disk / text", f"{disk / text:.2f}", "< 1.5"),
        ]
        place = ("-C", str(tree), "--data-dir", str(data))
        rows.append(("`haversack status`, nothing changed", f"{shell(7, *place, 'status') * 1e3:.0f} ms", "< 300 ms"))
        rows.append(
            (
                "`haversack search` from the shell",
                f"{shell(7, *place, 'search', 'load tokenizer from file') * 1e3:.0f} ms",
                "< 400 ms",
            )
        )
        for name, (p50, p95) in library(tree, data, options.queries).items():
            limit = (
                "< 200 ms"
                if name.startswith("one file")
                else "p50 < 20, p95 < 60 ms"
                if "regex" not in name
                else "no limit set"
            )
            rows.append((name, f"p50 {p50:.1f} ms, p95 {p95:.1f} ms", limit))
        rows.append(("`import haversack`", f"{imports() * 1e3:.0f} ms", "< 60 ms"))
        rows.append(("`haversack --help`", f"{shell(7, '--help') * 1e3:.0f} ms", "< 150 ms"))
        for large in options.large:
            told = first_index(large, Path(data_folder) / "large")
            share = int(str(told["files"])) / float(str(told["seconds"])) / rate
            rows.append((
                f"first index of {large.name}, {told['files']:,} files, {told['units']:,} units",
                f"{float(str(told['seconds'])):.0f} s, {share:.0%} of the rate above, "
                f"{int(str(told['peak'])) / 1e6:.0f} MB, "
                f"{int(str(told['disk'])) / int(str(told['text'])):.2f} × text",
                "≥ 70 %, < 2,000 MB, < 1.5",
            ))  # fmt: skip
        for name in filter(None, options.peers.split(",")):
            result = peer(name, tree, options.adapters)
            rows.append(
                (
                    f"peer {name}: first index",
                    "not installed" if result is None else f"{result[0]:.1f} s, {result[1] / 1e6:.0f} MB",
                    "slower than us",
                )
            )
    body = "| what | measured | limit |\n|---|---|---|\n" + "\n".join(f"| {a} | {b} | {c} |" for a, b, c in rows)
    name = options.name or options.tree.name
    command = re.sub(r"\S*/", "", " ".join(sys.argv))
    print(body)
    if options.write:
        report.write(f"Index: {name}", f"`python bench/{command}`\n\n{body}\n")


if __name__ == "__main__":
    random.seed(0)
    main()
