"""What a language model that reads the first pieces of code is worth: the same tasks with it and without.

    python bench/reader.py --tasks FILE --mirror DIR --out FOLDER --scorer score.py [--sample N] [--ids FILE]
        [--endpoint URL --model NAME [--key-variable NAME]] [--answered-by WHO] [--record]

Without an endpoint the questions are written to FOLDER/questions/KEY.txt, and those that have a KEY.answer.txt beside
them are answered with it: whoever can read may stand in for the model. What is not answered counts as it would for a
user whose model failed: the packet is as without one. Run it, answer, run it again. `--record` writes RESULTS.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(__file__).parent))
import report  # bench is a folder of scripts, not a package
from localize import Row, Tree, by_repository, charged, chosen, task_options, time_of
from localize_table import load_scorer

from haversack import Haversack
from haversack.evaluate.measure import files_by_score, shown_lines

COLUMNS = ("file_recall@1", "file_recall@10", "func_recall@2000", "func_recall@4000", "func_recall@8000",
           "line_recall@8000")  # fmt: skip
WITHOUT, WITH = "without", "with a reader"
STAND_IN = "stand-in"


def stand_in(folder: Path) -> None:
    """Be the model: write down the question that is asked, and answer it from the file beside it, if there is one."""
    folder.mkdir(parents=True, exist_ok=True)
    question = sys.stdin.read()
    file = folder / f"{hashlib.sha256(question.encode()).hexdigest()[:16]}.txt"
    file.write_text(question, encoding="utf-8")
    answer = file.with_suffix(".answer.txt")
    print(answer.read_text(encoding="utf-8") if answer.exists() else "not answered")


def row(tree: Path, data: Path, task: Row, budget: int, flags: dict[str, object]) -> Row:
    with Haversack(tree, data_dir=data, flags=flags) as project:
        packet = project.pack(str(task["task"]), budget=budget)
        spans = charged(packet, [shown_lines(item, project.texts) for item in packet.items])
    return {
        "id": task["id"],
        "files": files_by_score(packet),
        "spans": spans,
        "read": packet.receipt.reranked is not None,
    }


def rows_of(tasks: Sequence[Row], options: argparse.Namespace, flags: dict[str, object]) -> dict[str, list[Row]]:
    """Each task twice on the same index, oldest commit first."""
    found: dict[str, list[Row]] = {WITHOUT: [], WITH: []}

    def run_those(mirror: Path, mine: Sequence[Row]) -> None:
        with tempfile.TemporaryDirectory() as temporary:
            tree = Tree(mirror, Path(temporary) / "tree")
            for task in sorted(mine, key=lambda task: (time_of(mirror, str(task["base_commit"])), str(task["id"]))):
                tree.move(str(task["base_commit"]))
                for how, given in ((WITHOUT, {}), (WITH, flags)):
                    found[how].append(row(tree.folder, Path(temporary) / "data", task, options.budget, given))

    by_repository(tasks, options.mirror, run_those)
    return found


def table(tasks: Sequence[Row], found: dict[str, list[Row]], score: ModuleType) -> str:
    by_id = {task["id"]: task for task in tasks}
    lines = ["| | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for how, rows in found.items():
        scores = [score.score_code(by_id[each["id"]], each) for each in rows]
        means = [[one[name] for one in scores if one[name] is not None] for name in COLUMNS]
        lines.append(f"| {how} | " + " | ".join(f"{sum(each) / len(each):.3f}" for each in means) + " |")
    return "\n".join(lines)


def whom_to_ask(options: argparse.Namespace) -> dict[str, object]:
    """The settings of the reader: a model behind an endpoint, or this file standing in for one."""
    if not options.endpoint:
        command = (sys.executable, Path(__file__).resolve(), STAND_IN, (options.out / "questions").resolve())
        return {"index.reader.command": shlex.join(map(str, command))}
    flags = {"endpoint": options.endpoint, "model": options.model, "key_variable": options.key_variable}
    return {f"index.reader.{name}": value for name, value in flags.items() if value}


def main() -> None:
    parser = task_options(__doc__)
    parser.add_argument("--scorer", type=Path, required=True)
    parser.add_argument("--endpoint")
    parser.add_argument("--model", default=STAND_IN)
    parser.add_argument("--key-variable")
    parser.add_argument("--answered-by", default="", help="who wrote the answers, for the record")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    tasks = chosen(options)
    found = rows_of(tasks, options, whom_to_ask(options))
    (options.out / "rows.json").write_text(json.dumps(found), encoding="utf-8")
    read = sum(bool(each["read"]) for each in found[WITH])
    who = options.answered_by or options.model
    told = f"{len(tasks)} tasks, {read} of them read by {who}; {options.budget:,} tokens each, cut at the budgets."
    told += f"\n\n{table(tasks, found, load_scorer(options.scorer))}"
    print(told)
    if options.record:
        command = "python bench/reader.py --tasks FILE --mirror DIR --out FOLDER --ids IDS --scorer score.py --record"
        report.write("A language model reads the first pieces", f"`{command}`\n\n{told}")


if __name__ == "__main__":
    if sys.argv[1:2] == [STAND_IN]:
        stand_in(Path(sys.argv[2]))
    else:
        main()
