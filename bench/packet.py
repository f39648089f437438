"""A whole packet: how long it takes, whether it keeps its budget, whether it is the same every time.

    python bench/packet.py --tree DIR [--name NAME] [--tasks 100] [--texts FILE --repo OWNER/NAME] [--write]

The tasks are subjects of the project's own commits, or with `--texts` the issues and messages of that repository in a
task file (one JSON object per line: repo, task). Times are in the library, warm: index open, staleness checked
each time, every task a new one. `--write` puts the table into RESULTS.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import report  # bench is a folder of scripts, not a package

from haversack import Haversack  # after the path above
from haversack.index.units import UnitReader
from haversack.tokens import counter

BUDGETS = (500, 1000, 2000, 4000, 8000, 16000, 32000)
PROCESSES = 20
NEEDED = "import haversack.cli.main, haversack.api, haversack.assemble.run, haversack.index.sqlite"
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def tasks_of(project: Haversack, number: int) -> list[str]:
    """Subjects of commits, spread over the history."""
    snapshot = project.store.snapshot()
    positions = snapshot.sources["commits"].nonzero()[0].tolist()
    units = sorted(UnitReader(project.store, snapshot).at(positions), key=lambda unit: unit.id)
    subjects = [unit.title for unit in units if len(unit.title.split()) >= 5]
    return subjects[:: max(1, len(subjects) // number)][:number]


def texts_in(file: Path, repo: str) -> list[str]:
    """The tasks of one repository, as they were written."""
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return [row["task"] for row in rows if row["repo"] == repo]


def percentiles(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    return f"p50 {statistics.median(ordered) * 1e3:.0f} ms, p95 {ordered[int(0.95 * (len(ordered) - 1))] * 1e3:.0f} ms"


def start_of(code: str) -> float:
    """Milliseconds until a fresh Python has run a line, the median of seven."""
    taken = []
    for _ in range(7):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, env=ENVIRONMENT)
        taken.append((time.perf_counter() - began) * 1e3)
    return statistics.median(taken)


def shell(tree: Path, data: Path, task: str, **environment: str) -> tuple[float, bytes]:
    started = time.perf_counter()
    done = subprocess.run(
        [str(Path(sys.executable).parent / "haversack"), "-C", str(tree), "--data-dir", str(data), "pack", task],
        capture_output=True,
        check=True,
        env={**ENVIRONMENT, **environment},
    )
    return time.perf_counter() - started, done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, required=True)
    parser.add_argument("--name")
    parser.add_argument("--tasks", type=int, default=100)
    parser.add_argument("--texts", type=Path, action="append", default=[])
    parser.add_argument("--repo", default="")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows: list[tuple[str, str, str]] = []
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder, Haversack(options.tree, data_dir=folder) as project:
        files = project.index().files
        texts = [text for file in options.texts for text in texts_in(file, options.repo)]
        tasks = texts[: options.tasks] or tasks_of(project, options.tasks)
        for task in tasks[:5]:
            project.pack(task)
        taken, stages = [], {}
        for task in tasks[5:]:
            started = time.perf_counter()
            packet = project.pack(task, budget=8000)
            taken.append(time.perf_counter() - started)
            for stage, spent in packet.timings.items():
                stages.setdefault(stage, []).append(spent)
        rows.append(
            (
                f"pack, {files:,} files, 8,000 tokens, {len(taken)} tasks, library, warm",
                percentiles(taken),
                "p50 < 150 ms, p95 < 400 ms",
            )
        )
        medians = ", ".join(f"{stage} {statistics.median(spent):.0f}" for stage, spent in stages.items())
        rows.append(("median of its stages, ms", medians, ""))
        shell(options.tree, Path(folder), tasks[0])
        rows.append(
            (
                "`haversack pack` from the shell, warm",
                percentiles([shell(options.tree, Path(folder), task)[0] for task in tasks[1:8]]),
                "< 600 ms",
            )
        )
        rows.append(
            (
                "of that: starting Python; importing numpy; importing all that a packet needs, numpy too",
                "; ".join(f"{start_of(code):.0f} ms" for code in ("pass", "import numpy", NEEDED)),
                "",
            )
        )
        over = used = 0
        shares = []
        for task in tasks[:: max(1, len(tasks) // 12)]:
            for budget in BUDGETS:
                packet = project.pack(task, budget=budget)
                over += counter("o200k").count(packet.text) > budget
                used += 1
                if any(each.reason in ("budget", "section cap") for each in packet.omitted):
                    shares.append(packet.tokens / budget)
        rows.append((f"packets over budget, {used} packets at budgets {BUDGETS[0]}–{BUDGETS[-1]:,}", str(over), "0"))
        rows.append(
            (
                "budget used where something above the threshold was left out",
                f"mean {statistics.mean(shares):.1%}, least {min(shares):.1%} of {len(shares)}",
                "≥ 97 %",
            )
        )
        hashes = {
            hashlib.sha256(shell(options.tree, Path(folder), tasks[0], PYTHONHASHSEED=str(seed))[1]).hexdigest()
            for seed in range(PROCESSES)
        }
        rows.append((f"different outputs of {PROCESSES} processes with different hash seeds", str(len(hashes)), "1"))
    # Times mean little without it: other work on the machine is in them.
    load = " and ".join(f"{each:.1f}" for each in (before, os.getloadavg()[0]))
    rows.append((f"load average before and after, on {os.cpu_count()} cores", load, ""))
    body = "| what | measured | limit |\n|---|---|---|\n" + "\n".join(f"| {a} | {b} | {c} |" for a, b, c in rows)
    print(body)
    if options.write:
        command = re.sub(r"\S*/", "", " ".join(sys.argv))
        report.write(f"Packet: {options.name or options.tree.name}", f"`python bench/{command}`\n\n{body}\n")


if __name__ == "__main__":
    main()
