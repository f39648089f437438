"""Turn the past commits of repositories into examples for the ranking: what was said, what was changed.

    python training/ranking/mine.py --mirror DIR --out FILE.pkl [--points 2] [--each 90] owner/name ...
    python training/ranking/mine.py --mirror DIR --out FILE.pkl --tasks TASKS.jsonl [--each 14]

A repository is indexed at a few points of its history; the commits that follow each point are the tasks, so that no
task can see what came after it. A commit counts when its message says something and it changed one to five source
files that are not tests; the lines it changed are followed back to the point. With `--tasks`, rows of the development
form are used instead: for judging, never for fitting. `repositories.txt` names those that the shipped weights come
from, `fresh_repositories.txt` those of the second of two models; the semantic model was trained on none of them, so
that its evidence is no stronger there than elsewhere.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import json
import pickle
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from localize import Tree

from haversack import Haversack
from haversack.errors import SourceError
from haversack.index.units import UnitReader
from haversack.retrieve.candidates import Gatherer
from haversack.retrieve.lately import COMMITS, Changes
from haversack.retrieve.own_past import Ranges
from haversack.retrieve.understand import understand
from haversack.sources.commits.hunks import read_hunks
from haversack.sources.commits.today import Lines

SOURCE = re.compile(r"\.(py|[cm]?jsx?|tsx?|go|rs|java|c|h|cc|cpp|hpp|rb|php|cs|kt|swift|scala|vue|svelte|exs?)$")
NOT_SOURCE = re.compile(
    r"(^|/)(tests?|spec|__tests__|testing|testdata|fixtures|docs?|examples?|benchmarks?|vendor|third_party|dist|build)/"
    r"|(^|/)(test_|conftest)|(_test|_spec|\.test|\.spec|Tests?)\.[a-z]+$"
)
SAYS_NOTHING = re.compile(
    r"^(merge|bump|release|version|typo|fix typo|lint|format|revert|chore|docs?[:(]|ci[:(]|style|build\(|prepare|v?\d)"
    r"|^update (changelog|dep|version)",
    re.IGNORECASE,
)
TRAILERS = re.compile(
    r"(?m)^(Signed-off-by|Co-authored-by|Reviewed-by|Change-Id|Cc|Acked-by|PR-URL|Refs|Closes|Fixes).*$"
)
HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
MOST_FILES, MOST_PATHS, MOST_LINES, LOOKED_AT = 5, 15, 400, 400


def git(mirror: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(mirror), *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def hunks(mirror: Path, old: str, new: str, path: str) -> list[tuple[int, int, int, int]]:
    """(old start, old lines, new start, new lines) of every difference."""
    text = git(mirror, "diff", "-U0", "--no-color", "--no-ext-diff", old, new, "--", path)
    found = (HUNK.match(line) for line in text.splitlines())
    return [(int(m[1]), int(m[2] or 1), int(m[3]), int(m[4] or 1)) for m in found if m]


def line_before(drift: list[tuple[int, int, int, int]], line: int) -> int | None:
    """Where a line of the new text stood in the old one; None if it was not there."""
    shift = 0
    for _, removed, start, added in drift:
        if added and start <= line < start + added:
            return None
        if line < start + (added or 1):
            break
        shift += removed - added
    return line + shift


def changed_lines(mirror: Path, point: str, commit: str, files: list[str]) -> dict[str, set[int]]:
    """The lines of each file, as it was at the point, that the commit changed; empty when too few can be followed."""
    lines: dict[str, set[int]] = collections.defaultdict(set)
    total = 0
    for path in files:
        drift = hunks(mirror, point, f"{commit}^", path)
        for start, count, _, _ in hunks(mirror, f"{commit}^", commit, path):
            for line in range(start, start + count) if count else (start, start + 1):
                total += 1
                before = line_before(drift, max(line, 1))
                if before:
                    lines[path].add(before)
    followed = sum(map(len, lines.values()))
    whole = set(lines) == set(files) and 0.7 * total <= followed <= MOST_LINES
    return lines if whole else {}


def tasks_after(mirror: Path, point: str, commits: list[str], most: int) -> list[tuple[str, str, dict[str, set[int]]]]:
    """(commit, message, changed lines) of commits that say what they do."""
    known = set(git(mirror, "ls-tree", "-r", "--name-only", point).splitlines())
    found = []
    for commit in commits:
        message = re.sub(r"\(#\d+\)", "", TRAILERS.sub("", git(mirror, "log", "-1", "--format=%B", commit))).strip()
        title = message.partition("\n")[0]
        if len(message) < 25 or len(title.split()) < 4 or SAYS_NOTHING.match(title):
            continue
        rows = [
            r.split("\t")
            for r in git(mirror, "diff-tree", "-r", "--no-commit-id", "--name-status", commit).splitlines()
        ]
        files = [r[-1] for r in rows if r[0] == "M" and SOURCE.search(r[-1]) and not NOT_SOURCE.search(r[-1])]
        if not 1 <= len(files) <= MOST_FILES or len(rows) > MOST_PATHS or not known.issuperset(files):
            continue
        lines = changed_lines(mirror, point, commit, files)
        if lines:
            found.append((commit, message, lines))
        if len(found) == most:
            break
    return found


def changes_before(mirror: Path, commit: str) -> list[list[str]]:
    """The files of the commits before this one, newest first: the index ends at its point, work went on since."""
    log = git(mirror, "log", "-n", str(COMMITS), "--no-merges", "--name-only", "--format=%x00", f"{commit}^")
    return [[path for path in each.splitlines() if path] for each in log.split("\0")[1:]]


def lines_since(tree: Path, mirror: Path, point: str, last: str) -> list[tuple[str, Ranges]]:
    """Commits after the point, oldest first, and which lines, as they were at the point, each of them changed."""
    shas = git(mirror, "rev-list", "--reverse", "--no-merges", f"{point}..{last}").split()
    names: dict[str, str] = {}
    lines: dict[str, Lines] = collections.defaultdict(Lines)
    found = []
    with contextlib.suppress(SourceError):  # of a partial copy what there is
        for sha, files in read_hunks(tree, (), shas):
            changed: dict[str, list[tuple[int, int]]] = {}
            for file in files:
                there = names.get(file.before, file.before)
                if there:
                    changed[there] = [span for old, gone, _, _ in file.hunks for span in lines[there].spans(old, gone)]
                    lines[there].replaced(file.hunks)
                    names[file.path] = there
            found.append((sha, changed))
    return found


def example(
    project: Haversack, text: str, changes: Changes | None = None, since: Sequence[Ranges] = ()
) -> dict[str, object]:
    """The evidence for every piece of code in the pool of one task."""
    gatherer = Gatherer(project.store, project.embedder)
    snapshot = project.store.snapshot()
    reader = UnitReader(project.store, snapshot)
    task = understand(text)
    found, columns = gatherer.evidence(task, reader, changes, since)
    told = gatherer.told(snapshot, reader, task)
    positions = np.asarray(found, dtype=np.int64)
    return {
        "names": list(columns),
        "X": np.stack(list(columns.values()), axis=1).astype(np.float16),
        "keys": [snapshot.items[int(snapshot.item_of[p])].key for p in positions],
        "start": snapshot.starts[positions],
        "end": snapshot.ends[positions],
        "kind": snapshot.kinds[positions],
        "role": snapshot.roles[positions],
        "by_words": (told.aligned + told.signals.fused)[positions],
    }


def mine(repo: str, mirror: Path, points: int, each: int, folder: Path) -> list[dict[str, object]]:
    log = git(mirror, "log", "--first-parent", "--no-merges", "--format=%H", "-n", "4000", "HEAD").split()
    if len(log) < 400:
        log = git(mirror, "log", "--no-merges", "--format=%H", "-n", "4000", "HEAD").split()
    reach = min(len(log) - 50, 1600)
    tree = Tree(mirror, folder / "tree")
    rows = []
    for number in range(points, 0, -1):
        at = reach * number // points - 1
        if at < 1:
            continue
        found = tasks_after(mirror, log[at], log[max(0, at - LOOKED_AT) : at][::-1], each)
        tree.move(log[at])
        with Haversack(tree.folder, data_dir=folder / "data") as project:
            project.refresh()
            later = lines_since(tree.folder, mirror, log[at], found[-1][0]) if found else []
            number_of = {sha: number for number, (sha, _) in enumerate(later)}
            for commit, message, lines in found:
                gold = {path: sorted(of) for path, of in lines.items()}
                since = [changed for _, changed in later[: number_of.get(commit, 0)][::-1]]
                row = example(project, message, changes_before(mirror, commit), since)
                rows.append(row | {"id": commit, "set": "mined", "repo": repo, "gold_lines": gold})
    return rows


def time_of(mirror: Path, commit: str) -> int:
    """When the commit was made; 0 when the mirror does not have it."""
    try:
        return int(git(mirror, "log", "-1", "--no-patch", "--format=%ct", commit))
    except subprocess.CalledProcessError:
        return 0


def judged(repo: str, mirror: Path, tasks: list[dict[str, object]], folder: Path) -> list[dict[str, object]]:
    tree = Tree(mirror, folder / "tree")
    rows = []
    times = {str(task["base_commit"]): time_of(mirror, str(task["base_commit"])) for task in tasks}
    # In order of time, so that each index is made from the one before. Commits that the mirror lacks are left out.
    for task in sorted((t for t in tasks if times[t["base_commit"]]), key=lambda t: times[t["base_commit"]]):
        tree.move(str(task["base_commit"]))
        with Haversack(tree.folder, data_dir=folder / "data") as project:
            project.refresh()
            row = example(project, str(task["task"]))
        gold: dict[str, set[int]] = collections.defaultdict(set)
        for span in task["gold_spans"]:
            gold[span["path"]].update(range(span["start"], span["end"] + 1))
        rows.append(row | {"id": task["id"], "set": task["set"], "repo": repo, "row": task,
                           "gold_lines": {path: sorted(of) for path, of in gold.items()}})  # fmt: skip
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repos", nargs="*")
    parser.add_argument("--mirror", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--points", type=int, default=2)
    parser.add_argument("--each", type=int, default=90)
    parser.add_argument("--tasks", type=Path, action="append", default=[])
    options = parser.parse_args()
    wanted: dict[str, list[dict[str, object]]] = {repo: [] for repo in options.repos}
    for path in options.tasks:
        by_repo = collections.defaultdict(list)
        for line in path.read_text(encoding="utf-8").splitlines():
            task = json.loads(line)
            by_repo[task["repo"]].append(task | {"set": path.stem})
        for repo, rows in by_repo.items():
            chosen = rows[:: max(1, len(rows) // options.each)][: options.each]
            wanted.setdefault(repo, []).extend(chosen)
    made: list[dict[str, object]] = []
    for repo, tasks in wanted.items():
        started = time.perf_counter()
        mirror = options.mirror / repo.replace("/", "+") / "repo"
        before = len(made)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            try:
                made += (
                    judged(repo, mirror, tasks, Path(folder))
                    if tasks
                    else mine(repo, mirror, options.points, options.each, Path(folder))
                )
            except subprocess.CalledProcessError as error:  # a partial copy lacks objects: the others still count
                print(f"{repo}: left out, {error.stderr.decode('utf-8', 'replace').strip()[:200]}", flush=True)
        print(f"{repo}: {len(made) - before} examples in {time.perf_counter() - started:.0f} s", flush=True)
        options.out.write_bytes(pickle.dumps(made))


if __name__ == "__main__":
    main()
