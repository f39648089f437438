"""How fast logs are read, grouped and indexed, and how well they are grouped: `python bench/logs.py LOGHUB`.

LOGHUB is a copy of the public repository logpai/loghub (its samples are for research and are not part of this project).
Grouping accuracy is the published measure: the share of lines whose group has exactly the lines of their true group.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Hashable, Sequence
from pathlib import Path

import numpy as np
from report import write

from haversack.sources.logs.templates import group

SIZE = 100_000_000
LEAST_SPEED, MOST_MEMORY, LEAST_ACCURACY = 20.0, 300.0, 0.90
# The best parser published with these samples and this measure: Brain (Yu et al., IEEE TSC 2023), whose repository in
# logpai/logparser lists them. It is told each system's line format; so is the column of messages grouped here.
BRAIN = {
    "Android": 0.9605, "Apache": 1.0, "BGL": 0.986, "HDFS": 0.9975, "HPC": 0.945, "Hadoop": 0.949, "HealthApp": 1.0,
    "Linux": 0.996, "Mac": 0.942, "OpenSSH": 1.0, "OpenStack": 1.0, "Proxifier": 1.0, "Spark": 0.9975,
    "Thunderbird": 0.971, "Windows": 0.997, "Zookeeper": 0.9875,
}  # fmt: skip
# In a process of its own: the time and the memory are those of nothing else.
INDEX = """
import json, resource, sys, time
from haversack import Haversack
started, spent = time.perf_counter(), time.process_time()
with Haversack(sys.argv[1], data_dir=sys.argv[2]) as haversack:
    haversack.index()
    units = haversack.store.counts()["logs"]
print(json.dumps({
    "seconds": time.perf_counter() - started, "processor": time.process_time() - spent,
    "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "units": units,
}))
"""
ALL_TIMES = 10_000_000  # hours: the digits of the samples' dates are drawn anew, so their times mean nothing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("loghub", type=Path)
    given = parser.parse_args()
    what = (
        "`python bench/logs.py LOGHUB`: the 2,000-line samples of the sixteen systems in logpai/loghub. For the speed "
        "they are repeated to 100 MB with every digit drawn anew each time, so that no line comes twice."
    )
    body = "\n\n".join([what, speed(given.loghub), accuracy(given.loghub)])
    print(body)
    write("Logs", body)


def speed(loghub: Path) -> str:
    """100 MB through the index, one core."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        size = enlarge(loghub, root / "logs")
        (root / "haversack.toml").write_text(f"[sources.logs]\nlog_window_hours = {ALL_TIMES}\n", encoding="utf-8")
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        done = subprocess.run(
            [sys.executable, "-c", INDEX, str(root), str(Path(folder) / "data")],
            capture_output=True, text=True, check=True, env=environment,
        )  # fmt: skip
    got = json.loads(done.stdout)
    rate = size / got["processor"] / 1e6
    rows = [
        "| figure | value | limit |",
        "|---|---|---|",
        f"| read, grouped, redacted, indexed | {rate:.1f} MB/s of one core | at least {LEAST_SPEED:.0f} |",
        f"| memory, all of the process | {got['memory']:.0f} MB | under {MOST_MEMORY:.0f} |",
        f"| size, units | {size / 1e6:.0f} MB, {got['units']} | |",
        f"| time by the clock | {got['seconds']:.1f} s | |",
    ]
    return "\n".join(rows)


def enlarge(loghub: Path, folder: Path) -> int:
    """The samples, repeated with other digits, one file a system."""
    folder.mkdir(parents=True)
    drawn = np.random.default_rng(7)
    samples = {system: (loghub / system / f"{system}_2k.log").read_bytes().rstrip(b"\n") + b"\n" for system in BRAIN}
    rounds = -(-SIZE // sum(map(len, samples.values())))
    total = 0
    for system, sample in samples.items():
        letters = np.frombuffer(sample, dtype=np.uint8)
        digits = (letters >= ord("0")) & (letters <= ord("9"))
        with (folder / f"{system}.log").open("wb") as file:
            for _ in range(rounds):
                other = letters.copy()
                other[digits] = drawn.integers(ord("0"), ord("9") + 1, int(digits.sum()), dtype=np.uint8)
                total += file.write(other.tobytes())
    return total


def accuracy(loghub: Path) -> str:
    """Grouping accuracy of each system beside the best published."""
    rows = [f"| system | grouping accuracy | {'Brain, as published'} |", "|---|---|---|"]
    found = []
    for system, published in BRAIN.items():
        with (loghub / system / f"{system}_2k.log_structured.csv").open(encoding="utf-8", newline="") as file:
            lines = list(csv.DictReader(file))
        found.append(agreement([line["EventId"] for line in lines], group(line["Content"] for line in lines)))
        rows.append(f"| {system} | {found[-1]:.3f} | {published:.3f} |")
    mean, best = sum(found) / len(found), sum(BRAIN.values()) / len(BRAIN)
    rows.append(f"| **mean** (at least {LEAST_ACCURACY:.2f}) | **{mean:.3f}** | **{best:.3f}** |")
    return "\n".join(rows)


def agreement(truth: Sequence[Hashable], groups: Sequence[Hashable]) -> float:
    """The share of lines whose group is exactly the true one."""
    made = {tuple(lines) for lines in _lines(groups)}
    return sum(len(lines) for lines in _lines(truth) if tuple(lines) in made) / len(truth)


def _lines(groups: Sequence[Hashable]) -> list[list[int]]:
    found: dict[Hashable, list[int]] = defaultdict(list)
    for number, name in enumerate(groups):
        found[name].append(number)
    return list(found.values())


if __name__ == "__main__":
    main()
