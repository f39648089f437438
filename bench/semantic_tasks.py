"""What the semantic view adds on tasks: the same tasks with it, without it, and with an encoder looking again.

    python bench/semantic_tasks.py --tasks FILE --tasks FILE --mirror DIR --out PRED.jsonl --scorer score.py
        [--budget 16000] [--limit N] [--ids FILE] [--sample N] [--most-files N] [--resume] [--minilm] [--record]

Tasks, mirror and scorer are those of `localize.py`. Rows go to PRED.jsonl, PRED.without.jsonl, PRED.minilm.jsonl. The
table has file@10 and func_recall@8000 by task file and language, and the gain, whatever it is. `--minilm` needs the
extra of that name; the encoder gets all the time it takes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from localize import Out, Row, Tree, by_repository, chosen, row, task_options, time_of
from localize_table import Scored
from report import write

WITH, WITHOUT, MINILM = "with", "without", "minilm"
WAYS: Mapping[str, Mapping[str, str]] = {
    WITH: {},
    WITHOUT: {"HAVERSACK_INDEX__SEMANTIC": "false"},
    MINILM: {"HAVERSACK_INDEX__RERANK": "minilm", "HAVERSACK_INDEX__RERANK_SECONDS": "60"},
}
MEASURES = {"file@10": "file_recall@10", "func@8k": "func_recall@8000"}


def run_repository(mirror: Path, tasks: Sequence[Row], outs: Mapping[str, Out], budget: int) -> None:
    """Every task of one repository in every way, oldest base commit first."""
    times = {str(task["base_commit"]): time_of(mirror, str(task["base_commit"])) for task in tasks}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        tree = Tree(mirror, folder / "tree")
        for task in sorted(tasks, key=lambda task: (times[str(task["base_commit"])], str(task["id"]))):
            missing = [way for way, out in outs.items() if task["id"] not in out.done]
            if not missing:
                continue
            try:
                tree.move(str(task["base_commit"]))
            except subprocess.CalledProcessError as error:
                print(f"{task['id']}: {error.stderr.decode()[-300:]}", file=sys.stderr)
                continue
            for way in missing:
                os.environ.update(WAYS[way])
                outs[way].write(row(tree.folder, folder / "data", task, budget))
                for name in WAYS[way]:
                    del os.environ[name]


def table(scored: Scored) -> str:
    """A line for each task file and language, one for each task file as a whole."""
    ways = list(scored.rows)
    columns = [f"{name}, {way}" for name in MEASURES for way in ways]
    gains = [f"{name}, gain of the view" for name in MEASURES] if WITHOUT in ways else []
    lines = [f"| tasks | n | {' | '.join([*columns, *gains])} |", "|" + "---|" * (2 + len(columns) + len(gains))]
    for name in sorted({str(task["from"]) for task in scored.tasks}):
        group = [task for task in scored.tasks if task["from"] == name]
        parts = {f"{name}, all": group} | {
            f"{name}, {lang}": [task for task in group if task["language"] == lang]
            for lang in sorted({str(task["language"]) for task in group})
        }
        for label, mine in parts.items():
            means = {(m, w): scored.mean(w, measure, mine) for m, measure in MEASURES.items() for w in ways}
            cells = [f"{means[m, w]:.3f}" for m in MEASURES for w in ways]
            cells += [f"{means[m, WITH] - means[m, WITHOUT]:+.3f}" for m in MEASURES if gains]
            lines.append(f"| {label} | {len(mine)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    parser = task_options(__doc__)
    parser.add_argument("--scorer", type=Path, required=True)
    parser.add_argument("--minilm", action="store_true", help="also with index.rerank = minilm")
    options = parser.parse_args()
    tasks = chosen(options)
    ways = [WITH, WITHOUT, *([MINILM] if options.minilm else [])]
    paths = {way: options.out if way == WITH else options.out.with_suffix(f".{way}.jsonl") for way in ways}
    outs = {way: Out(path, resume=options.resume) for way, path in paths.items()}
    by_repository(tasks, options.mirror, lambda mirror, mine: run_repository(mirror, mine, outs, options.budget))
    body = table(Scored(options.scorer, tasks, paths))
    print(body)
    if options.record:
        said = f"`python bench/semantic_tasks.py`: {len(tasks)} tasks, packets of {options.budget:,} tokens."
        write("Semantic view on tasks", f"{said}\n\n{body}")


if __name__ == "__main__":
    main()
