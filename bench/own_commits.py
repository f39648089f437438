"""How long `haversack eval` takes on a project's own commits, and what it says.

    python bench/own_commits.py --tree DIR [--name NAME] [--commits 100] [--write]

The command a user would run, in a process of its own and with an index of its own; `--write` puts the table into
RESULTS.md.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import report  # bench is a folder of scripts, not a package

LIMIT = 300  # seconds for 100 commits of a project of 1,000 files


def _fallen(tasks: list[dict[str, list[dict[str, float]]]]) -> int:
    shares = ([at["lines"] for at in task["shown"]] for task in tasks)
    return sum(any(more < less for less, more in pairwise(each)) for each in shares)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, required=True)
    parser.add_argument("--name")
    parser.add_argument("--commits", type=int, default=100)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    files = len(subprocess.run(["git", "ls-files"], cwd=options.tree, capture_output=True, check=True).stdout.split())
    program = [str(Path(sys.executable).parent / "haversack"), "-C", str(options.tree)]
    with tempfile.TemporaryDirectory() as data:
        started = time.perf_counter()
        done = subprocess.run(
            [*program, "--data-dir", data, "eval", "--commits", str(options.commits), "--json"],
            stdout=subprocess.PIPE,
            check=True,
            env={key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"},
        )
        seconds = time.perf_counter() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = json.loads(done.stdout)
    rows = [
        f"| {files:,} files, {len(told['tasks'])} commits, packets of {len(told['budgets'])} sizes for each |"
        f" {seconds:.0f} s, {used.ru_utime + used.ru_stime:.0f} s of processor time | {LIMIT} s |",
        f"| peak memory of its largest process | {used.ru_maxrss / 1024:.0f} MB | |",
        *(
            f"| changed files and lines shown at {at['budget']:,} tokens | {at['files']:.0%}, {at['lines']:.0%} | |"
            for at in told["budgets"]
        ),
        f"| commits of which a larger packet shows less than a smaller one | {_fallen(told['tasks'])} | 0 |",
        f"| load average at the end, on {os.cpu_count()} cores | {os.getloadavg()[0]:.1f} | |",
    ]
    body = "| what | measured | limit |\n|---|---|---|\n" + "\n".join(rows)
    print(body)
    if options.write:
        name = options.name or options.tree.name
        about = f"`python bench/own_commits.py --tree DIR --commits {options.commits} --write`"
        report.write(f"haversack eval: {name}", f"{about}\n\n{body}")


if __name__ == "__main__":
    main()
