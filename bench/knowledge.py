"""How a project's own knowledge is read, packed and ranked: `python bench/knowledge.py PROJECT`.

PROJECT is a folder that holds `.context/`; the figures of the record are those of the public ctx project at v0.8.0.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from report import write

from haversack import Haversack
from haversack.assemble.agent_rank import rank
from haversack.retrieve.knowledge import Entry, entries
from haversack.retrieve.understand import understand
from haversack.score import profile
from haversack.tokens import counter

BUDGETS = (0, 100, 500, 1000, 2000, 4000, 8000, 16000, 32000)
# What the reference implementation emits, where the issue says so.
REFERENCE = {500: 2742, 8000: 9388}
WARM = 15
FIRST = 5
COMMON = 0.1  # a name in more than a tenth of the entries tells nothing about any of them

PARSE = """
import sys, time
from pathlib import Path
started, spent = time.perf_counter(), time.process_time()
from haversack.sources.knowledge import KnowledgeSource
from haversack.sources.protocol import TextFile
from haversack.model import Role
source, units = KnowledgeSource(), 0
for path in sorted(Path(sys.argv[1]).rglob("*.md")):
    text = path.read_text(encoding="utf-8", errors="replace")
    file = TextFile(f".context/{path.name}", text, "markdown", Role.DOCS, len(text), time.time_ns(), "")
    units += len(list(source.units(file)))
print((time.perf_counter() - started) * 1e3, (time.process_time() - spent) * 1e3, units)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("project", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        shutil.copytree(given.project / ".context", root / ".context")
        for path in (root / ".context", *(root / ".context").rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        with Haversack(root, data_dir=Path(folder) / "data") as haversack:
            haversack.index()
            what = "`python bench/knowledge.py PROJECT`: the public knowledge files of ctx v0.8.0."
            body = "\n\n".join([what, parsing(root), packets(haversack), ranking(haversack)])
    print(body)
    write("Project knowledge", body)


def parsing(root: Path) -> str:
    """Counts beside what grep counts, and the time a new process takes to import the parser and read everything."""
    runs = [
        subprocess.run(
            [sys.executable, "-c", PARSE, str(root / ".context")], capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(5)
    ]
    wall, processor = (statistics.median(float(run[column]) for run in runs) for column in (0, 1))
    size = sum(path.stat().st_size for path in (root / ".context").rglob("*.md"))
    rows = ["| kind | found | counted with grep |", "|---|---|---|"]
    with Haversack(root, data_dir=root.parent / "counts") as haversack:
        haversack.index()
        found = entries(haversack.store)
    for kind, file, pattern in (
        ("decision", "DECISIONS.md", r"^## \["),
        ("learning", "LEARNINGS.md", r"^## \["),
        ("task", "TASKS.md", r"^\s*[-*] \[.\]"),
        ("rule", "CONSTITUTION.md", r"^- "),
        ("convention", "CONVENTIONS.md", r"^- "),
    ):
        text = (root / ".context" / file).read_text(encoding="utf-8")
        counted = len(re.findall(pattern, text, re.MULTILINE))
        rows.append(f"| {kind} | {sum(each.kind == kind for each in found)} | {counted} |")
    rows.append(
        f"\nParsed cold, a new process with its imports, {size / 1e3:.0f} kB: {wall:.0f} ms (processor "
        f"{processor:.0f} ms, median of 5)."
    )
    return "\n".join(rows)


def packets(haversack: Haversack) -> str:
    """Every budget: tokens of the text itself, share of the budget used."""
    rows = ["| budget | Markdown | used | JSON | used | reference implementation |", "|---|---|---|---|---|---|"]
    count = counter().count
    for budget in BUDGETS:
        cells = [f"{budget:,}"]
        for form in ("md", "json"):
            tokens = count(haversack.agent(budget=budget, format=form).text)
            assert not budget or tokens <= budget
            cells += [f"{tokens:,}", f"{tokens / budget:.1%}" if budget else "rules and instruction"]
        cells.append(f"{REFERENCE[budget]:,}" if budget in REFERENCE else "")
        rows.append(f"| {' | '.join(cells)} |")
    wall, cpu = [], []
    for _ in range(WARM):
        started, spent = time.perf_counter(), time.process_time()
        haversack.agent()
        wall.append((time.perf_counter() - started) * 1e3)
        cpu.append((time.process_time() - spent) * 1e3)
    rows.append(
        f"\nAn agent packet of 8,000 tokens, warm: {statistics.median(wall):.0f} ms (processor "
        f"{statistics.median(cpu):.0f} ms, best {min(wall):.0f} ms, {WARM} runs)."
    )
    return "\n".join(rows)


def ranking(haversack: Haversack) -> str:
    """For each task that names something only a few entries name: is one of those among the first five?"""
    found = entries(haversack.store)
    about = [each for each in found if each.kind in ("decision", "learning") and each.live]
    texts = {each.unit.id: haversack.show(each.unit.id).text for each in about}
    cases = list(_cases([each for each in found if each.kind == "task"], haversack, texts))
    rows = [
        f"{len(cases)} tasks name something that some of the {len(about)} decisions and learnings name, too (at most a "
        f"tenth of them). One of those is among the first {FIRST}:",
        "",
        "| profile | tasks | share | entries with the highest score of their task |",
        "|---|---|---|---|",
    ]
    for name in ("default", "ctx"):
        hits, tied = 0, []
        for task, relevant in cases:
            scored = rank(haversack.store, haversack.embedder, about, texts, understand(task), profile(name))
            ordered = sorted(about, key=lambda each: (-scored[each.unit.id].score, each.unit.path, each.position))
            hits += any(each.unit.id in relevant for each in ordered[:FIRST])
            best = scored[ordered[0].unit.id].score
            tied.append(sum(each.score >= best - 1e-9 for each in scored.values()))
        rows.append(f"| {name} | {hits} of {len(cases)} | {hits / len(cases):.1%} | {statistics.mean(tied):.1f} |")
    return "\n".join(rows)


def _cases(tasks: list[Entry], haversack: Haversack, texts: dict[str, str]) -> Iterator[tuple[str, set[str]]]:
    for each in tasks:
        names = [
            ref for ref in each.unit.refs if len(ref) > 4 and not ref.startswith((".context/", "specs/", "ideas/"))
        ]
        relevant = {
            key
            for name in names
            for key in (key for key, text in texts.items() if name in text)
            if sum(name in text for text in texts.values()) <= COMMON * len(texts)
        }
        if relevant:
            yield haversack.show(each.unit.id).text, relevant


if __name__ == "__main__":
    main()
