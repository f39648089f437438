"""Fit the ranking on mined examples, judge it on others, write it down.

    python training/ranking/fit.py --examples MINED.pkl ... [--stage first|last|fresh] [--judge DEV.pkl ...] [--write]

The model is a weight for each piece of evidence and a layer of bends (`relu`), whose sum is a piece's points. They are
found together, so that a softmax over the pieces of a task gives its changed pieces, and its changed files, a large
share. There are two steps: the first weighs what speaks for a piece on its own; the last also how a piece is related to
what the first finds best, so examples are mined anew once the first was written. What ships as the last is the mean of
two models: `fresh`, from eight points of the history of some projects (`fresh_repositories.txt`, `mine.py --points 8
--each 20`), whose examples see nearly all of the past before them, and `last`, from those and from four points of the
others (the rest of `repositories.txt`, `mine.py --points 4 --each 40`). Figures are cross-validated by repository; what
is written was fitted on all examples. `--write` puts it into src/haversack/retrieve/learned/. All numbers come from the
examples: given the same ones, the same model is found.
"""

from __future__ import annotations

import argparse
import collections
import math
import pickle
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from haversack.retrieve.kin import RELATIONS

LEARNED = Path(__file__).parents[2] / "src/haversack/retrieve/learned"
BENDS = 32  # half as many lose .003 of file recall, twice as many win nothing
EPOCHS, BATCH = 12, 64
STRAIGHT_STEP, BENT_STEP = 0.03, 0.004  # at most; both rise for a third of the way and fall to nothing
WARM = 0.3
DECAY = 0.05
LEFT_OUT = 0.2  # of the bends at each step, so that none is relied on alone
KEPT = 500  # pieces per task that take part, best by words first, changed ones always
TOKENS_PER_LINE, FRAME = 10.5, 14  # what a piece costs in a packet, roughly: enough to compare orders
# Roles that past commits hardly ever change by hand: too few examples to fit, so a choice, as far down as tests.
ASSUMED = {"in requirements": -2.0, "in changelog": -4.0, "in generated": -4.0, "in vendored": -4.0}
ROLE = "in "  # a role is rare or not there at all in a project: it has a weight and bends nothing
BUDGETS = (2000, 4000, 8000, 16000)
TOLD = ("file@1", "file@5", "file@10", "mrr", "func@2000", "func@4000", "func@8000", "func@16000", "line@8000")
FOLDS = 4
LONGEST = 60_000  # lines of one file


@dataclass(frozen=True)
class Model:
    """Points are `x @ weights + relu(x @ bends + shifts) @ heights`."""

    weights: np.ndarray
    bends: np.ndarray
    shifts: np.ndarray
    heights: np.ndarray

    def points(self, columns: np.ndarray) -> np.ndarray:
        return columns @ self.weights + np.maximum(columns @ self.bends + self.shifts, 0.0) @ self.heights


def prepared(row: dict) -> dict:
    """The row with labels: which pieces were changed (by the innermost that holds a line), which files."""
    keys, starts, ends = row["keys"], row["start"].astype(int), row["end"].astype(int)
    gold = {path: np.asarray(lines) for path, lines in row["gold_lines"].items()}
    files: dict[str, int] = {}
    of_file = np.asarray([files.setdefault(key, len(files)) for key in keys])
    lines, held = np.zeros(len(keys), dtype=int), collections.defaultdict(set)
    by_file = np.argsort(of_file, kind="stable")
    for numbers in np.split(by_file, np.flatnonzero(np.diff(of_file[by_file])) + 1):
        first = int(starts[numbers].min())
        last = min(int(ends[numbers].max()), first + LONGEST)
        owner = np.full(last - first + 2, -1)
        # The largest first, so that the innermost keeps a line.
        for number in numbers[np.lexsort((starts[numbers], starts[numbers] - ends[numbers]))]:
            owner[starts[number] - first : ends[number] - first + 1] = number
        lines += np.bincount(owner[owner >= 0], minlength=len(keys))
        changed = gold.get(keys[numbers[0]], np.zeros(0, dtype=int))
        for line in changed[(changed >= first) & (changed <= last)].tolist():
            held[int(owner[line - first])].add(line)
    held.pop(-1, None)
    return row | {
        "X": np.asarray(row["X"], dtype=np.float32),
        "gold": {path: set(of.tolist()) for path, of in gold.items()},
        "held": dict(held),
        "changed": np.asarray([float(number in held) for number in range(len(keys))]),
        "files": list(files),
        "of_file": of_file,
        "file_changed": np.asarray([float(key in gold) for key in files]),
        "cost": lines * TOKENS_PER_LINE + FRAME,
    }


@dataclass(frozen=True)
class Goals:
    """What some tasks' pieces and files should get of their softmax."""

    pieces: Sequence[int]
    files: Sequence[int]
    of_file: np.ndarray
    goal: np.ndarray
    file_goal: np.ndarray

    def slope(self, points: np.ndarray) -> np.ndarray:
        """How the mean loss of the tasks grows with each piece's points."""
        count = len(self.pieces)
        starts = np.cumsum([0, *self.pieces])[:-1]
        task_of, task_of_file = np.repeat(np.arange(count), self.pieces), np.repeat(np.arange(count), self.files)
        exps = np.exp((points - np.maximum.reduceat(points, starts)[task_of]).astype(np.float64))
        sums = np.add.reduceat(exps, starts)
        file_sums = np.bincount(self.of_file, weights=exps, minlength=len(task_of_file))
        by_file = (file_sums / sums[task_of_file] - self.file_goal)[self.of_file] * exps / file_sums[self.of_file]
        return ((exps / sums[task_of] - self.goal + by_file) / count).astype(np.float32)


class Examples:
    """All rows side by side; batches of them on demand."""

    def __init__(self, rows: Sequence[dict]) -> None:
        kept = [_kept(row) for row in rows]
        self.columns = np.concatenate([row["X"][keep] for row, keep in zip(rows, kept, strict=True)])
        self.pieces = [int(keep.sum()) for keep in kept]
        self.starts = np.cumsum([0, *self.pieces])
        self.files, self.of_file, self.goal, self.file_goal = [], [], [], []
        for row, keep in zip(rows, kept, strict=True):
            used, inverse = np.unique(row["of_file"][keep], return_inverse=True)
            changed, changed_files = row["changed"][keep], row["file_changed"][used]
            self.files.append(len(used))
            self.of_file.append(inverse)
            self.goal.append(changed / changed.sum())
            self.file_goal.append(changed_files / max(changed_files.sum(), 1.0))

    def batches(self, chance: np.random.Generator) -> Iterator[tuple[np.ndarray, Goals]]:
        """Every task once, in an order of chance: the numbers of its pieces, and what they should get."""
        order = chance.permutation(len(self.pieces))
        for at in range(0, len(order), BATCH):
            tasks = order[at : at + BATCH].tolist()
            files = [self.files[task] for task in tasks]
            before = np.cumsum([0, *files])[:-1]
            yield (
                np.concatenate([np.arange(self.starts[task], self.starts[task + 1]) for task in tasks]),
                Goals(
                    [self.pieces[task] for task in tasks],
                    files,
                    np.concatenate([self.of_file[task] + base for task, base in zip(tasks, before, strict=True)]),
                    np.concatenate([self.goal[task] for task in tasks]),
                    np.concatenate([self.file_goal[task] for task in tasks]),
                ),
            )


def _kept(row: dict) -> np.ndarray:
    keep = row["changed"] > 0
    keep[np.argsort(-row["by_words"], kind="stable")[:KEPT]] = True
    return keep


def fit(rows: Sequence[dict]) -> Model:
    """Weights and bends of the columns; the weights that are assumed stay as they are."""
    names = rows[0]["names"]
    assumed = np.asarray([ASSUMED.get(name, 0.0) for name in names], dtype=np.float32)
    fixed = np.asarray([name in ASSUMED for name in names])
    straight = np.asarray([name.startswith(ROLE) for name in names])
    examples = Examples(rows)
    mean, spread = examples.columns.mean(0), examples.columns.std(0) + 1e-6
    given = examples.columns @ assumed
    columns = (examples.columns - mean) / spread
    columns[:, fixed] = 0.0
    chance = np.random.default_rng(0)
    size = len(names)
    found = {
        "weights": np.zeros(size),
        "bends": np.where(straight[:, None], 0.0, chance.uniform(-1, 1, (size, BENDS)) / math.sqrt(size)),
        "shifts": chance.uniform(-1, 1, BENDS) / math.sqrt(size),
        "heights": np.zeros(BENDS),
    }
    adam = Adam(found, steps=EPOCHS * math.ceil(len(rows) / BATCH))
    for _ in range(EPOCHS):
        for numbers, goals in examples.batches(chance):
            here, now = columns[numbers], adam.numbers
            before = here @ now["bends"] + now["shifts"]
            left = (chance.random(before.shape, dtype=np.float32) >= LEFT_OUT) / np.float32(1 - LEFT_OUT)
            bent = np.maximum(before, 0.0) * left
            slope = goals.slope(given[numbers] + here @ now["weights"] + bent @ now["heights"])
            back = np.outer(slope, now["heights"]) * left * (before > 0)
            adam.move(
                {
                    "weights": slope @ here,
                    "bends": np.where(straight[:, None], 0.0, here.T @ back),
                    "shifts": back.sum(0),
                    "heights": slope @ bent,
                }
            )
    now = {name: numbers.astype(np.float64) for name, numbers in adam.numbers.items()}
    bends = now["bends"] / spread[:, None]
    return Model(np.where(fixed, assumed, now["weights"] / spread), bends, now["shifts"] - mean @ bends, now["heights"])


class Adam:
    """Descent whose steps rise and fall, larger for the weights than for the bends."""

    def __init__(self, numbers: dict[str, np.ndarray], steps: int) -> None:
        self.numbers = {name: value.astype(np.float32) for name, value in numbers.items()}
        self._mean = {name: np.zeros_like(value) for name, value in self.numbers.items()}
        self._square = {name: np.zeros_like(value) for name, value in self.numbers.items()}
        self._step, self._steps = 0, steps

    def move(self, slopes: dict[str, np.ndarray]) -> None:
        self._step += 1
        done = self._step / self._steps
        pace = (1 - math.cos(math.pi * done / WARM)) / 2 if done < WARM else _falling((done - WARM) / (1 - WARM))
        for name, slope in slopes.items():
            self._mean[name] = 0.9 * self._mean[name] + 0.1 * slope
            self._square[name] = 0.999 * self._square[name] + 0.001 * slope**2
            step = pace * (STRAIGHT_STEP if name == "weights" else BENT_STEP)
            mean = self._mean[name] / (1 - 0.9**self._step)
            square = np.sqrt(self._square[name] / (1 - 0.999**self._step))
            moved = self.numbers[name] * (1 - step * DECAY) - step * mean / (square + 1e-8)
            self.numbers[name] = moved.astype(np.float32)


def _falling(done: float) -> float:
    return (1 + math.cos(math.pi * done)) / 2


def measured(row: dict, points: np.ndarray, price: float) -> dict[str, float]:
    """File recall of the ranking, and what a packet in that order would show of the changed lines and pieces."""
    gold, files = row["gold"], row["of_file"][np.argsort(-points, kind="stable")]
    _, first = np.unique(files, return_index=True)
    ranked = [row["files"][number] for number in files[np.sort(first)]]
    out = {f"file@{k}": len(set(ranked[:k]) & set(gold)) / len(gold) for k in (1, 5, 10)}
    out["mrr"] = next((1 / rank for rank, path in enumerate(ranked, 1) if path in gold), 0.0)
    wanted = [(row["keys"][number], lines) for number, lines in row["held"].items()]
    if "row" in row:
        wanted = [(f["path"], set(range(f["start"], f["end"] + 1)) & gold.get(f["path"], set()))
                  for f in row["row"].get("gold_functions") or []]  # fmt: skip
    order = np.argsort(-(points - price * np.log(np.maximum(row["cost"], 40))), kind="stable")
    spent = np.zeros(len(order))
    spent[order] = np.cumsum(row["cost"][order])
    for budget in BUDGETS:
        shown: dict[str, set[int]] = collections.defaultdict(set)
        for number, lines in row["held"].items():
            if spent[number] <= budget:
                shown[row["keys"][number]] |= lines
        out[f"line@{budget}"] = sum(map(len, shown.values())) / sum(map(len, gold.values()))
        if wanted:
            out[f"func@{budget}"] = sum(bool(lines) and lines <= shown[path] for path, lines in wanted) / len(wanted)
    return out


def show(name: str, rows: Sequence[dict], points: Iterable[np.ndarray], price: float) -> None:
    by_set: dict[str, dict[str, list[float]]] = collections.defaultdict(lambda: collections.defaultdict(list))
    for row, each in zip(rows, points, strict=True):
        for key, value in measured(row, each, price).items():
            by_set[row["set"]][key].append(value)
    for which, values in sorted(by_set.items()):
        told = "  ".join(f"{key} {np.mean(values[key]):.3f}" for key in TOLD)
        print(f"{name:24} {which:8} {told}", flush=True)


def loaded(paths: Iterable[Path], stage: str) -> list[dict]:
    rows = [row for path in paths for row in pickle.loads(path.read_bytes()) if row["keys"]]
    return [prepared(_known_to(stage, row)) for row in rows]


def _known_to(stage: str, row: dict) -> dict:
    """The row with the columns that this stage knows."""
    known = [n for n, name in enumerate(row["names"]) if stage != "first" or name not in RELATIONS]
    return row | {"names": [row["names"][n] for n in known], "X": row["X"][:, known]}


def written(model: Model, names: Sequence[str], told: str) -> str:
    """The module that ships."""
    weights = "\n".join(f'    "{name}": {weight:.3f},' for name, weight in zip(names, model.weights, strict=True))
    bends = "\n".join(
        _wrapped(f'"{name}": ({_listed(row)}),') for name, row in zip(names, model.bends, strict=True) if row.any()
    )
    return f'''"""A ranking's numbers, by the name of the evidence. Written by `training/ranking/fit.py`.

{told}
"""

from __future__ import annotations

from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {{
{weights}
}}

# A layer of bends: each takes a share of the evidence, and what is above its threshold raises or lowers the points.
# fmt: off
BENDS: Mapping[str, tuple[float, ...]] = {{
{bends}
}}
SHIFTS: tuple[float, ...] = (
{_wrapped(_listed(model.shifts))}
)
HEIGHTS: tuple[float, ...] = (
{_wrapped(_listed(model.heights))}
)
'''


def _listed(values: Iterable[float]) -> str:
    return " ".join(f"{value:.4f}," for value in values)


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 120, initial_indent=" " * 4, subsequent_indent=" " * 8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=Path, nargs="+", required=True)
    parser.add_argument("--stage", choices=("first", "last", "fresh"), default="last")
    parser.add_argument("--judge", type=Path, nargs="*", default=[])
    parser.add_argument("--price", type=float, default=0.8, help="how much a piece's cost counts against it")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows = [row for row in loaded(options.examples, options.stage) if row["changed"].any()]
    names = rows[0]["names"]
    repos = sorted({row["repo"] for row in rows})
    print(f"{len(rows)} mined examples of {len(repos)} repositories", flush=True)
    show("by words", rows, (row["by_words"] for row in rows), 0.0)
    validated: list[np.ndarray] = [np.zeros(0)] * len(rows)
    for fold in range(FOLDS):
        held = set(repos[fold::FOLDS])
        model = fit([row for row in rows if row["repo"] not in held])
        for number, row in enumerate(rows):
            if row["repo"] in held:
                validated[number] = model.points(row["X"])
    show("cross-validated", rows, validated, options.price)
    model = fit(rows)
    if options.judge:
        judged = loaded(options.judge, options.stage)
        show("judge: by words", judged, (row["by_words"] for row in judged), 0.0)
        for price in (0.0, 0.5, options.price, 1.0):
            show(f"judge: price {price}", judged, (model.points(row["X"]) for row in judged), price)
    if options.write:
        told = f"Fitted on {len(rows)} commits of {len(repos)} repositories, {datetime.now(UTC):%B %Y}."
        (LEARNED / f"{options.stage}.py").write_text(written(model, names, told), encoding="utf-8")
        print(f"written: {options.stage}")


if __name__ == "__main__":
    main()
