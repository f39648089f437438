"""Warm searches in the library: run by bench/index.py in a process of its own."""

from __future__ import annotations

import json
import random
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from haversack import Haversack


def percentiles(seconds: list[float]) -> tuple[float, float]:
    ordered = sorted(seconds)
    return statistics.median(ordered) * 1e3, ordered[int(0.95 * (len(ordered) - 1))] * 1e3


def timed(calls: Sequence[Callable[[], object]]) -> tuple[float, float]:
    taken = []
    for call in calls:
        started = time.perf_counter()
        call()
        taken.append(time.perf_counter() - started)
    return percentiles(taken)


def main() -> None:
    tree, data, count = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    project = Haversack(tree, data_dir=data)
    snapshot = project.store.snapshot()
    from haversack.index.units import UnitReader
    from haversack.retrieve.search import Searcher

    generator = random.Random(0)
    living = snapshot.alive.nonzero()[0].tolist()
    units = [
        u
        for u in UnitReader(project.store, snapshot).at(sorted(generator.sample(living, min(4 * count, len(living)))))
        if u.name
    ]
    sentences = [" ".join((u.doc or u.signature or u.title).split()[:12]) or u.name for u in units][:count]
    names = [u.name for u in units][:count]
    phrases = [(u.signature or u.name)[:60] for u in units if u.signature][:count]
    searcher = Searcher(project.project, project.store, project.embedder)
    out = {}
    for view, queries in (
        ("lexical", sentences), ("semantic", sentences), ("symbolic", names), ("relational", names),
        ("hybrid", sentences), ("exact", phrases), ("regex", [rf"def {re.escape(n)}\b" for n in names[:8]]),
    ):  # fmt: skip
        for query in queries[:3]:
            searcher.search(query, view=view, limit=10)
        label = f"search, {view} view, {snapshot.count:,} units, warm"
        out[label] = timed([lambda q=q, v=view: searcher.search(q, view=v, limit=10) for q in queries])
    out["the same, hybrid, staleness checked first"] = timed([lambda q=q: project.search(q) for q in sentences[:50]])
    edited = next(tree / u.path for u in units if u.lang == "python" and u.path and not u.path.startswith("tests"))
    taken = []
    for number in range(10):
        with edited.open("a") as file:
            file.write(f"\n\ndef freshly_written_{number}_marker():\n    return {number}\n")
        started = time.perf_counter()
        hits = project.search(f"freshly_written_{number}_marker")
        taken.append(time.perf_counter() - started)
        assert hits[0].unit.name == f"freshly_written_{number}_marker", hits[:2]
    out["one file changed: the next search sees it"] = percentiles(taken)
    print(json.dumps(out))


if __name__ == "__main__":
    main()
