"""Fit the weights of the ranking on mined examples, judge them on others, write them down.

    python training/ranking/fit.py --examples MINED.pkl [--judge DEV.pkl] [--write]

The model is linear. It is fitted so that the pieces a commit changed, and the files they stand in, get a large share of
a softmax over all pieces of the task. Weights are cross-validated by repository on the mined examples; `--judge` shows
them on tasks that took no part in the fit. `--write` puts them into src/haversack/retrieve/learned.py.
"""

from __future__ import annotations

import argparse
import collections
import pickle
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

LEARNED = Path(__file__).parents[2] / "src/haversack/retrieve/learned.py"
RIDGE = 3e-3  # on weights of standardised columns: more or less by a factor of ten changes little
KEPT = 300  # pieces per task that take part, best by words first, changed ones always
TOKENS_PER_LINE, FRAME = 10.5, 14  # what a piece costs in a packet, roughly: enough to compare orders
# Roles that past commits hardly ever change by hand: too few examples to fit, so a choice, as far down as tests.
ASSUMED = {"in requirements": -2.0, "in changelog": -4.0, "in generated": -4.0, "in vendored": -4.0}
BUDGETS = (2000, 4000, 8000, 16000)
FOLDS = 4


def prepared(row: dict) -> dict:
    """The row with labels: which pieces were changed (by the innermost that holds a line), which files."""
    gold = {path: set(lines) for path, lines in row["gold_lines"].items()}
    own: list[set[int]] = [set()] * len(row["keys"])
    by_file = collections.defaultdict(list)
    for number, key in enumerate(row["keys"]):
        by_file[key].append(number)
    starts, ends = row["start"].astype(int), row["end"].astype(int)
    for numbers in by_file.values():
        owner: dict[int, int] = {}
        # The largest first, so that the innermost keeps a line.
        for number in sorted(numbers, key=lambda n: (starts[n] - ends[n], starts[n])):
            owner.update(dict.fromkeys(range(starts[number], min(ends[number], starts[number] + 20_000) + 1), number))
        lines = collections.defaultdict(set)
        for line, number in owner.items():
            lines[number].add(line)
        for number in numbers:
            own[number] = lines[number]
    changed = np.asarray([bool(own[n] & gold.get(key, set())) for n, key in enumerate(row["keys"])], dtype=float)
    files = {key: number for number, key in enumerate(dict.fromkeys(row["keys"]))}
    of_file = np.asarray([files[key] for key in row["keys"]])
    return row | {
        "gold": gold,
        "own": own,
        "changed": changed,
        "of_file": of_file,
        "file_changed": np.asarray([float(key in gold) for key in files]),
        "cost": np.asarray([len(lines) * TOKENS_PER_LINE + FRAME for lines in own]),
    }


def fit(rows: list[dict]) -> np.ndarray:
    """Weights of the columns; those that are assumed stay as they are."""
    assumed = np.asarray([ASSUMED.get(name, 0.0) for name in rows[0]["names"]])
    fixed = np.asarray([name in ASSUMED for name in rows[0]["names"]])
    blocks, of_file, share, file_share, sizes = [], [], [], [], []
    files = 0
    for row in rows:
        keep = np.zeros(len(row["changed"]), dtype=bool)
        keep[np.argsort(-row["by_words"], kind="stable")[:KEPT]] = True
        keep |= row["changed"] > 0
        used, inverse = np.unique(row["of_file"][keep], return_inverse=True)
        blocks.append(row["X"][keep].astype(np.float32))
        of_file.append(inverse + files)
        files += len(used)
        changed, changed_files = row["changed"][keep], row["file_changed"][used]
        share.append(changed / changed.sum())
        file_share.append(changed_files / max(changed_files.sum(), 1.0))
        sizes.append((int(keep.sum()), len(used)))
    columns = np.concatenate(blocks)
    mean, spread = columns.mean(0), columns.std(0) + 1e-6
    given = columns @ assumed.astype(np.float32)
    columns = (columns - mean) / spread
    columns[:, fixed] = 0.0
    where, goal, file_goal = np.concatenate(of_file), np.concatenate(share), np.concatenate(file_share)
    starts = np.cumsum([0, *(pieces for pieces, _ in sizes)])[:-1]
    task_of = np.repeat(np.arange(len(sizes)), [pieces for pieces, _ in sizes])
    task_of_file = np.repeat(np.arange(len(sizes)), [count for _, count in sizes])

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        points = columns @ weights.astype(np.float32) + given
        highest = np.maximum.reduceat(points, starts)
        exps = np.exp((points - highest[task_of]).astype(np.float64))
        sums = np.add.reduceat(exps, starts)
        chance = exps / sums[task_of]
        file_sums = np.bincount(where, weights=exps, minlength=len(task_of_file))
        file_chance = file_sums / sums[task_of_file]
        value = -(goal * np.log(chance + 1e-12)).sum() - (file_goal * np.log(file_chance + 1e-12)).sum()
        slope = (chance - goal) + (file_chance - file_goal)[where] * exps / file_sums[where]
        count = len(sizes)
        gradient = (slope.astype(np.float32) @ columns).astype(np.float64) / count + 2 * RIDGE * weights
        return value / count + RIDGE * float(weights @ weights), gradient

    found = minimize(loss, np.zeros(columns.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 150})
    return np.where(fixed, assumed, found.x / spread)


def measured(row: dict, points: np.ndarray, price: float) -> dict[str, float]:
    """File recall of the ranking, and what a packet in that order would show of the changed lines and pieces."""
    order = np.argsort(-points, kind="stable")
    files = list(dict.fromkeys(row["keys"][n] for n in order))
    gold = row["gold"]
    out = {f"file@{k}": len(set(files[:k]) & set(gold)) / len(gold) for k in (1, 5, 10)}
    out["mrr"] = next((1 / rank for rank, path in enumerate(files, 1) if path in gold), 0.0)
    wanted = [(f["path"], set(range(f["start"], f["end"] + 1)) & gold.get(f["path"], set()))
              for f in row.get("row", {}).get("gold_functions") or []]  # fmt: skip
    if "row" not in row:
        wanted = [(row["keys"][n], row["own"][n] & gold[row["keys"][n]]) for n in np.flatnonzero(row["changed"])]
    shown: dict[str, set[int]] = collections.defaultdict(set)
    spent, budgets = 0.0, list(BUDGETS)

    def close() -> None:
        budget = budgets.pop(0)
        out[f"line@{budget}"] = sum(len(lines & shown[path]) for path, lines in gold.items()) / sum(
            map(len, gold.values())
        )
        if wanted:
            out[f"func@{budget}"] = sum(bool(lines) and lines <= shown[path] for path, lines in wanted) / len(wanted)

    for number in np.argsort(-(points - price * np.log(np.maximum(row["cost"], 40))), kind="stable"):
        while budgets and spent + row["cost"][number] > budgets[0]:
            close()
        if not budgets:
            break
        spent += row["cost"][number]
        shown[row["keys"][number]] |= row["own"][number]
    while budgets:
        close()
    return out


def show(name: str, rows: list[dict], points: list[np.ndarray], price: float) -> None:
    by_set: dict[str, dict[str, list[float]]] = collections.defaultdict(lambda: collections.defaultdict(list))
    for row, each in zip(rows, points, strict=True):
        for key, value in measured(row, each, price).items():
            by_set[row["set"]][key].append(value)
    for which, values in sorted(by_set.items()):
        told = (f"{key} {np.mean(values[key]):.3f}" for key in ("file@1", "file@5", "file@10", "mrr", "func@2000",
                "func@4000", "func@8000", "func@16000", "line@8000"))  # fmt: skip
        print(f"{name:24} {which:8} {'  '.join(told)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=Path, required=True)
    parser.add_argument("--judge", type=Path)
    parser.add_argument("--price", type=float, default=0.8, help="how much a piece's cost counts against it")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows = [prepared(row) for row in pickle.loads(options.examples.read_bytes())]
    rows = [row for row in rows if row["changed"].any()]
    names = rows[0]["names"]
    repos = sorted({row["repo"] for row in rows})
    print(f"{len(rows)} mined examples of {len(repos)} repositories")
    show("by words", rows, [row["by_words"] for row in rows], 0.0)
    validated: list[np.ndarray] = [np.zeros(0)] * len(rows)
    for fold in range(FOLDS):
        held = set(repos[fold::FOLDS])
        weights = fit([row for row in rows if row["repo"] not in held])
        for number, row in enumerate(rows):
            if row["repo"] in held:
                validated[number] = row["X"] @ weights
    show("cross-validated", rows, validated, options.price)
    weights = fit(rows)
    if options.judge:
        judged = [prepared(row) for row in pickle.loads(options.judge.read_bytes())]
        show("judge: by words", judged, [row["by_words"] for row in judged], 0.0)
        for price in (0.0, 0.5, options.price, 1.0):
            show(f"judge: price {price}", judged, [row["X"] @ weights for row in judged], price)
    spread = np.concatenate([row["X"] for row in rows[:300]]).std(0)
    for name, weight, each in sorted(zip(names, weights, spread, strict=True), key=lambda t: -abs(t[1] * t[2])):
        print(f"  {name:20} {weight:8.3f}   {weight * each:6.2f} per standard deviation")
    if options.write:
        lines = "\n".join(f'    "{name}": {weight:.3f},' for name, weight in zip(names, weights, strict=True))
        LEARNED.write_text(
            '"""The weights of the ranking, by the name of the evidence. Written by `training/ranking/fit.py`.\n\n'
            f"Fitted on {len(rows)} commits of {len(repos)} repositories, {datetime.now(UTC):%B %Y}.\n"
            '"""\n\nfrom __future__ import annotations\n\nfrom collections.abc import Mapping\n\n'
            f"WEIGHTS: Mapping[str, float] = {{\n{lines}\n}}\n",
            encoding="utf-8",
        )
        print(f"written: {LEARNED.name}")


if __name__ == "__main__":
    main()
