"""Are the lines that had to be changed inside the packet? haversack, and peers if asked, on the same tasks.

    python bench/localize.py --tasks FILE --mirror DIR --out PRED.jsonl
        [--budget 16000] [--limit N] [--ids FILE] [--sample N] [--most-files N] [--resume] [--only-table]
        [--peers a,b|all [--adapters DIR] [--seconds 120] [--only-peers]] [--rows NAME=FILE]
        [--scorer score.py [--record]]

FILE holds one task per line (id, repo, base_commit, task); DIR holds bare clones as <owner>+<name>/repo. Each base
commit becomes a repository of its own whose history ends there, so nothing later can be seen; the tasks of a repository
come in the order of their commits, so that every tool's index moves forward. Rows for the scorer are written in packet
order with exact tokens; files are ranked by all that was considered, shown or not. Peers' rows go to PRED.<peer>.jsonl.
Adapters are looked for in a folder `peers` beside the tasks or above them. With a scorer the table is printed, by task
file, with and without tasks that name a file they change, beside rows that another program made (`--rows`); `--record`
puts it into bench/RESULTS.md and, when peers took part, into README.md. `--resume` keeps the rows that are there and
runs what is missing or failed; `--only-table` runs nothing.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from localize_table import USUAL_BUDGET, record, tables
from peers import LATE, PEERS, installed, peer_row, texts_of

from haversack import Haversack
from haversack.evaluate.measure import files_by_score, shown_lines
from haversack.receipt.packet import Packet
from haversack.tokens import counter
from index import Memory  # bench is a folder of scripts, not a package

Row = dict[str, object]
OURS = "haversack"


def git(folder: Path, *arguments: str) -> bytes:
    return subprocess.run(
        ["git", "-C", str(folder), "-c", "core.hooksPath=", *arguments], check=True, capture_output=True
    ).stdout


class Tree:
    """A working tree of one repository that moves from base commit to base commit, borrowing the mirror's objects."""

    def __init__(self, mirror: Path, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        git(folder, "init", "-q", "-b", "main")
        (folder / ".git/objects/info/alternates").write_text(f"{(mirror / 'objects').resolve()}\n")

    def move(self, commit: str) -> None:
        """Files and history as of the commit; nothing after it is reachable."""
        git(self.folder, "update-ref", "refs/heads/main", commit)
        with contextlib.suppress(subprocess.CalledProcessError):
            git(self.folder, "read-tree", "-u", "--reset", "main")
            return
        # A mirror may lack its largest blobs: write what there is, and nothing of the commit before.
        git(self.folder, "read-tree", "main")
        git(self.folder, "clean", "-fdxq")
        subprocess.run(["git", "-C", str(self.folder), "checkout-index", "-a", "-f"], capture_output=True, check=False)


def time_of(mirror: Path, commit: str) -> int:
    """When the commit was made; 0 when the mirror does not have it."""
    try:
        return int(git(mirror, "log", "-1", "--no-patch", "--format=%ct", commit))
    except subprocess.CalledProcessError:
        return 0


def row(tree: Path, data: Path, task: Row, budget: int) -> Row:
    """One task's prediction by haversack."""
    with Memory(os.getpid()) as memory, Haversack(tree, data_dir=data) as project:
        before, started = _processor(), time.perf_counter()
        project.refresh()
        indexed = time.perf_counter()
        packet = project.pack(str(task["task"]), budget=budget)
        done = time.perf_counter()
        shown = [shown_lines(item, project.texts) for item in packet.items]
    return {
        "id": task["id"],
        "files": files_by_score(packet),
        "spans": charged(packet, shown),
        "tokens": packet.tokens,
        "seconds": done - started,
        "seconds_index": indexed - started,
        "seconds_query": done - indexed,
        "processor": _processor() - before,
        "memory": memory.peak,
    }


def charged(packet: Packet, shown: Sequence[Sequence[tuple[int, int]]]) -> list[Row]:
    """Runs of shown lines in the packet's order, with what its text costs up to there.

    Titles, notes and items that show no lines cost whatever comes after them, as they do in the texts of peers; what
    stands after the last line costs that line.
    """
    count = counter(packet.counter).count
    spans: list[Row] = []
    owed, at = 0, 0
    for item, lines in zip(packet.items, shown, strict=True):
        end = packet.text.index(item.text, at) + len(item.text)
        owed, at = owed + count(packet.text[at:end]), end
        total = sum(last - first + 1 for first, last in lines)
        spans += ({"path": item.path, "start": first, "end": last, "tokens": owed * (last - first + 1) / total}
                  for first, last in lines)  # fmt: skip
        owed = 0 if lines else owed
    if spans:
        spans[-1]["tokens"] += packet.tokens - sum(span["tokens"] for span in spans)
    return spans


def _processor() -> float:
    """Seconds this process and its finished children have computed."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


class Out:
    """The rows of one tool, each written as soon as it is there."""

    def __init__(self, path: Path, *, resume: bool) -> None:
        self.done: set[object] = set()
        if resume and path.exists():
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            # A line that was cut short and what failed are done again; who was out of time would be so again.
            kept = [line for line in lines if line.endswith("\n") and json.loads(line).get("error", LATE) == LATE]
            path.write_text("".join(kept), encoding="utf-8")
            self.done = {json.loads(line)["id"] for line in kept}
        self._file = path.open("a" if resume else "w", encoding="utf-8")

    def write(self, one: Row) -> None:
        self._file.write(json.dumps(one) + "\n")
        self._file.flush()


def run_repository(mirror: Path, tasks: Sequence[Row], outs: dict[str, Out], options: argparse.Namespace) -> None:
    """Every tool on every task of one repository, oldest base commit first."""
    times = {str(task["base_commit"]): time_of(mirror, str(task["base_commit"])) for task in tasks}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        os.environ["PEER_CACHE"] = str(folder / "peers")
        tree = Tree(mirror, folder / "tree")
        begun: set[str] = set()
        for task in sorted(tasks, key=lambda task: (times[str(task["base_commit"])], str(task["id"]))):
            missing = [tool for tool, out in outs.items() if task["id"] not in out.done]
            if not missing:
                continue
            try:
                tree.move(str(task["base_commit"]))
            except subprocess.CalledProcessError as error:
                empty = {"id": task["id"], "files": [], "spans": [], "error": error.stderr.decode()[-300:]}
                for tool in missing:
                    outs[tool].write(empty)
                continue
            texts = texts_of(tree.folder) if missing != [OURS] else {}
            for tool in missing:
                if tool == OURS:
                    found = row(tree.folder, folder / "data", task, options.budget)
                else:
                    found = peer_row(
                        tool, options.adapters, tree.folder, task, options.budget, seconds=options.seconds, texts=texts
                    )
                outs[tool].write(found | {"first": tool not in begun})
                begun.add(tool)


def chosen(options: argparse.Namespace) -> list[Row]:
    """The tasks that are asked for."""
    tasks: list[Row] = [
        json.loads(line) | {"from": path.stem}
        for path in options.tasks
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
    if options.ids:
        wanted = set(options.ids.read_text().split())
        tasks = [task for task in tasks if task["id"] in wanted]
    if options.most_files:
        tasks = [task for task in tasks if int(str(task.get("n_repo_files", 0))) <= options.most_files]
    if options.limit:
        seen: collections.Counter[object] = collections.Counter()
        tasks = [task for task in tasks if seen.update([task["repo"]]) or seen[task["repo"]] <= options.limit]
    return spread(tasks, options.sample) if options.sample else tasks


def spread(tasks: Sequence[Row], number: int) -> list[Row]:
    """So many tasks, always the same, spread evenly over the repositories of each task file."""
    groups: dict[tuple[str, str], list[Row]] = collections.defaultdict(list)
    for task in sorted(tasks, key=lambda task: hashlib.sha256(str(task["id"]).encode()).digest()):
        groups[str(task["repo"]), str(task["from"])].append(task)
    turns = [(turn, group, task) for group, mine in groups.items() for turn, task in enumerate(mine)]
    return [task for _, _, task in sorted(turns, key=lambda each: each[:2])[:number]]


def run(tasks: Sequence[Row], paths: dict[str, Path], options: argparse.Namespace) -> None:
    """Every tool on every task, repository by repository."""
    outs = {
        tool: Out(path, resume=options.resume)
        for tool, path in paths.items()
        if not (tool == OURS and options.only_peers)
    }
    by_repository(tasks, options.mirror, lambda mirror, mine: run_repository(mirror, mine, outs, options))


def by_repository(tasks: Sequence[Row], mirrors: Path, run_those: Callable[[Path, Sequence[Row]], None]) -> None:
    """Runs the tasks of each repository together, and says how long they took."""
    by_repo: dict[str, list[Row]] = collections.defaultdict(list)
    for task in tasks:
        by_repo[str(task["repo"])].append(task)
    for repo, mine in sorted(by_repo.items()):
        started = time.perf_counter()
        run_those(mirrors / repo.replace("/", "+") / "repo", mine)
        print(f"{repo}: {len(mine)} tasks in {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)


def task_options(about: str | None) -> argparse.ArgumentParser:
    """What every benchmark on tasks is told: which ones, and where its rows go."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=Path, required=True, action="append")
    parser.add_argument("--mirror", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--budget", type=int, default=USUAL_BUDGET)
    parser.add_argument("--limit", type=int, help="tasks per repository")
    parser.add_argument("--ids", type=Path, help="only the tasks named in this file")
    parser.add_argument("--sample", type=int, help="so many tasks, spread evenly over task files and repositories")
    parser.add_argument("--most-files", type=int, help="only trees of at most so many files")
    parser.add_argument("--resume", action="store_true", help="keep the rows that are there")
    parser.add_argument("--record", action="store_true", help="write the section of RESULTS.md")
    return parser


def named_file(told: str) -> tuple[str, Path]:
    """`NAME=FILE` as both."""
    name, _, file = told.partition("=")
    if not name or not file:
        raise argparse.ArgumentTypeError(f"{told!r} is not NAME=FILE")
    return name, Path(file)


def main() -> None:
    parser = task_options(__doc__)
    parser.add_argument("--peers", default="", help=f"'all' installed ones, or some of {', '.join(PEERS)}")
    parser.add_argument("--adapters", type=Path, help="folder of the peers' adapters")
    parser.add_argument("--seconds", type=float, default=120, help="processor time a peer has for a task")
    parser.add_argument("--only-peers", action="store_true", help="haversack's own rows are there or come later")
    parser.add_argument("--only-table", action="store_true", help="of the rows that are there")
    parser.add_argument(
        "--rows", type=named_file, action="append", default=[], metavar="NAME=FILE", help="rows made elsewhere"
    )
    parser.add_argument("--scorer", type=Path)
    options = parser.parse_args()
    peers = [name for name in (PEERS if options.peers == "all" else options.peers.split(",")) if name]
    if unknown := set(peers) - set(PEERS):
        parser.error(f"no such peer: {', '.join(sorted(unknown))}")
    near = [folder / "peers" for folder in (options.tasks[0].resolve().parent, options.tasks[0].resolve().parents[1])]
    options.adapters = options.adapters or next((folder for folder in near if folder.is_dir()), None)
    if peers and not options.adapters:
        parser.error("--peers needs --adapters: there is no folder 'peers' beside the tasks")
    absent = [name for name in peers if not installed(name, options.adapters)]
    for name in absent:
        print(f"{name} is not installed: left out", file=sys.stderr)
    peers = [name for name in peers if name not in absent]
    tasks = chosen(options)
    paths = {OURS: options.out} | {name: options.out.with_suffix(f".{name}.jsonl") for name in peers}
    if not options.only_table:
        run(tasks, paths, options)
    if options.scorer:
        told = tables(options.scorer, tasks, paths | dict(options.rows))
        print(told.whole)
        if options.record:
            record(told, options)


if __name__ == "__main__":
    main()
