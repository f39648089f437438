"""The tables of `localize.py`: every tool on the same tasks, and where haversack is not first."""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from peers import LATE
from report import machine, today, write

Row = dict[str, object]
Scores = dict[str, float | None]

OURS = "haversack"
README = Path(__file__).parents[1] / "README.md"
SECTION = re.compile(r"(<!-- peers: [^\n]*-->\n).*?(<!-- end peers -->)", re.DOTALL)

RECALL = {
    "file@1": "file_recall@1",
    "file@5": "file_recall@5",
    "file@10": "file_recall@10",
    "mrr": "mrr",
    "func@2k": "func_recall@2000",
    "func@4k": "func_recall@4000",
    "func@8k": "func_recall@8000",
    "func@16k": "func_recall@16000",
    "line@8k": "line_recall@8000",
    "precision@8k": "precision@8000",
}
COST = ("tokens", "first index s", "next index s", "query p50 s", "p95 s", "processor s", "memory MB", "failed")
SHORT = ("file@1", "file@10", "func@2k", "func@8k")
SHORT_COST = ("tokens", "processor s", "memory MB")
USUAL_BUDGET = 16000  # one answer of this size is cut at the smaller budgets; others have sections of their own
FEWEST_IN_README = 3  # a run beside the plain baseline alone is no comparison of tools
BY_REPOSITORY = ("file@10", "func@8k")


@dataclass(frozen=True, slots=True)
class Tables:
    """All there is to say, the short form of it, the tasks every tool was given, and the tools."""

    whole: str
    short: str
    tasks: Sequence[Row]
    tools: Sequence[str]


class Scored:
    """What each tool reached on each task that every tool was given."""

    def __init__(self, scorer: Path, tasks: Sequence[Row], paths: dict[str, Path]) -> None:
        module = load_scorer(scorer)
        self.rows = {tool: _rows(path) for tool, path in paths.items() if path.exists()}
        self.rows = {tool: rows for tool, rows in self.rows.items() if rows}
        self.tasks = [task for task in tasks if all(task["id"] in rows for rows in self.rows.values())]
        self.scores: dict[str, dict[object, Scores]] = {
            tool: {task["id"]: module.score_code(task, rows[task["id"]]) for task in self.tasks}
            for tool, rows in self.rows.items()
        }

    def mean(self, tool: str, measure: str, tasks: Iterable[Row]) -> float:
        told = (self.scores[tool][task["id"]][measure] for task in tasks)
        return _mean([each for each in told if each is not None])

    def costs(self, tool: str, tasks: Sequence[Row]) -> list[str]:
        rows = [self.rows[tool][task["id"]] for task in tasks]
        first = [row for row in rows if row.get("first")]
        later = [row for row in rows if not row.get("first")]
        if not _numbers(rows, "tokens"):  # made elsewhere: what they cost is not known
            return ["–"] * len(COST)
        return [
            f"{_mean(_numbers(rows, 'tokens')):,.0f}",
            f"{_mean(_numbers(first, 'seconds_index')):.1f}",
            f"{_mean(_numbers(later, 'seconds_index')):.1f}",
            f"{_share(_numbers(rows, 'seconds_query'), 0.5):.2f}",
            f"{_share(_numbers(rows, 'seconds_query'), 0.95):.2f}",
            f"{_mean(_numbers(rows, 'processor')):.1f}",
            f"{_mean(_numbers(rows, 'memory')) / 1e6:.0f}",
            str(sum(1 for row in rows if row.get("error"))),
        ]


def tables(scorer: Path, tasks: Sequence[Row], paths: dict[str, Path]) -> Tables:
    """Recall and cost of every tool that has rows, one line per task file and tool; then by repository."""
    scored = Scored(scorer, tasks, paths)
    sets = sorted({str(task["from"]) for task in scored.tasks})
    groups = {
        f"{each}, {named}": [t for t in scored.tasks if t["from"] == each and (named == "all" or not names_path(t))]
        for each in sets
        for named in ("all", "no path named")
    }
    lines = [*_head(["tasks", "tool", "n", *RECALL, *COST])]
    for name, group in groups.items():
        for tool in scored.rows:
            means = [f"{scored.mean(tool, measure, group):.3f}" for measure in RECALL.values()]
            lines.append(_line([name, tool, str(len(group)), *means, *scored.costs(tool, group)]))
    parts = ["\n".join(lines), _failures(scored)]
    if len(scored.rows) > 1:
        parts += [_behind(scored, groups), *(_by_repository(scored, measure) for measure in BY_REPOSITORY)]
    elif len(scored.rows) == 1:
        parts.append(_alone(scored))
    return Tables("\n\n".join(filter(None, parts)), _short(scored, sets), scored.tasks, list(scored.rows))


def names_path(task: Row) -> bool:
    """Whether the text names a file that has to be changed."""
    leak = task.get("leak")
    return bool(leak.get("path")) if isinstance(leak, dict) else bool(leak)


def record(told: Tables, options: argparse.Namespace) -> None:
    """Put the tables where they are read: in the README only where haversack stands beside several others."""
    which = options.ids.stem if options.ids else f"a sample of {options.sample}" if options.sample else "all tasks"
    trees = f", trees of at most {options.most_files:,} files" if options.most_files else ""
    asked = "" if options.budget == USUAL_BUDGET else f", asked for {options.budget:,} tokens"
    section = f"Localisation: {which}{asked}" + (", with peers" if options.peers else "")
    write(section, f"`python {_command(options)}`: {about(told.tasks, options, trees)}\n\n{told.whole}")
    if len(told.tools) < FEWEST_IN_README or OURS not in told.tools:
        return
    link = f"[bench/RESULTS.md](bench/RESULTS.md#{_anchor(section)})"
    said = f"{today()}, {machine()}, by `python {_command(options)}`; by repository and more in {link}."
    body = f"{said} {about(told.tasks, options, trees)}\n\n{told.short}\n"
    text = README.read_text(encoding="utf-8")
    README.write_text(SECTION.sub(lambda found: found[1] + body + found[2], text), encoding="utf-8")


def about(tasks: Sequence[Row], options: argparse.Namespace, trees: str) -> str:
    """What was measured, and how everybody was treated."""
    told = (
        f"{len(tasks)} tasks from {len({task['repo'] for task in tasks})} repositories{trees}, one answer of"
        f" {options.budget:,} tokens for each, cut at the smaller budgets in its own order. Every token a tool"
        " prints is counted with o200k and charged to the lines that follow it; what a text shows is found by laying it"
        " beside the files it names."
    )
    if options.rows:
        told += f" The rows of {' and '.join(name for name, _ in options.rows)} were made by a program of its own."
    if options.peers:
        told += (
            f" A tool that fails or computes for longer than {options.seconds:.0f} s found nothing. The clock ran on a"
            " busy machine: compare processor time, which covers start, index and query. Memory is the peak of all"
            " processes of a task."
        )
    return told


def _command(options: argparse.Namespace) -> str:
    given = [
        ("--budget", options.budget if options.budget != USUAL_BUDGET else None),
        ("--limit", options.limit),
        ("--sample", options.sample),
        ("--most-files", options.most_files),
        ("--peers", options.peers or None),
        *(("--rows", f"{name}=FILE") for name, _ in options.rows),
    ]
    told = " ".join(f"{flag} {value}" for flag, value in given if value)
    return f"bench/localize.py --tasks … --mirror DIR --out PRED.jsonl {told} --scorer score.py --record".replace(
        "  ", " "
    )


def _behind(scored: Scored, groups: dict[str, list[Row]]) -> str:
    """Where another tool is ahead of haversack, with the figures."""
    if OURS not in scored.rows:
        return ""
    found = []
    for name, group in groups.items():
        for column, measure in RECALL.items():
            ours = scored.mean(OURS, measure, group)
            best = max((tool for tool in scored.rows if tool != OURS), key=lambda t: scored.mean(t, measure, group))
            theirs = scored.mean(best, measure, group)
            if theirs > ours:
                found.append(f"{name}, {column}: {best} {theirs:.3f}, haversack {ours:.3f}")
    return "haversack is first in every column of recall and precision." if not found else (
        "haversack is not first in: " + "; ".join(found) + "."
    )  # fmt: skip


def _by_repository(scored: Scored, column: str) -> str:
    lines = [f"{column} by repository:", "", *_head(["repository", "n", *scored.rows])]
    for repo, group in _repositories(scored).items():
        means = [scored.mean(tool, RECALL[column], group) for tool in scored.rows]
        lines.append(_line([repo, str(len(group)), *(_best(mean, means) for mean in means)]))
    means = [_mean([scored.mean(t, RECALL[column], g) for g in _repositories(scored).values()]) for t in scored.rows]
    lines.append(_line(["mean of repositories", "", *(_best(mean, means) for mean in means)]))
    return "\n".join(lines)


def _alone(scored: Scored) -> str:
    (tool,) = scored.rows
    lines = ["By repository:", "", *_head(["repository", "n", *RECALL])]
    for repo, group in _repositories(scored).items():
        lines.append(_line([repo, str(len(group)), *(f"{scored.mean(tool, m, group):.3f}" for m in RECALL.values())]))
    return "\n".join(lines)


def _repositories(scored: Scored) -> dict[str, list[Row]]:
    names = sorted({str(task["repo"]) for task in scored.tasks}, key=str.casefold)
    return {name: [task for task in scored.tasks if task["repo"] == name] for name in names}


def _failures(scored: Scored) -> str:
    told = []
    for tool, rows in scored.rows.items():
        late = sum(1 for t in scored.tasks if str(rows[t["id"]].get("error", "")).startswith(LATE))
        broken = sum(1 for t in scored.tasks if rows[t["id"]].get("error")) - late
        told += [f"{tool} did not answer in time for {late}"] * bool(late)
        told += [f"{tool} failed on {broken}"] * bool(broken)
    return f"Of {len(scored.tasks)} tasks {', '.join(told)}." if told else ""


def _short(scored: Scored, sets: Sequence[str]) -> str:
    """One line per tool: what the README shows."""
    lines = [*_head(["", *(f"{each}: {column}" for each in sets for column in SHORT), *SHORT_COST])]
    means = {
        tool: [
            scored.mean(tool, RECALL[column], [task for task in scored.tasks if task["from"] == each])
            for each in sets
            for column in SHORT
        ]
        for tool in scored.rows
    }
    for tool, mine in means.items():
        cells = [_best(mean, among) for mean, among in zip(mine, zip(*means.values(), strict=True), strict=True)]
        costs = dict(zip(COST, scored.costs(tool, scored.tasks), strict=True))
        lines.append(_line([tool, *cells, *(costs[name] for name in SHORT_COST)]))
    return "\n".join(lines)


def _best(mean: float, among: Sequence[float]) -> str:
    return f"**{mean:.2f}**" if len(among) > 1 and mean == max(among) else f"{mean:.2f}"


def _anchor(section: str) -> str:
    return re.sub(r"[^\w -]", "", section.lower()).replace(" ", "-")


def _head(names: Sequence[str]) -> list[str]:
    return [_line(names), "|" + "---|" * len(names)]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _rows(path: Path) -> dict[object, Row]:
    return {row["id"]: row for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())}


def _numbers(rows: Iterable[Row], key: str) -> list[float]:
    return [float(str(row[key])) for row in rows if key in row]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _share(values: Sequence[float], share: float) -> float:
    """The value that this share of them does not exceed."""
    return sorted(values)[int(share * (len(values) - 1))] if values else 0.0


def load_scorer(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("scorer", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
